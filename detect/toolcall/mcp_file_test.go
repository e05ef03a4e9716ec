package toolcall_test

import (
	"encoding/json"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
)

const mcpFile = `{
  "mcpServers": {
    "guardrails": {"command": "guardrails-server", "args": ["mcp"]},
    "docs": {"command": "npx", "args": ["docs"]}
  }
}`

func TestAWriteOfTheServersFileTampersOnlyIfItConcernsTheGuard(t *testing.T) {
	const guard = `"guardrails": {"command":"guardrails-server","args":["mcp"]}`
	write := func(content string) map[string]any { return map[string]any{"content": content} }
	edit := func(old, renewed string) map[string]any {
		return map[string]any{"old_string": old, "new_string": renewed}
	}
	for _, c := range []struct {
		name    string
		input   map[string]any
		tampers bool
	}{
		{"another server", write(`{"mcpServers": {` + guard + `, "docs": {"command": "npx", "args": ["docs"]}, "db": {"command": "db"}}}`), false},
		{"a server less", write(`{"mcpServers": {` + guard + `}}`), false},
		{"an edit that adds a server", edit(`"docs": {`, `"db": {"command": "db"}, "docs": {`), false},
		{"without the guard", write(`{"mcpServers": {"docs": {}}}`), true},
		{"another command of the guard", write(`{"mcpServers": {"guardrails": {"command": "true"}}}`), true},
		{"an edit of the guard's entry", edit(`"mcp"`, `"mcp", "--admin"`), true},
		{"the guard in another case too", write(`{"mcpServers": {` + guard + `, "Guardrails": {"command": "x"}}}`), true},
		{"the guard twice", write(`{"mcpServers": {` + guard + `, "guardrails": {"command": "x"}}}`), true},
		{"two lists", write(`{"mcpServers": {` + guard + `}, "mcpServers": {}}`), true},
		{"an escaped name", write(`{"mcpServers": {` + guard + `, "x": {"command": "\u0067uardrails"}}}`), true},
		{"a server that starts the guard", write(`{"mcpServers": {` + guard + `, "x": {"command": "guardrails-server"}}}`), true},
		{"something else in the file", write(`{"mcpServers": {` + guard + `}, "hooks": {}}`), true},
		{"not JSON", write(`mcpServers`), true},
		{"no content", map[string]any{}, true},
		{"a content that is no text", map[string]any{"content": 3}, true},
	} {
		c.input["file_path"] = "/home/dev/project/.mcp.json"
		input, err := json.Marshal(c.input)
		if err != nil {
			t.Fatal(err)
		}
		env := &toolcall.Env{
			Root: "/home/dev/project", Cwd: "/home/dev/project", Home: "/home/dev",
			Script: func(string, int64) ([]byte, bool) { return []byte(mcpFile), true },
		}
		tool := "Write"
		if c.input["old_string"] != nil {
			tool = "Edit"
		}
		call := toolcall.Analyze(env, tool, input)
		if got := call.Effects[0].Has(effect.GuardTamper); got != c.tampers || call.Effects[0].Has(effect.StartupChange) == c.tampers {
			t.Errorf("%s: %+v", c.name, call.Effects)
		}
	}
}

func TestANewServersFileIsAskedAbout(t *testing.T) {
	env := &toolcall.Env{Root: "/p", Cwd: "/p", Home: "/home/dev", Missing: func(path string) bool { return path == "/p/.mcp.json" }}
	for file, want := range map[string]effect.Event{".mcp.json": effect.StartupChange, "sub/.mcp.json": effect.GuardTamper} {
		call := toolcall.Analyze(env, "Write", []byte(`{"file_path": "/p/`+file+`", "content": "{\"mcpServers\": {\"db\": {\"command\": \"db\"}}}"}`))
		if e := &call.Effects[0]; !e.Has(want) {
			t.Errorf("%s: %+v", file, e)
		}
	}
}
