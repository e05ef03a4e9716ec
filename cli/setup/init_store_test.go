package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

// If the database is missing, init creates a new one and says what is lost.
func TestInitReplacesAMissingStoreAndSaysWhatIsLost(t *testing.T) {
	for _, packs := range []string{"[core]", "[]"} {
		s := clitest.New(t, map[string]string{
			"new/claude": "#!/bin/sh\necho '2.1.330 (Claude Code)'\n", ".claude/guardrails.yaml": "packs: " + packs +
				"\n",
			"own.yaml": "guidelines: [{id: own, name: Own, category: custom, action: {type: instruction, instruction: Ours.}}]\n",
		})
		s.Env["HOME"], s.Env["PATH"] = filepath.Join(s.Root, "home"), filepath.Join(s.Root, "new")
		s.Must("guardrails init")
		s.Must("guardrails import own.yaml")
		s.Must(`guardrails apply -f own.yaml --force`)
		s.Must(`guardrails toggle own`)
		ask := `guardrails call guardrails_get_context '{"hook": true}'`
		if answer := s.Must(ask); strings.Contains(answer, `"fallback": {`) {
			t.Fatal(answer)
		}
		if err := os.RemoveAll(filepath.Join(s.Root, "home", ".local", "share")); err != nil {
			t.Fatal(err)
		}
		if answer := s.Must(ask); !strings.Contains(answer, "does not exist; restore it, or create a new one with guardrails init") {
			t.Error(answer)
		}
		_, said, code := s.Run("guardrails init")
		if code != app.OK || !strings.Contains(said, "hooks have seen 2 changes to guidelines in it; a new store takes its place") {
			t.Errorf("%d %s", code, said)
		}
		if answer := s.Must(ask); strings.Contains(answer, `"fallback": {`) {
			t.Error(answer)
		}
		if _, said, _ := s.Run("guardrails init"); strings.Contains(said, "does not exist any more") {
			t.Error(said)
		}
	}
}
