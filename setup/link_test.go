package setup_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"guardrails/internal/fortests/need"
	"guardrails/setup"
)

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, at); err != nil {
		need.Missing(t, err) // the system allows links only to some users
	}
}

func TestLinkOutOfTheProjectIsRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(p *project, outside string)
		want string
	}{
		{
			"the settings are a link",
			func(p *project, outside string) {
				link(p.t, filepath.Join(outside, "settings.json"), p.path(".claude/settings.json"))
			},
			".claude/settings.json: is a link to OUTSIDE/settings.json, and guardrails changes no file through a link; put a file in its place, or change OUTSIDE/settings.json by hand",
		},
		{
			"the settings are a link to nothing",
			func(p *project, _ string) { link(p.t, "none", p.path(".claude/settings.json")) },
			".claude/settings.json: is a link to none, and guardrails changes no file through a link; put a file in its place, or change none by hand",
		},
		{
			"the folder is a link",
			func(p *project, outside string) { link(p.t, outside, p.path(".claude")) },
			".claude: is a link to OUTSIDE, outside the project; put a folder in its place",
		},
		{
			"the folder is a link to nothing",
			func(p *project, _ string) { link(p.t, "none", p.path(".claude")) },
			".claude: is a link that leads nowhere; remove it",
		},
		{
			"the config is a link",
			func(p *project, outside string) {
				link(p.t, filepath.Join(outside, "c"), p.path(".claude/guardrails.yaml"))
			},
			".claude/guardrails.yaml: is a link to OUTSIDE/c, and guardrails changes no file through a link; put a file in its place, or change OUTSIDE/c by hand",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, nil)
			outside := filepath.Join(filepath.Dir(p.root), "outside")
			p.write("../outside/settings.json", "{}")
			c.make(p, outside)
			_, err := setup.Prepare(p.options())
			if err == nil {
				t.Fatal("Prepare accepted the link")
			}
			got := strings.ReplaceAll(strings.ReplaceAll(err.Error(), p.root+"/", ""), outside, "OUTSIDE")
			if !strings.Contains(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLinkWithinTheProjectIsFollowed(t *testing.T) {
	p := newProject(t, map[string]string{"config/settings.json": "{}"})
	link(t, "config", p.path(".claude"))
	if err := p.plan(false).Apply(setup.ForProject(p.root)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.path("config/settings.json"))
	if err != nil || !strings.Contains(string(text), "guardrails-enforce") {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestLinkCreatedAfterThePlanIsDetected(t *testing.T) {
	p := newProject(t, nil)
	p.write("../outside/settings.json", "{}")
	plan := p.plan(false)
	link(t, filepath.Join(p.root, "../outside/settings.json"), p.path(".claude/settings.json"))
	before := p.everything()
	if err := plan.Apply(setup.ForProject(p.root)); err == nil || !strings.Contains(err.Error(), "is a link to ") {
		t.Errorf("got %v", err)
	}
	if after := p.everything(); !reflect.DeepEqual(after, before) {
		t.Errorf("got  %v\nwant %v", after, before)
	}
}

func TestOnlyRegularFilesAreRead(t *testing.T) {
	p := newProject(t, map[string]string{".claude/settings.json/x": ""})
	_, err := setup.Prepare(p.options())
	if err == nil || !strings.Contains(err.Error(), ".claude/settings.json: is not a regular file; move it away") {
		t.Errorf("got %v", err)
	}
	q := newProject(t, map[string]string{".claude": ""})
	if _, err := setup.Prepare(q.options()); err == nil || !strings.Contains(err.Error(), "settings.json: cannot be read: not a directory; check its permissions") {
		t.Errorf("got %v", err)
	}
}
