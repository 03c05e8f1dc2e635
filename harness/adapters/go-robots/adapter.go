// Adapts github.com/benjaminestes/robots.
//
// The complete list of adaptations:
//
//   - The library reads a status and a file, and receives the status 200 and the bytes of the file. It receives the agent
//     and the URL as they are.
//   - `Test` true is "allow", false is "disallow".
//   - Sitemaps are the result of `Sitemaps`.
//   - A panic is the error of that one check. Error texts are cut at 500 bytes.
package main

import (
	"bytes"

	"github.com/benjaminestes/robots/v2"
	"robotspec/wire"
)

func match(request *wire.Request) (wire.Reply, error) {
	found, err := robots.From(200, bytes.NewReader(request.File()))
	if err != nil {
		return nil, err
	}
	return wire.Verdicts(request, func(agent, url string) (bool, error) {
		return found.Test(agent, url), nil
	})
}

func sitemaps(request *wire.Request) (wire.Reply, error) {
	found, err := robots.From(200, bytes.NewReader(request.File()))
	if err != nil {
		return nil, err
	}
	return wire.Reply{"sitemaps": append([]string{}, found.Sitemaps()...)}, nil
}

func main() {
	const module = "github.com/benjaminestes/robots/v2"
	wire.Serve("benjaminestes/robots", module, "https://"+module, map[string]wire.Op{"match": match, "sitemaps": sitemaps})
}
