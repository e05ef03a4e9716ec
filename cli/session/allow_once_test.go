package session_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/cli"
	"guardrails/cli/app"
	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/internal/private"
)

func TestAPersonAllowsADeniedCallByItsCode(t *testing.T) {
	t.Setenv("GUARDRAILS_CACHE_DIR", t.TempDir()+"/run")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("CLAUDECODE", "")
	dir, err := private.Runtime(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	allowOnce := func(args ...string) (string, app.ExitCode) {
		t.Helper()
		var out, errs strings.Builder
		system := &app.System{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Env: os.Getenv,
			Cwd: t.TempDir(), Interactive: true,
		}
		code := cli.Run(append([]string{"allow-once"}, args...), system)
		return out.String() + errs.String(), code
	}
	refuse := func(code string, client int) {
		t.Helper()
		r := hooks.Refusal{
			Code: code, Session: "s1", Tool: "Write", Guideline: "g", Reason: "Denied by g.",
			Client: client,
		}
		name := session.DeniedName("s1", code)
		if err := dir.Write(name, dir.KeyOf(name).Sign(r.Grant(time.Now()))); err != nil {
			t.Fatal(err)
		}
	}
	refuse("ABCDEFGH", 1)
	if out, code := allowOnce("abcdefgh", "--yes"); code != app.OK ||
		!strings.Contains(out, "Allowed once: Write, denied by g") {
		t.Fatalf("exit %d: %s", code, out)
	}
	if _, err := dir.ReadSigned(session.GrantName("s1", "ABCDEFGH"), 1<<16); err != nil {
		t.Error(err)
	}
	refuse("JKMNPQRS", os.Getppid())
	for _, c := range []struct{ code, want string }{
		{"ABCDEFGH", "there is no refused call with this code"}, {"../x", "there is no refused call"}, {
			"JKMNPQRS",
			"started by the client whose call was refused",
		},
	} {
		if out, code := allowOnce(c.code, "--yes"); code != app.Failed || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d: %s", c.code, code, out)
		}
	}
	refuse("TUVWXYZ2", 1)
	if out, code := allowOnce("TUVWXYZ2"); code != app.Failed || !strings.Contains(out, "nothing was allowed") {
		t.Errorf("without a yes: exit %d: %s", code, out)
	}
	t.Setenv("CLAUDECODE", "1")
	if out, code := allowOnce("TUVWXYZ2", "--yes"); code != app.Failed ||
		!strings.Contains(out, "not an agent's shell") {
		t.Errorf("in the agent's shell: exit %d: %s", code, out)
	}
}
