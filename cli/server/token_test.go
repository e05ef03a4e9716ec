package server_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/internal/private"
	"guardrails/server/access"
)

func TestATokenIsShownOnceAndWorks(t *testing.T) {
	s := clitest.New(t, map[string]string{".claude/guardrails.yaml": "tenant: red\n"})
	env := "XDG_STATE_HOME=" + s.Root + "/state "
	stdout, stderr, code := s.Run(env + "guardrails token create ci --role decide --expires 90d")
	secret := strings.TrimSpace(stdout)
	if code != app.OK || !strings.HasPrefix(secret, "gr_") || strings.Contains(secret, "\n") ||
		!strings.Contains(stderr, "shown only once") {
		t.Fatalf("%d %q %q", code, stdout, stderr)
	}
	stdout, _, code = s.Run(env + "guardrails token create other --role admin --tenant blue -o json")
	var made struct{ Name, Tenant, Role, Token string }
	if err := json.Unmarshal([]byte(stdout), &made); err != nil || code != app.OK || made.Name != "other" ||
		made.Tenant != "blue" || made.Role != "admin" {
		t.Fatalf("%d %v %s", code, err, stdout)
	}
	for token, want := range map[string]access.Caller{
		secret: {Name: "ci", Tenant: "red", Role: access.Decide}, made.Token: {
			Name: "other", Tenant: "blue",
			Role: access.Admin,
		},
	} {
		if got := callerOf(t, s.Root, token); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	for _, flags := range []string{"", " -o json", " --tenant blue"} {
		if stdout, _, _ := s.Run(env + "guardrails token list" + flags); strings.Contains(stdout, "gr_") {
			t.Errorf("a token is listed: %s", stdout)
		}
	}
}

// callerOf returns the caller that a server finds for a token.
func callerOf(t *testing.T, root, secret string) access.Caller {
	t.Helper()
	state, err := private.Open(filepath.Join(root, "state", "guardrails"))
	if err != nil {
		t.Fatal(err)
	}
	keys, _, err := access.OpenKeyring(state, "",
		func() time.Time { return time.Date(2026, 2, 6, 10, 0, 0, 0, time.UTC) })
	if err != nil {
		t.Fatal(err)
	}
	c, known, err := keys.Who(secret)
	if err != nil || !known {
		t.Fatalf("the token is not known: %v", err)
	}
	return c
}

func TestOnlyTheOwnerCanReadTokens(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	if _, stderr, code := s.Run("XDG_STATE_HOME=" + s.Root + "/state guardrails token create ci --role read"); code != app.OK {
		t.Fatal(stderr)
	}
	err := filepath.WalkDir(filepath.Join(s.Root, "state"), func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && name != filepath.Join(s.Root, "state") && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestATokenNeedsAValidTenant(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	_, stderr, code := s.Run("XDG_STATE_HOME=" + s.Root + "/state guardrails token create ci --role read --tenant " +
		strings.Repeat("a", 300))
	if code != app.Misused || !strings.Contains(stderr, "--tenant: the tenant") {
		t.Errorf("%d %s", code, stderr)
	}
}
