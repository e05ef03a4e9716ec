//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// The type "normal" replaces the parts of a text that depend on the machine or on the session.
type normal struct {
	places *strings.Replacer
	// ids maps the ids of sessions and agents to their replacements.
	ids map[string]string
}

func newNormal(s *stage) *normal {
	return &normal{
		places: strings.NewReplacer(s.project, "/home/dev/project", dashed(s.project), "-home-dev-project", s.home, "/home/dev", s.base+"/tmp", "/tmp", s.base, "/home"),
		ids:    map[string]string{},
	}
}

// dashed() returns the name that the client gives its folder for a project.
func dashed(path string) string {
	return regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(path, "-")
}

func (n *normal) text(text string) string {
	text = n.places.Replace(text)
	text = regexp.MustCompile(`/tmp/claude-\d+/`).ReplaceAllString(text, "/tmp/claude-1000/")
	text = regexp.MustCompile(`"(duration_ms|totalDurationMs)":\d+`).ReplaceAllString(text, `"$1":1`)
	text = regexp.MustCompile(`<duration_ms>\d+<`).ReplaceAllString(text, "<duration_ms>1<")
	text = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).ReplaceAllStringFunc(text, n.id("00000000-0000-4000-8000-%012d"))
	return regexp.MustCompile(`\ba[0-9a-f]{16}\b`).ReplaceAllStringFunc(text, n.id("a%016d"))
}

// id() returns a function that replaces each id with a number in the given format.
func (n *normal) id(format string) func(string) string {
	return func(found string) string {
		if n.ids[found] == "" {
			n.ids[found] = fmt.Sprintf(format, len(n.ids)+1)
		}
		return n.ids[found]
	}
}

// document() normalizes and indents a JSON document.
func (n *normal) document(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(n.text(string(text))), "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(bytes.TrimSpace(out.Bytes()), '\n')
}
