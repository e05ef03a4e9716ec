package doctor

import (
	"os"
	"strings"
	"testing"

	"guardrails/setup"
)

// newNamed returns a computer with a project that a colleague has committed. In the project's settings, the programs
// have no path.
func newNamed(t *testing.T) *computer {
	t.Helper()
	p := newComputer(t)
	p.remove("project/.claude/settings.json")
	p.remove(mcpFile)
	p.client = "2.1.300"
	target := setup.ForProject(p.project)
	plan, err := setup.Prepare(setup.Options{Target: target, MCP: true, Read: target.ReadFile})
	if err == nil {
		err = plan.Apply(target)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", p.bin+":"+os.Getenv("PATH"))
	return p
}

func TestNamesWithoutAPathAreFine(t *testing.T) {
	p := newNamed(t)
	x := p.examine()
	for _, c := range x.Checks {
		if c.State != OK {
			t.Errorf("%s: %s: %s", c.Name, c.State, c.Detail)
		}
	}
	if c := findCheck(t, x.Checks, "hook PreToolUse"); c.Detail != p.bin+"/guardrails-enforce" {
		t.Errorf("the program is %s", c.Detail)
	}
	p.client = ""
	if got := missing(p.examine().Prove(t.Context())); got != "" {
		t.Errorf("canaries that did not fire: %s", got)
	}
}

func TestNamesThatTheClientDoesNotFindAreBroken(t *testing.T) {
	for _, c := range []struct {
		name, want, remedy string
		state              State
		breaks             func(p *computer)
	}{
		{
			"not on PATH", "guardrails-enforce is not on PATH, so the client stops every call", "add BIN to PATH and start Claude Code again", Broken,
			func(p *computer) { p.t.Setenv("PATH", "/usr/bin:/bin") },
		},
		{
			"not installed", "guardrails-enforce is not on PATH", "install guardrails again, add the folder of its programs to PATH", Broken,
			func(p *computer) { p.remove("bin/guardrails-enforce") },
		},
		{
			"the settings replace PATH", "guardrails-enforce is not on the PATH that PROJECT/.claude/settings.local.json sets", "remove PATH from env in PROJECT/.claude/settings.local.json", Broken,
			func(p *computer) {
				p.write("project/.claude/settings.local.json", `{"env": {"PATH": "/usr/bin"}}`)
			},
		},
		{
			"a program of the project", "PROJECT/node_modules/.bin/guardrails-enforce is in the project, where the agent works", "install the programs elsewhere", Warning,
			func(p *computer) {
				p.program("project/node_modules/.bin/guardrails-enforce")
				p.t.Setenv("PATH", p.path("project/node_modules/.bin")+":"+os.Getenv("PATH"))
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newNamed(t)
			c.breaks(p)
			got := findCheck(t, p.examine().Checks, "hook PreToolUse")
			short := strings.NewReplacer(p.project, "PROJECT", p.bin, "BIN")
			if got.State != c.state || !strings.Contains(short.Replace(got.Detail), c.want) || !strings.Contains(short.Replace(got.Remedy), c.remedy) {
				t.Errorf("%s: %s -> %s", got.State, got.Detail, got.Remedy)
			}
		})
	}
}

func TestOneRemedyForAllHooksIsSaidOnce(t *testing.T) {
	p := newNamed(t)
	t.Setenv("PATH", "/usr/bin:/bin")
	x := p.examine()
	for _, r := range Remedies(x.Checks) {
		if strings.HasPrefix(r.Text, "add ") && len(r.Checks) >= 8 {
			return
		}
	}
	t.Errorf("the remedies are %v", Remedies(x.Checks))
}

func TestSetupOfAnEarlierVersionHasNoHookForMissingPrograms(t *testing.T) {
	p := newComputer(t)
	p.edit("command -v ", "test ")
	if c := findCheck(t, p.examine().Checks, "hook for missing programs"); c.State != Warning || c.Remedy != "run guardrails init" {
		t.Errorf("%+v", c)
	}
}

func TestHooksOfOnePersonAreFine(t *testing.T) {
	for name, target := range map[string]func(p *computer) setup.Target{
		"--user":  settingsForUser,
		"--local": func(p *computer) setup.Target { return setup.ForPerson(p.project) },
	} {
		p := newComputer(t)
		p.client = "2.1.300"
		p.remove("project/.claude/settings.json")
		p.remove(mcpFile)
		p.setUp(target(p))
		for _, c := range p.examine().Checks {
			if c.State != OK {
				t.Errorf("%s: %s: %s: %s", name, c.Name, c.State, c.Detail)
			}
		}
		p.remove("bin/guardrails-enforce")
		if c := findCheck(t, p.examine().Checks, "hook PreToolUse"); !strings.HasSuffix(c.Remedy, "then run guardrails init "+name) {
			t.Errorf("%s: the remedy is %q", name, c.Remedy)
		}
	}
}
