//go:build e2e

package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"guardrails/hooks/wire"
	"guardrails/setup/claude/fakemodel"
)

var update = flag.Bool("update", false, "rewrite what is recorded of the clients")

// The hooks depend on the documents that the client writes to their stdin. testdata/payloads has one document of each
// kind for each version. If a client sends fewer fields than were recorded, this test fails before users notice.
func TestTheClientStillSendsEveryFieldThatHooksRead(t *testing.T) {
	t.Parallel()
	for _, client := range clients(t) {
		t.Run(version(client), func(t *testing.T) {
			t.Parallel()
			live := livePayloads(t, client)
			folder := filepath.Join("testdata", "payloads", version(client))
			if *update {
				rewrite(t, folder, live)
			}
			for name, recorded := range recordedPayloads(t, folder) {
				if live[name] == nil {
					t.Errorf("%s: the client no longer sends this document", name)
					continue
				}
				if gone := missing(usedFields(t, recorded), usedFields(t, live[name])); len(gone) > 0 {
					t.Errorf("%s: the client no longer sends %v:\n%s", name, gone, live[name])
				}
			}
		})
	}
}

// livePayloads plays a session with every kind of event. It returns the documents that the hooks received. The key of a
// document is the name of the file in which it is recorded.
func livePayloads(t *testing.T, client string) map[string][]byte {
	t.Helper()
	s := newStage(t, client)
	s.recordEvents(wire.SessionStart, wire.UserPromptSubmit, wire.SubagentStart, wire.PreToolUse, wire.PostToolUse, wire.PostToolUseFailure, wire.Stop, wire.SubagentStop, wire.SessionEnd)
	s.serve()
	s.file("old.txt", "old\n")
	inside := fakemodel.Use(fakemodel.Write(s.path("sub.txt"), "x"))
	aside, end := s.together(fakemodel.Say("Somebody else works on."), fakemodel.Say("ok"))
	s.play(
		fakemodel.Use(fakemodel.Bash("echo hi")),
		fakemodel.Use(fakemodel.Bash("false")),
		fakemodel.Use(fakemodel.Write(s.path("new.txt"), "x")),
		fakemodel.Use(fakemodel.Read(s.path("old.txt"))),
		fakemodel.Use(fakemodel.Edit(s.path("old.txt"), "old", "new")),
		fakemodel.Use(fakemodel.Read(s.path("missing.txt"))),
		fakemodel.Use(fakemodel.Call{Name: "mcp__probe__read", Input: map[string]any{}}),
		fakemodel.Use(fakemodel.Agent("backend", "do a part", inside, fakemodel.Say("ok"))),
		fakemodel.Use(fakemodel.Background("frontend", "do another part", end)),
		aside,
		fakemodel.Say("done"),
	)
	return s.payloads()
}

// recordEvents makes the program "recorder" the hook for the given events.
func (s *stage) recordEvents(events ...string) {
	s.t.Helper()
	if err := os.MkdirAll(s.base+"/recorded/calls", 0o700); err != nil {
		s.t.Fatal(err)
	}
	hook := map[string]any{"type": "command", "command": s.bin + "/recorder", "args": []string{s.base + "/recorded"}}
	hooks := map[string]any{}
	for _, event := range events {
		hooks[event] = []any{map[string]any{"hooks": []any{hook}}}
	}
	s.json(".claude/settings.json", map[string]any{"hooks": hooks})
}

// payloads() returns the first recorded document of each kind.
func (s *stage) payloads() map[string][]byte {
	s.t.Helper()
	files, err := filepath.Glob(s.base + "/recorded/calls/*.json")
	if err != nil || len(files) == 0 {
		s.t.Fatalf("nothing was recorded (%v)", err)
	}
	slices.Sort(files)
	found, normal := map[string][]byte{}, newNormal(s)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		if name := payloadName(s.t, text); found[name] == nil {
			found[name] = normal.document(s.t, text)
		}
	}
	return found
}

func payloadName(t *testing.T, text []byte) string {
	t.Helper()
	e, err := wire.Parse(text)
	if err != nil {
		t.Fatalf("the hooks cannot read what the client sent: %v\n%s", err, text)
	}
	name := e.Name
	if e.Tool != "" {
		name += "." + e.Tool
	}
	if e.Agent != "" && e.Tool != "" {
		name += ".subagent"
	}
	if !e.Typed() {
		name += ".task-notification"
	}
	return name + ".json"
}

func rewrite(t *testing.T, folder string, live map[string][]byte) {
	t.Helper()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range live {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
