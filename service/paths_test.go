package service_test

import (
	"os"
	"path/filepath"
	"testing"

	"guardrails/guideline"
	"guardrails/service"
)

func TestPathsAreRelativeToTheProject(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	root, link := filepath.Join(base, "proj"), filepath.Join(base, "link")
	check(t, os.Mkdir(root, 0o755))
	check(t, os.Symlink(root, link))
	for _, c := range []struct{ root, given, want string }{
		{root, root + "/contracts/current/a.json", "contracts/current/a.json"},
		{root, `contracts\current\a.json`, "contracts/current/a.json"},
		{root, "./src//a.go", "src/a.go"},
		{root, root + "/src/../a.go", "a.go"},
		{root, "contracts/", "contracts/"},
		{root, root, "."},
		{root, root + "2/a.go", root + "2/a.go"},
		{root, "/etc/hosts", "/etc/hosts"},
		{root, "../a.go", "../a.go"},
		{root, "~/.ssh/id_rsa", "~/.ssh/id_rsa"},
		{root, "", ""},
		{link, root + "/a.go", "a.go"},
		{link, link + "/a.go", "a.go"},
		{`C:\proj`, `C:\proj\src\a.go`, "src/a.go"},
		{"/", "/etc/hosts", "etc/hosts"},
	} {
		if got := service.RelativePaths(c.root, []string{c.given}); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s in %s: got %q, want %q", c.given, c.root, got, c.want)
		}
	}
}

func TestAnAbsolutePathMatchesARelativePattern(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("contracts",
		"condition: {paths: [contracts/current/*]}\naction: {type: hitl_gate, gate_type: contract}")})
	for _, path := range []string{
		p.path("contracts/current/a.json"), `contracts\current\a.json`,
		"./contracts/current/a.json",
	} {
		r := service.Request{Context: guideline.Context{Paths: []string{path}}}
		if a := p.ask(r); len(a.GatesRequired) != 1 || a.Context.Paths[0] != "contracts/current/a.json" {
			t.Errorf("get_context with %s: %+v", path, a.GatesRequired)
		}
		e, err := p.service().Explain(t.Context(), r)
		check(t, err)
		if len(e.Guidelines) != 1 || e.Guidelines[0].Outcome != "matched" {
			t.Errorf("explain with %s: %+v", path, e.Guidelines)
		}
	}
}
