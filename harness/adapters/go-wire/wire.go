// Package wire implements the adapter protocol for adapters in Go: one JSON object on a line for each request and each
// reply.
package wire

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// A Check asks whether an agent may fetch a URL.
type Check struct {
	Agent string `json:"agent"`
	URL   string `json:"url"`
}

// A Request is a line of standard input.
type Request struct {
	ID           json.Number `json:"id"`
	Op           string      `json:"op"`
	Robots       string      `json:"robots"`
	RobotsBase64 []byte      `json:"robots_base64"`
	Checks       []Check     `json:"checks"`
}

// A Reply is a line of standard output.
type Reply map[string]any

// An Op answers a request.
type Op func(*Request) (Reply, error)

// File returns the bytes of the robots.txt in a request.
func (r *Request) File() []byte {
	if r.RobotsBase64 != nil {
		return r.RobotsBase64
	}
	return []byte(r.Robots)
}

// Verdicts returns the result of allowed for each check. An error or a panic is the error of that one check.
func Verdicts(r *Request, allowed func(agent, url string) (bool, error)) (Reply, error) {
	return Decisions(r, func(agent, url string) (bool, int, error) {
		isAllowed, err := allowed(agent, url)
		return isAllowed, 0, err
	})
}

// Decisions is Verdicts for a parser that also states the line of the rule that decided, or 0 if no rule matches.
func Decisions(r *Request, decide func(agent, url string) (bool, int, error)) (Reply, error) {
	verdicts := make([]any, 0, len(r.Checks))
	for _, check := range r.Checks {
		verdicts = append(verdicts, verdict(check, decide))
	}
	return Reply{"verdicts": verdicts}, nil
}

func verdict(check Check, decide func(agent, url string) (bool, int, error)) (verdict any) {
	defer func() {
		if panicked := recover(); panicked != nil {
			verdict = failure(panicked)
		}
	}()
	isAllowed, line, err := decide(check.Agent, check.URL)
	if err != nil {
		return failure(err)
	}
	word := "disallow"
	if isAllowed {
		word = "allow"
	}
	if line == 0 {
		return word
	}
	return Reply{"verdict": word, "line": line}
}

func failure(reason any) Reply {
	text := fmt.Sprint(reason)
	return Reply{"error": text[:min(len(text), 500)]}
}

// Serve answers each request with the function of its operation. An error or a panic is the error of the whole request.
// The version is that of the module in the binary.
func Serve(name, module, homepage string, ops map[string]Op) {
	hello := Reply{"protocol": 1, "name": name, "version": version(module), "language": "go", "homepage": homepage,
		"package": module + " (Go)"}
	names := []string{}
	for op := range ops {
		names = append(names, op)
	}
	hello["ops"] = names
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr // a parser that prints must not write to the wire
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return
		}
		if err := out.Encode(answer(line, hello, ops)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func answer(line []byte, hello Reply, ops map[string]Op) (reply Reply) {
	var request Request
	defer func() {
		if panicked := recover(); panicked != nil {
			reply = failure(panicked)
		}
		reply["id"] = request.ID
	}()
	if err := json.Unmarshal(line, &request); err != nil {
		return failure(err)
	}
	op := ops[request.Op]
	switch {
	case request.Op == "hello":
		return hello
	case op == nil:
		return failure("unknown op " + request.Op)
	}
	reply, err := op(&request)
	if err != nil {
		return failure(err)
	}
	return reply
}

func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return dependency.Version[1:]
		}
	}
	return ""
}
