package policyfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/config"
	"guardrails/internal/fortests/need"
	"guardrails/service/policyfile"
)

func TestAPolicyFileBehindALinkIntoTheProjectCannotMakeVerdictsMilder(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, outside); err != nil {
		need.Missing(t, err)
	}
	if _, why := policyfile.Path(root, "/h", &config.Safety{Policies: outside + "/own.yaml"}, true); why == "" {
		t.Error("agents can change the file, but its rules count as those of a person")
	}
}

func TestOnlyAPolicyFileOfAPersonMakesVerdictsMilder(t *testing.T) {
	for _, c := range []struct {
		name, policies    string
		trusted, noMilder bool
		path, why         string
	}{
		{"the usual file", "", false, false, "/p/.claude/guardrails-policies.yaml", "guardrails trust"},
		{"the usual file of a trusted project", "", true, false, "/p/.claude/guardrails-policies.yaml", ""},
		{"the administrator's mode", "", true, true, "/p/.claude/guardrails-policies.yaml", "administrator"},
		{"the administrator's mode and the user's file", "~/own.yaml", true, true, "/home/own.yaml", "administrator"},
		{"a file of the user", "~/own.yaml", false, false, "/home/own.yaml", ""},
		{"a file elsewhere", "/q/own.yaml", false, false, "/q/own.yaml", ""},
		{"another file in the project", "own.yaml", true, false, "/p/own.yaml", "agents can change it"},
		{"its absolute path", "/p/own.yaml", true, false, "/p/own.yaml", "agents can change it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, why := policyfile.Path("/p", "/home", &config.Safety{Policies: c.policies, NoMilder: c.noMilder}, c.trusted)
			if filepath.ToSlash(path) != c.path || (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
				t.Errorf("got %s, %q", path, why)
			}
		})
	}
}
