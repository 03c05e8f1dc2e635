// Adapts github.com/jimsmart/grobotstxt, a port of Google's C++ library.
//
// The complete list of adaptations:
//
//   - The library takes text, and receives the bytes of the file as a string and the agent as it is. The original
//     requires a percent-encoded URL of its caller, so the adapter percent-encodes the bytes of the URL that are not
//     ASCII.
//   - `AgentAllowed` true is "allow", false is "disallow". It parses the file again for every check.
//   - The line that decided is that of `MatchingLine`, or none where it returns 0.
//   - Sitemaps are the result of `Sitemaps`.
//   - A panic is the error of that one check. Error texts are cut at 500 bytes.
package main

import (
	"fmt"
	"strings"

	"github.com/jimsmart/grobotstxt"
	"robotspec/wire"
)

func match(request *wire.Request) (wire.Reply, error) {
	robots := string(request.File())
	return wire.Decisions(request, func(agent, url string) (bool, int, error) {
		matcher := grobotstxt.NewRobotsMatcher()
		isAllowed := matcher.AgentAllowed(robots, agent, encoded(url))
		return isAllowed, matcher.MatchingLine(), nil
	})
}

func encoded(url string) string {
	var out strings.Builder
	for _, octet := range []byte(url) {
		if octet < 0x80 {
			out.WriteByte(octet)
		} else {
			fmt.Fprintf(&out, "%%%02X", octet)
		}
	}
	return out.String()
}

func sitemaps(request *wire.Request) (wire.Reply, error) {
	found := grobotstxt.Sitemaps(string(request.File()))
	return wire.Reply{"sitemaps": append([]string{}, found...)}, nil
}

func main() {
	const module = "github.com/jimsmart/grobotstxt"
	wire.Serve("grobotstxt", module, "https://"+module, map[string]wire.Op{"match": match, "sitemaps": sitemaps})
}
