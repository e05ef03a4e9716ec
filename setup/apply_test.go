package setup_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"guardrails/setup"
)

type project struct {
	t    *testing.T
	root string
}

func newProject(t *testing.T, files map[string]string) *project {
	p := &project{t, filepath.Join(t.TempDir(), "project")}
	if err := os.Mkdir(p.root, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		p.write(name, text)
	}
	return p
}

func (p *project) path(name string) string { return filepath.Join(p.root, filepath.FromSlash(name)) }

func (p *project) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) options() setup.Options {
	target := setup.ForProject(p.root)
	return setup.Options{
		Target: target, Bin: "/usr/local/bin", Read: target.ReadFile,
		Record: setup.RecordPath(filepath.Join(filepath.Dir(p.root), "state"), target),
	}
}

func (p *project) plan(uninstall bool) *setup.Plan {
	p.t.Helper()
	o := p.options()
	o.Uninstall = uninstall
	plan, err := setup.Prepare(o)
	if err != nil {
		p.t.Fatal(err)
	}
	return plan
}

// everything() returns the folders and files of the project with their contents.
func (p *project) everything() map[string]string {
	p.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(p.root), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			all[path] = "folder"
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

func TestPlanIsAppliedAndUndoneOnDisk(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a new project":      {"main.go": "x"},
		"an empty folder":    {".claude/agents/a.md": "x"},
		"settings of a user": {".claude/settings.json": "{ \"model\": \"x\" }", ".claude/guardrails.yaml": "# mine"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, files)
			before := p.everything()
			if err := p.plan(false).Apply(setup.ForProject(p.root)); err != nil {
				t.Fatal(err)
			}
			if plan := p.plan(false); len(plan.Changes) > 0 {
				t.Errorf("a second run changes %v", plan.Changes)
			}
			if err := p.plan(true).Apply(setup.ForProject(p.root)); err != nil {
				t.Fatal(err)
			}
			after := p.everything()
			for path := range after {
				if strings.Contains(path, "/state") {
					delete(after, path) // uninstalling leaves the empty state folder
				}
			}
			if !reflect.DeepEqual(after, before) {
				t.Errorf("got  %v\nwant %v", after, before)
			}
		})
	}
}

func TestStateFolderContainsOnlyTheRecord(t *testing.T) {
	p := newProject(t, nil)
	if err := p.plan(false).Apply(setup.ForProject(p.root)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{p.options().Record: 0o600, filepath.Dir(p.options().Record): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := p.plan(true).Apply(setup.ForProject(p.root)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.options().Record); !os.IsNotExist(err) {
		t.Errorf("the record was not removed: %v", err)
	}
}

func TestFileModeIsKept(t *testing.T) {
	p := newProject(t, map[string]string{".claude/settings.json": "{}"})
	name := p.path(".claude/settings.json")
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := p.plan(false).Apply(setup.ForProject(p.root)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{name: 0o640, p.path(".claude/guardrails.yaml"): 0o644} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestFileThatChangedAfterThePlanIsNotOverwritten(t *testing.T) {
	for name, change := range map[string]func(p *project){
		"changed": func(p *project) { p.write(".claude/settings.json", `{"b": 2}`) },
		"removed": func(p *project) { _ = os.Remove(p.path(".claude/settings.json")) },
		"created": func(p *project) { p.write(".claude/guardrails.yaml", "# mine\n") },
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, map[string]string{".claude/settings.json": `{"a": 1}`})
			plan := p.plan(false)
			change(p)
			before := p.everything()
			err := plan.Apply(setup.ForProject(p.root))
			if err == nil || !strings.HasSuffix(err.Error(), ": another program has just changed it; run the command again") {
				t.Errorf("got %v", err)
			}
			if after := p.everything(); !reflect.DeepEqual(after, before) {
				t.Errorf("got  %v\nwant %v", after, before)
			}
		})
	}
}

// The last change of the plan fails, because its folder "state" cannot be created: a file has this path.
func TestNothingIsChangedWhenOneChangeFails(t *testing.T) {
	p := newProject(t, map[string]string{".claude/settings.json": `{"a": 1}`})
	o := p.options()
	o.Record = p.path("state/init/record.json")
	plan, err := setup.Prepare(o)
	if err != nil {
		t.Fatal(err)
	}
	p.write("state", "x")
	before := p.everything()
	if err := plan.Apply(o.Target); err == nil || !strings.Contains(err.Error(), p.path("state")) {
		t.Errorf("got %v", err)
	}
	if after := p.everything(); !reflect.DeepEqual(after, before) {
		t.Errorf("got  %v\nwant %v", after, before)
	}
}
