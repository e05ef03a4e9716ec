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
		c, err := parsePayload("payload", raw)
		if (c == nil) == (err == nil) {
			t.Fatalf("got %v and %v", c, err)
		}
		if c == nil {
			return
		}
		if c.tool == "" || len(c.input) == 0 {
			t.Fatalf("a call without a tool or input: %+v", c)
		}
		toolcall.Analyze(&toolcall.Env{}, c.tool, c.input)
	})
}

func FuzzQuestions(f *testing.F) {
	f.Add([]byte("- context: {agent: backend, unknown: [paths]}\n- tool: Bash\n  command: ls\n"))
	f.Add([]byte("cases:\n  - name: x\n    tool: Write\n    input: {a: [1, null]}\n    expect: {}\n"))
	f.Add([]byte("guidelines: []\ncases: 3\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, problems := parseQuestions("questions.yaml", raw)
		if len(list) == 0 && len(problems) == 0 {
			t.Fatal("neither questions nor problems")
		}
		for i := range list {
			list[i].label()
			list[i].key()
		}
	})
}

func FuzzSamples(f *testing.F) {
	for _, pattern := range []string{"src/*", "{a,b}/[!x]?", "Bash(npm test:*)", "[]a]{", "Write({a,{b,c}}/**)", "WebFetch(domain:*.x.org)", "mcp__a"} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		samplePath(pattern)
		sampleCall(pattern)
	})
}
