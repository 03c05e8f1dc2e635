// Adapts github.com/temoto/robotstxt, which Colly and other crawlers in Go use.
//
// The complete list of adaptations:
//
//   - The library tests a path, so the adapter passes the path and the query of the URL, as net/url writes them into a
//     request. A URL that net/url does not parse is an error of that check.
//   - `TestAgent` true is "allow", false is "disallow".
//   - A file that `FromBytes` rejects is an error of the whole request. Error texts are cut at 500 bytes.
//   - Sitemaps are the field `Sitemaps`.
package main

import (
	"net/url"

	"github.com/temoto/robotstxt"
	"robotspec/wire"
)

func match(request *wire.Request) (wire.Reply, error) {
	robots, err := robotstxt.FromBytes(request.File())
	if err != nil {
		return nil, err
	}
	return wire.Verdicts(request, func(agent, address string) (bool, error) {
		parsed, err := url.Parse(address)
		if err != nil {
			return false, err
		}
		return robots.TestAgent(parsed.RequestURI(), agent), nil
	})
}

func sitemaps(request *wire.Request) (wire.Reply, error) {
	robots, err := robotstxt.FromBytes(request.File())
	if err != nil {
		return nil, err
	}
	return wire.Reply{"sitemaps": append([]string{}, robots.Sitemaps...)}, nil
}

func main() {
	const module = "github.com/temoto/robotstxt"
	wire.Serve("temoto/robotstxt", module, "https://"+module, map[string]wire.Op{"match": match, "sitemaps": sitemaps})
}
