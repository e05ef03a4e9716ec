package author

import (
	"os"
	"path/filepath"
	"testing"

	"guardrails/detect/toolcall"
)

func FuzzPayload(f *testing.F) {
	names, err := filepath.Glob("../../detect/toolcall/testdata/payloads/*.json")
	if err != nil || len(names) == 0 {
		f.Fatalf("no payloads: %v", err)
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(`{"tool": "Bash", "arguments": null, "agentName": 3}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := parsePayload(raw)
		if c.unreadable != nil {
			return
		}
		if c.tool == "" || len(c.input) == 0 {
			t.Fatalf("a call without a tool or input: %+v", c)
		}
		toolcall.Analyze(&toolcall.Env{}, c.tool, c.input)
	})
}
