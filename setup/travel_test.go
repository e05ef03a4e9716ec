package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/setup"
)

// withNames selects entries with only the names of the programs, without a path. Such entries work on every computer.
func withNames(o *setup.Options) { o.Bin, o.MCP = "", true }

func TestCommittedFilesNameNoFolderOfOneComputer(t *testing.T) {
	for name, change := range map[string]func(*setup.Options){
		"programs": withNames,
		"strict":   func(o *setup.Options) { withNames(o); o.Strict = true },
		"direct":   func(o *setup.Options) { withNames(o); o.Direct = true },
		"windows":  func(o *setup.Options) { withNames(o); o.Windows = true },
	} {
		d := disk{}.setUp(t, change)
		for _, file := range []string{settingsFile, serverFile, configFile} {
			for _, path := range []string{"/usr", "/opt", "/home/u", `\\`, ".exe"} {
				if strings.Contains(d[file], path) {
					t.Errorf("%s: %s contains %s:\n%s", name, file, path, d[file])
				}
			}
		}
	}
}

// A colleague has other folders, another operating system, and no record.
func TestAColleaguesInitChangesNothing(t *testing.T) {
	for name, c := range map[string]struct{ first, second func(*setup.Options) }{
		"the same choices": {withNames, withNames},
		"strict":           {func(o *setup.Options) { withNames(o); o.Strict = true }, withNames},
		"more packs":       {func(o *setup.Options) { withNames(o); o.Packs = []string{"core", "roles"} }, withNames},
		"no pack":          {func(o *setup.Options) { withNames(o); o.NoCore = true }, withNames},
		"another system":   {withNames, func(o *setup.Options) { withNames(o); o.Windows = true }},
		"no server":        {withNames, func(o *setup.Options) { withNames(o); o.MCP = false }},
	} {
		committed := disk{}.setUp(t, c.first)
		delete(committed, recordFile)
		o := committed.project()
		c.second(&o)
		plan, err := setup.Prepare(o)
		if err != nil || len(plan.Changes) > 0 {
			t.Errorf("%s: %v, %+v", name, err, plan)
		}
	}
}

func TestPathsOfAnEarlierVersionBecomeNames(t *testing.T) {
	old := disk{}.setUp(t, func(o *setup.Options) { o.MCP = true })
	if got, want := old.setUp(t, withNames), (disk{}).setUp(t, withNames); got[settingsFile] != want[settingsFile] || got[serverFile] != want[serverFile] {
		t.Errorf("got\n%s\n%s", got[settingsFile], got[serverFile])
	}
	if left := old.setUp(t, withNames).uninstalled(t); len(left) != 0 {
		t.Errorf("uninstalling leaves %v", left)
	}
}

// If the client cannot start a program, it shows the program's arguments. If a hook blocks a prompt, the client shows
// the reason.
func TestEntriesSayWhatToDoWhenTheProgramsAreMissing(t *testing.T) {
	for _, e := range setup.Wanted(setup.Options{}) {
		text := e.Command + " " + strings.Join(e.Args, " ")
		advises := strings.Contains(text, "make install in a clone of")
		if want := e.Event == "PreToolUse" || e.Program() == setup.Presence; advises != want {
			t.Errorf("%s: %q", e.Event, text)
		}
	}
}

