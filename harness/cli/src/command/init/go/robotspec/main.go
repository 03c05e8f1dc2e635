// Connects a robots.txt parser to robotspec through the adapter protocol: run `robotspec run` in the parent folder.
//
// Fill in allowed; the rest reads requests and writes replies, one line of JSON each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"strings"
)

// allowed returns whether agent (such as "FooBot") may fetch url (such as "http://example.com/fish"), given this
// robots.txt.
func allowed(robots []byte, agent, url string) bool {
	// FILL IN: call your parser. If it panics, only this check fails.
	return true
}

// What url is made of, for a parser that wants something else. Remove what you do not need.

var (
	origin  = regexp.MustCompile("^[^/]*//[^/?#]*")
	foreign = regexp.MustCompile("[^\\x00-\\x7f]")
)

// robotsURL returns the URL of the robots.txt.
func robotsURL(url string) string {
	return origin.FindString(url) + "/robots.txt"
}

// path returns the path and the query, without the fragment.
func path(url string) string {
	rest, _, _ := strings.Cut(origin.ReplaceAllString(url, ""), "#")
	return "/" + strings.TrimPrefix(rest, "/")
}

// encoded returns the URL with every byte outside ASCII percent-encoded.
func encoded(url string) string {
	return foreign.ReplaceAllStringFunc(url, func(character string) string {
		return strings.ReplaceAll(fmt.Sprintf("% X", "\x00"+character)[2:], " ", "%")
	})
}

type check struct {
	Agent string `json:"agent"`
	URL   string `json:"url"`
}

type request struct {
	ID     int     `json:"id"`
	Op     string  `json:"op"`
	Robots *string `json:"robots"`
	// A file that is not UTF-8 is encoded in Base64, which encoding/json decodes.
	RobotsBase64 []byte  `json:"robots_base64"`
	Checks       []check `json:"checks"`
}

func verdict(robots []byte, check check) (verdict any) {
	defer func() {
		if panicked := recover(); panicked != nil {
			verdict = map[string]string{"error": fmt.Sprint(panicked)}
		}
	}()
	if allowed(robots, check.Agent, check.URL) {
		return "allow"
	}
	return "disallow"
}

func answer(request request) map[string]any {
	switch request.Op {
	case "hello":
		return map[string]any{"protocol": 1, "name": "my-parser", "language": "go", "ops": []string{"match"}}
	case "match":
		robots := request.RobotsBase64
		if request.Robots != nil {
			robots = []byte(*request.Robots)
		}
		verdicts := []any{}
		for _, check := range request.Checks {
			verdicts = append(verdicts, verdict(robots, check))
		}
		return map[string]any{"verdicts": verdicts}
	default:
		return map[string]any{"error": "unknown op " + request.Op}
	}
}

func main() {
	wire := json.NewEncoder(os.Stdout) // writes each value as a line, immediately
	os.Stdout = os.Stderr              // nothing else may print to the output of the protocol
	input := bufio.NewReader(os.Stdin) // a Scanner is not suitable: it refuses long lines
	for {
		line, err := input.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		var request request
		if err := json.Unmarshal(line, &request); err != nil {
			log.Fatal(err)
		}
		reply := answer(request)
		reply["id"] = request.ID
		if err := wire.Encode(reply); err != nil {
			log.Fatal(err)
		}
	}
}
