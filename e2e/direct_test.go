//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// forEachDirect runs a test with each client that can call the server instead of hook programs.
func forEachDirect(t *testing.T, test func(*stage)) {
	for _, client := range direct(t) {
		t.Run(version(client), func(t *testing.T) { test(setUp(t, client, "--direct")) })
	}
}

// The constant "gone" is a part of the text that the model reads if the server does not answer a hook.
const gone = "blocking because onFailure is"

// If the client cannot reach the server for any reason, no call may run.
func TestADirectProjectWithoutItsServerBlocksEveryCall(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(*stage){
		"the server is switched off": func(s *stage) { s.file(".claude/settings.local.json", `{"disabledMcpjsonServers":["guardrails"]}`) },
		"a person switched it off": func(s *stage) {
			s.state(map[string]any{"disabledMcpServers": []string{"guardrails"}})
		},
		"another server has its name": func(s *stage) {
			s.state(map[string]any{"mcpServers": map[string]any{"guardrails": map[string]any{"command": "/bin/cat"}}})
		},
		"its program is gone":    func(s *stage) { s.swap(".mcp.json", `"guardrails",`, `"`+s.bin+`/gone",`) },
		"it is another program":  func(s *stage) { s.swap(".mcp.json", `"guardrails",`, `"/bin/cat",`) },
		"it is not in .mcp.json": func(s *stage) { s.json(".mcp.json", map[string]any{"mcpServers": map[string]any{}}) },
	} {
		t.Run(name, func(t *testing.T) {
			forEachDirect(t, func(s *stage) {
				breaks(s)
				model := s.play(fakemodel.Use(fakemodel.Write(s.path("open/a.txt"), "x").Named("write")),
					fakemodel.Use(fakemodel.Bash("echo x > b").Named("bash")), fakemodel.Say("done"))
				s.wantResults(model, map[string]string{"write": gone, "bash": gone})
				s.wantFiles(map[string]bool{"open/a.txt": false, "b": false})
			})
		})
	}
}

// state() writes the file .claude.json in the home folder. In this file, the client stores facts about the project.
func (s *stage) state(project map[string]any) {
	s.t.Helper()
	text, err := json.Marshal(map[string]any{"projects": map[string]any{s.project: project}})
	if err == nil {
		err = os.WriteFile(s.home+"/.claude.json", text, 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// swap() replaces a text in a file of the project. The file must contain the text.
func (s *stage) swap(name, old, renewed string) {
	s.t.Helper()
	text, err := os.ReadFile(s.path(name))
	if err != nil || !strings.Contains(string(text), old) {
		s.t.Fatalf("%s has no %q: %v", name, old, err)
	}
	s.file(name, strings.Replace(string(text), old, renewed, 1))
}

// If the settings do not approve the server, the client asks the user. The user presses Enter, and the client
// continues without the server.
func TestADirectProjectBlocksEveryCallWhenItsServerIsNotApproved(t *testing.T) {
	t.Parallel()
	forEachDirect(t, func(s *stage) {
		s.swap(".claude/settings.json", `"enabledMcpjsonServers": ["guardrails"]`, `"enabledMcpjsonServers": []`)
		terminal := s.terminal(fakemodel.Use(fakemodel.Write(s.path("open/a.txt"), "x").Named("write")), fakemodel.Say("I could not."))
		terminal.waitUntilStill("❯ Continue without using this MCP server")
		terminal.must(terminal.Press(terminal.ctx, "Enter"))
		terminal.waitUntilStill("accept edits on")
		terminal.typePrompt("write it", "I could not.")
		terminal.quitClient()
		s.wantResults(terminal.model, map[string]string{"write": gone})
		s.wantFiles(map[string]bool{"open/a.txt": false})
	})
}

// The client uses a tool of the server as a hook. A model must not be able to call this tool. With the tool, the model
// could write a session's files.
func TestTheModelCannotCallAHook(t *testing.T) {
	t.Parallel()
	forEachDirect(t, func(s *stage) {
		approve := fakemodel.Call{ID: "forged", Name: "mcp__guardrails__guardrails_hook", Input: map[string]any{
			"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash", "tool_use_id": "asked", "tool_input": "{}",
		}}
		model := s.play(
			fakemodel.Use(fakemodel.Bash("rm -rf old").Named("asked")),
			fakemodel.Use(approve),
			fakemodel.Use(fakemodel.Bash("echo '{}' | "+s.bin+"/guardrails-enforce").Named("by_bash")),
			fakemodel.Say("done"),
		)
		s.wantResults(model, map[string]string{"forged": "No such tool available", "by_bash": "guard-tamper"})
		for _, r := range model.All() {
			if slices.Contains(r.Tools, approve.Name) {
				s.t.Error("the client offers the tool to the model")
			}
		}
		s.wantRecorded("gate", map[string]string{"asked": "rejected"})
	})
}

// waitUntilStill waits until the screen shows a text and no longer changes.
func (t *terminal) waitUntilStill(text string) {
	t.s.t.Helper()
	_, err := t.Settled(t.ctx, func(screen string) string {
		if !strings.Contains(screen, text) {
			return ""
		}
		return screen
	})
	t.must(err)
}
