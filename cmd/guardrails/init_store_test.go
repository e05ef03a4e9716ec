package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A database that is gone is told, and so is what init lets go of when it makes a new one.
func TestAStoreThatInitMadeAnewHoldsAndWhatIsMissingIsSaid(t *testing.T) {
	for _, packs := range []string{"[core]", "[]"} {
		s := newSession(t, map[string]string{
			"new/claude": "#!/bin/sh\necho '2.1.330 (Claude Code)'\n", ".claude/guardrails.yaml": "packs: " + packs + "\n",
			"own.yaml": "guidelines: [{id: own, name: Own, category: custom, action: {type: instruction, instruction: Ours.}}]\n",
		})
		s.variables["HOME"], s.variables["PATH"] = filepath.Join(s.root, "home"), filepath.Join(s.root, "new")
		s.must("guardrails init")
		s.must("guardrails import own.yaml")
		s.must(`guardrails apply -f own.yaml --force`)
		s.must(`guardrails toggle own`)
		ask := `guardrails call guardrails_get_context '{"hook": true}'`
		if answer := s.must(ask); strings.Contains(answer, `"fallback": {`) {
			t.Fatal(answer)
		}
		if err := os.RemoveAll(filepath.Join(s.root, "home", ".local", "share")); err != nil {
			t.Fatal(err)
		}
		if answer := s.must(ask); !strings.Contains(answer, "is gone; put it back, or make a new one by guardrails init") {
			t.Error(answer)
		}
		_, said, code := s.run("guardrails init")
		if code != done || !strings.Contains(said, "changes of guidelines that hooks saw in it, it counts") || !strings.Contains(said, "it holds as it is from now on") {
			t.Errorf("%d %s", code, said)
		}
		if answer := s.must(ask); strings.Contains(answer, `"fallback": {`) {
			t.Error(answer)
		}
		if _, said, _ := s.run("guardrails init"); strings.Contains(said, "it counts") {
			t.Error(said)
		}
	}
}
