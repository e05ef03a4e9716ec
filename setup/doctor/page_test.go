//go:build unix

package doctor

import (
	"net"
	"os"
	"strings"
	"testing"

	"guardrails/internal/page"
	"guardrails/internal/private"
)

func TestDoctorSaysWhereThePageIs(t *testing.T) {
	p := newComputer(t)
	report := func() string {
		c := findCheck(t, p.examine().Checks, linkPage)
		return string(c.State) + ": " + c.Detail + " " + c.Remedy
	}
	want := func(part string) {
		t.Helper()
		if got := report(); !strings.HasPrefix(got, part) {
			t.Errorf("got %s, want %s", got, part)
		}
	}
	want("ok: no server offers it now; to start one, run: guardrails ui")

	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	t.Setenv("GUARDRAILS_ADDR", other.Addr().String())
	want("warning: another program uses the address " + other.Addr().String())

	dir, err := private.Runtime(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if err := page.Write(dir, page.Place{Address: "127.0.0.1:7777", Root: p.path("project")}); err != nil {
		t.Fatal(err)
	}
	want("warning: another program") // nobody holds the lock, so the note is old
	if err := dir.Touch(page.Shown); err != nil {
		t.Fatal(err)
	}
	held, _, err := dir.OpenFile(page.Shown)
	if err != nil {
		t.Fatal(err)
	}
	if taken, err := held.TryLock(); err != nil || !taken {
		t.Fatal(taken, err)
	}
	want("ok: http://127.0.0.1:7777/ui/; to open it, run: guardrails ui")
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	p.write("project/.claude/guardrails.yaml", "ui: off\n")
	want("ok: switched off (ui: off)")
}
