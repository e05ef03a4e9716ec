//go:build e2e

package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

const notes = `
guidelines:
  - id: nobody-notes
    name: Nothing is noted
    category: security
    action: {type: tool_restriction, tools_denied: [mcp__probe__note], instruction: Notes are for people.}
`

func TestOneToolOfAnMCPServerIsBlockedAndAnotherIsNot(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file(".claude/guardrails/notes.yaml", notes)
		s.serve()
		note := fakemodel.Call{ID: "note", Name: "mcp__probe__note", Input: map[string]any{"text": "a note"}}
		read := fakemodel.Call{ID: "read", Name: "mcp__probe__read", Input: map[string]any{}}
		model := s.play(fakemodel.Use(note), fakemodel.Use(read), fakemodel.Say("done"))
		s.wantResults(model, map[string]string{"note": "nobody-notes", "read": ""})
		s.wantRecorded("decision", map[string]string{"note": "deny", "read": "allow"})
		if got := s.result(model, "read").Text; got != "nothing was noted" {
			s.t.Errorf("the server has noted %q", got)
		}
	})
}

// serve() adds the program "mcpserver" to the MCP servers of the project.
func (s *stage) serve() {
	s.t.Helper()
	project := struct {
		Servers map[string]any `json:"mcpServers"`
	}{map[string]any{}}
	text, err := os.ReadFile(s.path(".mcp.json"))
	if err == nil {
		err = json.Unmarshal(text, &project)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Fatal(err)
	}
	project.Servers["probe"] = map[string]any{"command": s.bin + "/mcpserver", "args": []string{s.base + "/notes"}}
	s.json(".mcp.json", project)
}