// docs/setup.md shows what a person reads if the programs are missing.
func TestDocumentShowsWhatAPersonReadsWithoutThePrograms(t *testing.T) {
	text, err := os.ReadFile("../docs/setup.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Join(strings.Fields(strings.ReplaceAll(string(text), "\n> ", " ")), " ")
	for _, e := range setup.Wanted(setup.Options{}) {
		_, reason, blocks := strings.Cut(e.Command, `"reason":"`)
		reason, _, _ = strings.Cut(reason, `"`)
		if blocks && !strings.Contains(shown, reason) {
			t.Errorf("the page does not show %q", reason)
		}
	}
}

func TestOnFailureIsWrittenForEveryClient(t *testing.T) {
	got := disk{}.setUp(t, nil)[settingsFile]
	if strings.Count(got, `"onFailure": "block"`) != 1 {
		t.Errorf("got %s", got)
	}
	without := strings.Replace(got, ",\n            \"onFailure\": \"block\"", "", 1)
	if again := (disk{settingsFile: without}).setUp(t, nil)[settingsFile]; without == got || again != got {
		t.Errorf("got %s", again)
	}
}

func TestEntryThatLooksForTheProgramsIsRecognized(t *testing.T) {
	for command, ours := range map[string]bool{
		"command -v guardrails-enforce >/dev/null || echo x":                 true,
		"command -v /opt/x/guardrails-enforce >/dev/null || echo x":          true,
		"command -v '/my bin/guardrails-enforce' >/dev/null || echo another": true,
		"command -v guardrails && guardrails list":                           false,
		"command -v prettier >/dev/null":                                     false,
		"guardrails list":                                                    false,
	} {
		e := setup.Entry{Event: "UserPromptSubmit", Type: "command", Command: command}
		if e.Ours() != ours {
			t.Errorf("%s: ours is %v", command, e.Ours())
		}
	}
}

func TestPathsWithSpacesAreQuotedForTheShell(t *testing.T) {
	for _, bin := range []string{"/my bin", "/it's", "/a$b"} {
		o := disk{}.project()
		o.Bin = bin
		for _, e := range setup.Wanted(o) {
			if e.Program() == setup.Presence && !strings.HasPrefix(e.Command, "command -v '/") {
				t.Errorf("%s: %s", bin, e.Command)
			}
		}
	}
}

// The settings of one person are not committed. So init --local changes only them, and no file that git tracks.
func TestLocalInitWritesOnlyTheLocalSettings(t *testing.T) {
	local := func(o *setup.Options) { o.Target = setup.ForPerson("/p") }
	d := disk{}.setUp(t, local)
	if len(d) != 2 || !strings.Contains(d["/p/.claude/settings.local.json"], `"/usr/local/bin/guardrails-enforce"`) {
		t.Errorf("got %v", d)
	}
	o := d.project()
	local(&o)
	o.Uninstall = true
	if left, _ := d.filesAfter(t, o); len(left) != 0 {
		t.Errorf("uninstalling leaves %v", left)
	}
}

func TestUsersSettingsNameTheCorePack(t *testing.T) {
	user := func(o *setup.Options) { o.Target = setup.ForUser("/home/u/.claude", "/home/u/.config/guardrails") }
	d := disk{}.setUp(t, user)
	if got := d["/home/u/.config/guardrails/guardrails.yaml"]; !strings.Contains(got, "\npacks: [core]\n") || strings.Contains(got, "this project.") {
		t.Errorf("got %s", got)
	}
	o := d.project()
	user(&o)
	o.Uninstall = true
	if left, _ := d.filesAfter(t, o); len(left) != 0 {
		t.Errorf("uninstalling leaves %v", left)
	}
}

func TestFoldersThatInitCreatedAreRemoved(t *testing.T) {
	home := t.TempDir()
	target := setup.ForUser(home+"/.claude", home+"/.config/guardrails")
	o := setup.Options{Target: target, Bin: "/usr/local/bin", Record: setup.RecordPath(home+"/state", target), Read: target.ReadFile}
	for _, o.Uninstall = range []bool{false, true} {
		plan, err := setup.Prepare(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Apply(target); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".claude", ".config"} {
		if _, err := os.Lstat(filepath.Join(home, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestProgramIsLookedUpAsTheClientDoes(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"first", "second", "project/bin"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for file, mode := range map[string]os.FileMode{
		"first/plain": 0o644, "second/plain": 0o755, "first/program": 0o755, "second/program": 0o755, "project/bin/program": 0o755,
	} {
		if err := os.WriteFile(filepath.Join(root, file), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	path := root + "/first:" + root + "/second"
	for _, c := range []struct{ name, path, want string }{
		{"program", path, "first/program"},
		{"plain", path, "second/plain"},
		{"missing", path, ""},
		{"program", "", ""},
		{"program", "bin:" + path, "project/bin/program"},
	} {
		got := setup.Lookup(c.name, c.path, root+"/project", false)
		if c.want != "" {
			c.want = filepath.Join(root, c.want)
		}
		if got != c.want {
			t.Errorf("%s in %s: got %q, want %q", c.name, c.path, got, c.want)
		}
	}
}
