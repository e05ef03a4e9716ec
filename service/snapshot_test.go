package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/fortests/need"
	"guardrails/service"
	"guardrails/service/fallback"
)

func TestTheLastKnownGoodGuidelinesApplyWithAdditionsFromFiles(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails.yaml":   "packs: []\n",
		".claude/guardrails/a.yaml": rule("a", "action: {type: instruction, instruction: Old.}"),
		".claude/rules/gate.md":     mdGate,
	})
	p.hook("")
	p.now = p.now.Add(time.Hour)
	p.write(".claude/guardrails/a.yaml", rule("a", "action: {type: instruction, instruction: New.}"))
	p.write(".claude/guardrails/b.yaml", rule("b", "action: {type: instruction, instruction: Added.}"))
	p.write(".claude/guardrails/c.yaml", "nonsense")
	a := p.hook("")
	if a.Source != fallback.SourceSnapshot || ids(a) != "a b gate" {
		t.Errorf("%s from %s", ids(a), a.Source)
	}
	contains(t, a.Injection, "- Old.", "- Added.", "The user is asked first. What to do instead:\n- merging",
		"They are the last known good guidelines")
	lacks(t, a.Injection, "waits for a review")
}

func TestAForeignOrDamagedSnapshotIsNotUsed(t *testing.T) {
	const name = "snapshot"
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, file string)
		want  string
	}{
		{"empty", func(t *testing.T, f string) { write(t, f, "") }, "is damaged; remove it"},
		{"truncated", func(t *testing.T, f string) { write(t, f, read(t, f)[:100]) }, "is damaged; remove it"},
		{
			"of another version", func(t *testing.T, f string) {
				write(t, f, strings.Replace(read(t, f), `"format":2`, `"format":1`, 1))
			},
			"has another version; remove it",
		},
		{"of another project", func(t *testing.T, f string) {
			write(t, f, strings.Replace(read(t, f), `"project":"`, `"project":"/x`, 1))
		}, "belongs to another project; remove it"},
		{"without settings", func(t *testing.T, f string) {
			write(t, f, strings.Replace(read(t, f), `"settings"`, `"sittings"`, 1))
		}, "is damaged; remove it"},
		{
			"with a wrong guideline", func(t *testing.T, f string) {
				write(t, f, strings.Replace(read(t, f), `"custom"`, `"costum"`, 1))
			},
			"has an invalid guideline",
		},
		{"a link", func(t *testing.T, f string) { move(t, f, f+"2"); link(t, f+"2", f) }, "is a symbolic link"},
		{"writable by others", func(t *testing.T, f string) { chmod(t, f, 0o666) }, "can be written by others"},
		{"of another user", func(t *testing.T, f string) {
			if err := os.Chown(f, 4321, 4321); err != nil {
				need.Missing(t, "only root can give a file away: ", err)
			}
		}, "belongs to another user (uid 4321)"},
		{"a folder", func(t *testing.T, f string) { move(t, f, f+"2"); mkdir(t, f) }, "is not a regular file"},
		{"in a folder that is a link", func(t *testing.T, f string) {
			d := filepath.Dir(f)
			move(t, d, d+"2")
			link(t, d+"2", d)
		}, "is a symbolic link"},
		{
			"in a folder of others", func(t *testing.T, f string) { chmod(t, filepath.Dir(f), 0o777) },
			"can be written by others",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("a",
				"action: {type: instruction, instruction: Old.}")})
			p.hook("")
			file := onlyFile(t, filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", name))
			c.spoil(t, file)
			p.write(".claude/guardrails/a.yaml", "nonsense")
			a := p.hook("")
			if a.Source != fallback.SourceStatic || !strings.Contains(ids(a), "security-guard-tamper") {
				t.Errorf("%s from %s", ids(a), a.Source)
			}
			contains(t, strings.Join(a.Notices, "\n"), "guardrails: the last known good guidelines cannot be used: ", c.want)
		})
	}
}

func TestASnapshotIsWrittenOnlyAfterAChange(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("a", "action: {type: instruction}")})
	p.ask(service.Request{})
	dir := filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails", "snapshot")
	first := read(t, onlyFile(t, dir))
	p.hook("")
	p.now = p.now.Add(time.Hour)
	p.hook("another prompt")
	if got := read(t, onlyFile(t, dir)); got != first {
		t.Errorf("got\n%s\nwant\n%s", got, first)
	}
	p.write(".claude/guardrails/a.yaml", rule("a", "action: {type: instruction, instruction: New.}"))
	p.hook("")
	contains(t, read(t, onlyFile(t, dir)), "New.", `"time":"2026-02-05T11:00:00.000000Z"`)
	if info, err := os.Stat(onlyFile(t, dir)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// An agent can set variables for its own commands. The variables must not change the guidelines of its session.
func TestVariablesOfACommandDoNotChangeTheSnapshot(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: [core]\n"})
	want := ids(p.hook(""))
	p.vars["GUARDRAILS_PACKS"] = ","
	if got := ids(p.hook("")); got != "" {
		t.Fatalf("the variable has no effect: %s", got)
	}
	delete(p.vars, "GUARDRAILS_PACKS")
	p.write(".claude/guardrails.yaml", "packs: 3\n")
	if a := p.hook(""); a.Source != fallback.SourceSnapshot || ids(a) != want {
		t.Errorf("%s from %s", ids(a), a.Source)
	}
}

func TestAnUnusableStateFolderIsReported(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoil  func(t *testing.T, p *project)
		want   string
		answer bool
	}{
		{
			"no home", func(_ *testing.T, p *project) { delete(p.vars, "XDG_STATE_HOME") },
			"guardrails: HOME is not set, so guardrails keeps its files in", true,
		},
		{"no home and no runtime folder", func(_ *testing.T, p *project) {
			delete(p.vars, "XDG_STATE_HOME")
			p.vars["GUARDRAILS_CACHE_DIR"] = "relative"
		}, "is not an absolute path", true},
		{"a state folder that everyone can write to", func(t *testing.T, p *project) {
			dir := filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails")
			mkdir(t, dir)
			chmod(t, dir, 0o777)
		}, "can be written by others", true},
	} {
		for _, files := range []map[string]string{
			{".claude/guardrails/a.yaml": rule("a", "action: {type: instruction}")},
			brokenProject(""),
		} {
			p := newProject(t, files)
			c.spoil(t, p)
			a := p.hook("")
			contains(t, strings.Join(a.Notices, "\n"), c.want)
			if ids(a) == "" {
				t.Errorf("%s: no guideline applies", c.name)
			}
		}
	}
}
