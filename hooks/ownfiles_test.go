package hooks_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/ownfiles"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/changemark"
	"guardrails/internal/product"
)

// ownStage is a stage with the guard's own files: programs, and settings of the user and the project.
type ownStage struct {
	*stage
	base  string
	calls int
}

const (
	userConfig     = "home/.config/guardrails/guardrails.yaml"
	userGuideline  = "home/.config/guardrails/guidelines/a.yaml"
	userSettings   = "home/.claude/settings.json"
	enforceProgram = "bin/guardrails-enforce"
	projectConfig  = "project/.claude/guardrails.yaml"
	projectLocal   = "project/.claude/settings.local.json"
)

const settingsText = `{"model": "x", "hooks": {"PreToolUse": [{"matcher": "*"}]}}`

func ownFiles() map[string]string {
	files := map[string]string{
		userConfig: "packs: [core]\n", userGuideline: "guidelines: []\n", userSettings: settingsText,
		projectConfig: "packs: [core]\n", "project/.claude/guardrails/p.yaml": "guidelines: []\n",
		"project/.claude/settings.json": settingsText, "project/.mcp.json": "{}\n",
	}
	for _, name := range product.Programs() {
		files["bin/"+name] = "program " + name
	}
	return files
}

func newOwnStage(t *testing.T) *ownStage {
	t.Helper()
	return newOwnStageWith(t, paths)
}

func newOwnStageWith(t *testing.T, guidelines string) *ownStage {
	t.Helper()
	s := &ownStage{stage: newStage(t, guidelines)}
	s.base = filepath.Dir(s.project)
	for name, text := range ownFiles() {
		s.file(name, text)
	}
	s.host.Now, s.host.Program = time.Now, s.at(enforceProgram)
	s.host.Own = func(e *wire.Event, program string) ([]byte, error) {
		if !slices.Contains([]string{product.Stop, product.Inject}, filepath.Base(program)) {
			t.Errorf("%s compares the files", program)
		}
		other := *e
		o := hooks.AnswerOwn(s.host, &other)
		return o.Answer(e.Name).Stdout, nil
	}
	s.begin()
	return s
}

func (s *ownStage) begin() {
	s.t.Helper()
	s.wantTold(s.start("startup"), "")
	s.wantTold(s.prompt("begin"), "")
}

func (s *ownStage) at(name string) string { return filepath.Join(s.base, filepath.FromSlash(name)) }

func (s *ownStage) file(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.at(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.at(name), []byte(text), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

// hidden() returns a call of a program that the analysis cannot look into.
func (s *ownStage) hidden() map[string]any {
	s.calls++
	return with(s.bash("./tool"), "tool_use_id", "hidden-"+string(rune('a'+s.calls)))
}

// callDuring runs a call that makes a change, and returns the answer after the call.
func (s *ownStage) callDuring(change func()) wire.Outcome {
	s.t.Helper()
	call := s.hidden()
	s.want(s.pre(call), "pass")
	change()
	call["duration_ms"] = 5
	return s.post(call)
}

// answered() runs a call about which a person is asked. The person says yes.
func (s *ownStage) answered() {
	s.t.Helper()
	call := s.hidden()
	s.want(s.pre(call), "ask")
	s.post(call)
}

func (s *ownStage) text(name string) string {
	text, err := os.ReadFile(s.at(name))
	if err != nil {
		return "missing"
	}
	return string(text)
}

// wantUnchanged checks that all files are as they were when the session began.
func (s *ownStage) wantUnchanged() {
	s.t.Helper()
	for name, text := range ownFiles() {
		info, err := os.Lstat(s.at(name))
		if s.text(name) != text || err != nil || info.Mode() != 0o755 {
			s.t.Errorf("%s: %q, %v, %v", name, s.text(name), info, err)
		}
	}
}

// aside() returns the changed versions of files that guardrails keeps in the state folder.
func (s *ownStage) aside() map[string]string {
	out := map[string]string{}
	names, _ := filepath.Glob(filepath.Join(s.host.State, ownfiles.AsideFolder, "*"))
	for _, name := range names {
		text, _ := os.ReadFile(name)
		base := filepath.Base(name)
		out[base[:strings.LastIndexByte(base, '-')]] = string(text)
		if info, err := os.Stat(name); err != nil || info.Mode() != 0o600 {
			s.t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	return out
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// hiddenChanges returns changes that no analysis can see. All of them change files that guardrails puts back. The field
// named aside is the changed version that guardrails keeps, or "".
func hiddenChanges(s *ownStage) map[string]struct {
	file, aside string
	change      func() error
} {
	type c = struct {
		file, aside string
		change      func() error
	}
	write := func(name, text string) func() error {
		return func() error { return os.WriteFile(s.at(name), []byte(text), 0o755) }
	}
	return map[string]c{
		"a program is replaced": {enforceProgram, "evil", func() error {
			must(s.t, os.Remove(s.at(enforceProgram)))
			return write(enforceProgram, "evil")()
		}},
		"a program is written":             {"bin/guardrails", "evil", write("bin/guardrails", "evil")},
		"a program is truncated":           {enforceProgram, "", func() error { return os.Truncate(s.at(enforceProgram), 0) }},
		"a program is deleted":             {enforceProgram, "", func() error { return os.Remove(s.at(enforceProgram)) }},
		"a program may not run":            {enforceProgram, "", func() error { return os.Chmod(s.at(enforceProgram), 0o644) }},
		"the user's settings change":       {userConfig, "packs: []\n", write(userConfig, "packs: []\n")},
		"the user's guideline is deleted":  {userGuideline, "", func() error { return os.Remove(s.at(userGuideline)) }},
		"a folder of guidelines goes away": {userGuideline, "", func() error { return os.RemoveAll(filepath.Dir(s.at(userGuideline))) }},
		"a hook is removed":                {userSettings, `{}`, write(userSettings, `{}`)},
		"all hooks are off":                {userSettings, `{"disableAllHooks": true}`, write(userSettings, `{"disableAllHooks": true}`)},
		"the time is set back": {userConfig, "packs: []  \n", func() error {
			info, err := os.Stat(s.at(userConfig))
			must(s.t, err, write(userConfig, "packs: []  \n")())
			return os.Chtimes(s.at(userConfig), info.ModTime(), info.ModTime())
		}},
		"a link replaces a file": {userConfig, s.at("project/x.yaml"), func() error {
			must(s.t, os.Remove(s.at(userConfig)), write("project/x.yaml", "packs: []\n")())
			return os.Symlink(s.at("project/x.yaml"), s.at(userConfig))
		}},
	}
}

func TestAKeptFileThatACallChangesInAHiddenWayIsPutBack(t *testing.T) {
	for name := range hiddenChanges(&ownStage{stage: &stage{t: t}}) {
		t.Run(name, func(t *testing.T) {
			s := newOwnStage(t)
			c := hiddenChanges(s)[name]
			o := s.callDuring(func() { must(t, c.change()) })
			s.want(o, "pass", "guardrails put back "+s.at(c.file))
			s.wantUnchanged()
			if kept := s.aside()[filepath.Base(c.file)]; kept != c.aside {
				t.Errorf("the kept version is %q, want %q", kept, c.aside)
			}
			if got := s.records("own_files"); len(got) != 1 || got[0]["outcome"] != "put_back" {
				t.Errorf("recorded %v", got)
			}
			s.want(s.pre(s.hidden()), "pass")
			s.wantTold(s.callDuring(func() {}), "")
		})
	}
}

func TestANewFileInAKeptFolderIsTakenAway(t *testing.T) {
	s := newOwnStage(t)
	o := s.callDuring(func() { s.file("home/.config/guardrails/guidelines/off.yaml", "x") })
	s.want(o, "pass", "guardrails put back")
	if s.text("home/.config/guardrails/guidelines/off.yaml") != "missing" || s.aside()["off.yaml"] != "x" {
		t.Errorf("kept %v", s.aside())
	}
	s.wantUnchanged()
}

func TestAFolderThatALinkReplacesIsPutBack(t *testing.T) {
	s := newOwnStage(t)
	folder := filepath.Dir(s.at(userGuideline))
	o := s.callDuring(func() {
		s.file("project/other/a.yaml", "guidelines: [] # loose\n")
		must(t, os.RemoveAll(folder), os.Symlink(s.at("project/other"), folder))
	})
	s.want(o, "pass", "guardrails put back "+folder)
	s.wantUnchanged()
	if s.text("project/other/a.yaml") != "guidelines: [] # loose\n" {
		t.Error("the file behind the link was changed")
	}
}

func TestAFolderInThePlaceOfAFileIsRenamed(t *testing.T) {
	s := newOwnStage(t)
	o := s.callDuring(func() { must(t, os.Remove(s.at(userConfig)), os.MkdirAll(s.at(userConfig)+"/x", 0o755)) })
	s.want(o, "pass", "guardrails put back", ".changed-")
	s.wantUnchanged()
}

func TestHarmlessChangesOfOwnFilesCauseNoMessage(t *testing.T) {
	for name, change := range map[string]func(s *ownStage){
		"nothing":                 func(*ownStage) {},
		"the same content":        func(s *ownStage) { s.file(userConfig, ownFiles()[userConfig]) },
		"a new time":              func(s *ownStage) { must(t, os.Chtimes(s.at(userConfig), s.now, s.now)) },
		"a backup of an editor":   func(s *ownStage) { s.file("home/.config/guardrails/guidelines/a.yaml~", "x") },
		"another file of Claude":  func(s *ownStage) { s.file("project/.claude/notes.md", "x") },
		"the client's permission": func(s *ownStage) { s.file(projectLocal, `{"permissions": {"allow": ["Bash(ls)"]}}`) },
		"the client's model": func(s *ownStage) {
			s.file(userSettings, "{\n  \"model\": \"y\",\n  \"hooks\": {\n    \"PreToolUse\": [ { \"matcher\": \"*\" } ]\n  }\n}\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newOwnStage(t)
			s.wantTold(s.callDuring(func() { change(s) }), "")
			s.want(s.pre(s.hidden()), "pass")
			if got := s.records("own_files"); len(got) > 0 {
				t.Errorf("recorded %v", got)
			}
		})
	}
}

func TestAfterAHarmlessWriteOfTheClientTheLatestSettingsArePutBack(t *testing.T) {
	s := newOwnStage(t)
	latest := strings.Replace(settingsText, `"x"`, `"y"`, 1)
	s.callDuring(func() { s.file(userSettings, latest) })
	s.callDuring(func() { s.file(userSettings, `{}`) })
	if got := s.text(userSettings); got != latest {
		t.Errorf("put back %s", got)
	}
}

func TestAChangedFileOfTheProjectWaitsForAPersonOnce(t *testing.T) {
	for name, change := range map[string]func(s *ownStage){
		"settings of guardrails": func(s *ownStage) { s.file(projectConfig, "packs: []\n") },
		"a deleted guideline":    func(s *ownStage) { must(t, os.Remove(s.at("project/.claude/guardrails/p.yaml"))) },
		"a new guideline":        func(s *ownStage) { s.file("project/.claude/guardrails/q.yaml", "x") },
		"hooks of the client":    func(s *ownStage) { s.file("project/.claude/settings.json", `{}`) },
		"all hooks are off":      func(s *ownStage) { s.file(projectLocal, `{"disableAllHooks": true}`) },
		"a variable":             func(s *ownStage) { s.file(projectLocal, `{"env": {"GUARDRAILS_STORE": "sqlite:/x"}}`) },
		"a server":               func(s *ownStage) { s.file("project/.mcp.json", `{"mcpServers": {}}`) },
		"everything at once": func(s *ownStage) {
			s.file(projectConfig, "packs: []\n")
			must(t, os.RemoveAll(s.at("project/.claude/guardrails")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newOwnStage(t)
			s.want(s.callDuring(func() { change(s) }), "pass", "which belongs to guardrails, has changed")
			s.want(s.pre(call("Read", "file_path", s.project+"/a.go")), "pass")
			s.want(s.pre(s.bash("echo hi")), "pass")
			s.want(s.pre(s.hidden()), "ask", s.project, "belongs to guardrails")
			s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
			s.answered()
			s.want(s.pre(s.hidden()), "pass")
			s.wantTold(s.callDuring(func() {}), "")
		})
	}
}

func TestAWaitingCallIsJudgedByTheGuidelinesBeforeAndAfterAChange(t *testing.T) {
	s := newOwnStage(t)
	s.callDuring(func() { s.file("project/.claude/guardrails/q.yaml", "x") })
	s.body.Layers[0].Guidelines = nil
	s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	s.body.Layers[0].Guidelines = parsed(t, strings.Replace(paths, "src/ui", "src/api", 1))
	s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	s.want(s.pre(s.write("src/api/a.ts")), "deny", "no-ui")
	s.want(s.pre(s.write("src/a.ts")), "ask")
	s.answered()
	s.want(s.pre(s.write("src/ui/a.ts")), "pass")
	s.want(s.pre(s.write("src/api/a.ts")), "deny", "no-ui")
}

func TestNoChangedProgramIsAskedForGuidelines(t *testing.T) {
	s := newOwnStage(t)
	s.callDuring(func() {})
	s.file("bin/guardrails", "evil")
	must(t, s.host.Dir.Touch(changemark.Name))
	before := len(s.asked)
	s.want(s.pre(s.write("src/ui/a.ts")), "deny", "no-ui")
	s.want(s.pre(s.hidden()), "ask")
	s.want(s.pre(s.bash("echo hi")), "pass")
	if len(s.asked) != before {
		t.Errorf("asked %v", s.asked[before:])
	}
}

// own() commits a change of the project's settings, as an agent could do.
func own(git func(args ...string)) {
	git("checkout", "-q", "HEAD~1", "--", ".claude/guardrails.yaml")
	git("commit", "-q", "-m", "own")
}

func TestWithoutAPersonAChangeThatGitFetchedIsAccepted(t *testing.T) {
	for name, c := range map[string]struct {
		during func(git func(args ...string))
		want   string
	}{
		"a pull":       {func(git func(...string)) { git("pull", "-q", "--ff-only") }, "pass"},
		"another base": {func(git func(...string)) { git("fetch", "-q"); git("rebase", "-q", "origin/main") }, "pass"},
		"a merge": {func(git func(...string)) {
			git("commit", "-q", "--allow-empty", "-m", "own")
			git("fetch", "-q")
			git("merge", "-q", "--no-edit", "origin/main")
		}, "pass"},
		"an older commit": {func(git func(...string)) { git("checkout", "-q", "HEAD~1") }, "pass"},
		"a commit of the agent": {func(git func(...string)) {
			git("rm", "-q", ".claude/guardrails.yaml")
			git("commit", "-q", "-m", "own")
			git("checkout", "-q", "HEAD~2", "--", ".claude/guardrails.yaml")
			git("commit", "-q", "-m", "own")
		}, "ask"},
		"a commit that the agent makes a branch of the remote": {func(git func(...string)) {
			own(git)
			git("fetch", "-q", ".", "HEAD:refs/remotes/x/y")
		}, "ask"},
		"a commit that the agent fetches into the upstream branch": {func(git func(...string)) {
			own(git)
			git("fetch", "-q", ".", "+HEAD:refs/remotes/origin/main")
		}, "ask"},
		"a commit that the agent sets the upstream branch to": {func(git func(...string)) {
			own(git)
			git("update-ref", "refs/remotes/origin/main", "HEAD")
		}, "ask"},
		"a commit that the agent pushes": {func(git func(...string)) {
			own(git)
			git("push", "-q", "--force", "origin", "HEAD:main")
		}, "ask"},
		"a push of the agent and a pull": {func(git func(...string)) {
			own(git)
			git("push", "-q", "--force", "origin", "HEAD:main")
			git("fetch", "-q")
			git("pull", "-q", "--ff-only")
		}, "ask"},
		"another branch of the remote": {func(git func(...string)) {
			git("fetch", "-q")
			git("checkout", "-q", "-b", "topic", "origin/topic")
		}, "ask"},
		"another branch as the upstream branch": {func(git func(...string)) {
			git("fetch", "-q")
			git("branch", "-q", "-u", "origin/topic")
			git("reset", "-q", "--hard", "origin/topic")
		}, "ask"},
		"a pull and a change": {func(git func(...string)) { git("pull", "-q", "--ff-only"); git("show", "HEAD:x") }, "ask"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newOwnStage(t)
			s.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
			s.host.Committed = host.New(s.host.Env, "").Committed
			git := s.cloned()
			hooks.Inject(s.host, s.event(wire.SessionStart, map[string]any{"session_id": "s2"}))
			call := with(s.hidden(), "session_id", "s2")
			s.want(s.pre(call), "pass")
			c.during(git)
			if strings.Contains(name, "change") {
				s.file(projectConfig, "packs: [core] # changed\n")
			}
			s.post(call)
			s.want(s.pre(with(s.hidden(), "session_id", "s2")), c.want)
		})
	}
}

// cloned() makes the project a clone of a repository with three commits, and returns a function that runs git in the
// project. The project has the second commit.
func (s *ownStage) cloned() func(args ...string) {
	git := func(args ...string) {
		s.t.Helper()
		c := exec.Command("git", args...)
		c.Dir = s.project
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a",
			"GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		if text, err := c.CombinedOutput(); err != nil {
			s.t.Fatalf("git %v: %v: %s", args, err, text)
		}
	}
	git("init", "-q", "-b", "main")
	for i, text := range []string{"packs: []\n", "packs: [core]\n", "packs: [roles]\n"} {
		s.file(projectConfig, text)
		s.file("project/x", strconv.Itoa(i))
		git("add", "-A")
		git("commit", "-q", "-m", "commit")
	}
	git("init", "-q", "--bare", s.at("origin"))
	git("remote", "add", "origin", s.at("origin"))
	git("push", "-q", "origin", "HEAD~1:refs/heads/main")
	git("fetch", "-q")
	git("push", "-q", s.at("origin"), "HEAD:refs/heads/main")
	s.file(projectConfig, "packs: [] # topic\n")
	git("commit", "-q", "-a", "-m", "topic")
	git("push", "-q", s.at("origin"), "HEAD:refs/heads/topic")
	git("reset", "-q", "--hard", "HEAD~1")
	git("reset", "-q", "--hard", "HEAD~1")
	git("branch", "-q", "-u", "origin/main")
	return git
}

func TestAProgramInTheProjectIsNotPutBack(t *testing.T) {
	s := newOwnStage(t)
	for _, name := range product.Programs() {
		s.file("project/bin/"+name, "built")
	}
	s.host.Program = s.at("project/bin/guardrails-enforce")
	hooks.Inject(s.host, s.event(wire.SessionStart, map[string]any{"session_id": "s2"}))
	call := with(s.hidden(), "session_id", "s2")
	s.want(s.pre(call), "pass")
	s.file("project/bin/guardrails", "built again")
	s.want(s.post(call), "pass", "which belongs to guardrails, has changed")
	if s.text("project/bin/guardrails") != "built again" {
		t.Error("the changed program was put back")
	}
}

func TestARevertedChangeNeedsNoAnswer(t *testing.T) {
	s := newOwnStage(t)
	s.callDuring(func() { s.file(projectConfig, "packs: []\n") })
	s.want(s.pre(s.hidden()), "ask")
	s.file(projectConfig, ownFiles()[projectConfig])
	s.want(s.pre(s.hidden()), "pass")
}

func TestAYesHoldsOnlyForTheChangeThatTheQuestionWasAbout(t *testing.T) {
	s := newOwnStage(t)
	s.callDuring(func() { s.file(projectConfig, "packs: []\n") })
	asked := s.hidden()
	s.want(s.pre(asked), "ask")
	s.file(projectConfig, "packs: [roles]\n")
	s.post(asked)
	s.want(s.pre(s.hidden()), "ask")
}

func TestAChangeBetweenCallsWaitsForAPerson(t *testing.T) {
	for _, name := range []string{userConfig, enforceProgram, userSettings, projectConfig} {
		s := newOwnStage(t)
		s.callDuring(func() {})
		s.file(name, "edited by somebody")
		later := time.Now().Add(10 * time.Second)
		s.host.Now = func() time.Time { return later } // the next call begins later
		s.want(s.callDuring(func() {}), "pass", s.at(name)+", which belongs to guardrails, has changed")
		if s.text(name) != "edited by somebody" {
			t.Errorf("%s was put back", name)
		}
		s.answered()
		s.want(s.pre(s.hidden()), "pass")
	}
}

func TestAnApprovedWriteOfAnOwnFileCausesNoSecondQuestion(t *testing.T) {
	for _, name := range []string{projectConfig, "project/.mcp.json", userConfig} {
		s := newOwnStageWith(t, gateOwnFiles)
		s.host.Guarded = []string{filepath.Dir(s.at(userConfig))}
		write := call("Write", "file_path", s.at(name))
		s.want(s.pre(write), "ask", "own-files")
		s.file(name, "packs: [roles]\n")
		s.wantTold(s.post(write), "")
		s.want(s.pre(s.hidden()), "pass")
		if s.text(name) != "packs: [roles]\n" {
			t.Errorf("%s was put back", name)
		}
	}
}

const gateOwnFiles = `
guidelines:
  - id: own-files
    name: Own files
    category: security
    priority: 900
    condition: {events: [guard_tamper]}
    action: {type: hitl_gate, gate_type: own, instruction: Ask.}
`

func TestACommandOfAPersonMakesItsChangeCountInEverySession(t *testing.T) {
	s := newOwnStage(t)
	s.file(projectConfig, "packs: [roles]\n")
	s.file(userConfig, "packs: [roles]\n")
	ownfiles.AcceptIn(s.host.Env, s.at(projectConfig), s.at(userConfig))
	s.wantTold(s.callDuring(func() {}), "")
	s.callDuring(func() { s.file(userConfig, "packs: []\n") })
	if s.text(userConfig) != "packs: [roles]\n" {
		t.Errorf("put back %s", s.text(userConfig))
	}
}

func removeAll(pattern string) error {
	names, err := filepath.Glob(pattern)
	for _, name := range names {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

func TestWithoutAListTheNextCallWaitsForAPerson(t *testing.T) {
	for what, spoil := range map[string]func(path string) error{
		"deleted": os.Remove,
		"forged":  func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
		"of another session": func(path string) error {
			return os.Rename(path, strings.Replace(path, "s1", "s2", 1))
		},
		"deleted with all files of the session": func(path string) error {
			return removeAll(strings.TrimSuffix(path, "own-files") + "*")
		},
		"deleted with the records of prompts": func(path string) error {
			start := strings.TrimSuffix(path, "own-files")
			return errors.Join(os.Remove(path), removeAll(start+"beat-SessionStart"), removeAll(start+"beat-UserPromptSubmit"))
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := newOwnStage(t)
			list := s.host.Dir.Path(session.OwnFilesName("s1"))
			s.want(s.callDuring(func() { must(t, spoil(list)) }), "pass", "cannot compare its own files")
			s.want(s.pre(s.hidden()), "ask", "cannot compare its own files")
			s.want(s.pre(s.bash("echo hi")), "pass")
			s.want(s.prompt("go on"), "pass", "cannot find out whether its own files changed before now")
			if got := s.records("own_files"); len(got) == 0 || got[0]["outcome"] != "unknown" {
				t.Errorf("recorded %v", got)
			}
			s.want(s.pre(s.hidden()), "pass")
		})
	}
}

func TestASessionThatGoesOnWithoutAListTellsTheUser(t *testing.T) {
	const alarm = "cannot find out whether its own files changed"
	files := session.Prefix("s1") + "*"
	for _, c := range []struct{ source, lost, want string }{
		{"compact", files, alarm},
		{"startup", files, alarm},
		{"resume", session.OwnFilesName("s1"), alarm},
		{"resume", files, ""}, // a computer loses the session's files when it restarts
	} {
		s := newOwnStage(t)
		must(t, removeAll(s.host.Dir.Path(c.lost)))
		s.wantTold(s.start(c.source), c.want)
		s.want(s.pre(s.hidden()), "pass")
		s.want(s.callDuring(func() { s.file(userConfig, "packs: []\n") }), "pass", "guardrails put back")
	}
}

func TestWithoutAnUnchangedProgramEachCallWaitsForAPerson(t *testing.T) {
	s := newOwnStage(t)
	o := s.callDuring(func() {
		for _, name := range product.Hooks() {
			s.file("bin/"+name, "evil")
		}
	})
	s.want(o, "pass", "no program of guardrails can compare them")
	s.want(s.pre(s.hidden()), "ask")
	s.want(s.pre(s.hidden()), "ask")
}

func TestWithoutACopyAPersonIsAsked(t *testing.T) {
	s := newOwnStage(t)
	must(t, os.RemoveAll(filepath.Join(s.host.State, "copies")))
	s.want(s.callDuring(func() { s.file(userConfig, "packs: []\n") }), "pass", "cannot put it back")
	s.answered()
	s.want(s.pre(s.hidden()), "pass")
}

func TestAChangedCopyIsNotUsed(t *testing.T) {
	s := newOwnStage(t)
	names, _ := filepath.Glob(filepath.Join(s.host.State, "copies", "*"))
	for _, name := range names {
		must(t, os.WriteFile(name, []byte("evil"), 0o600))
	}
	s.want(s.callDuring(func() { s.file(userConfig, "packs: []\n") }), "pass", "cannot put it back")
	if s.text(userConfig) != "packs: []\n" {
		t.Errorf("put back %s", s.text(userConfig))
	}
}

func TestTheEndOfATurnComparesOwnFilesToo(t *testing.T) {
	s := newOwnStage(t)
	s.want(s.pre(s.hidden()), "pass")
	s.file(enforceProgram, "evil") // and the replaced program runs as the hook after the call
	s.want(hooks.Stop(s.host, s.event(wire.Stop, nil)), "pass", "guardrails put back "+s.at(enforceProgram))
	s.wantUnchanged()
}

func TestTheUserLearnsOfAChangeInASubagentAtTheNextEvent(t *testing.T) {
	s := newOwnStage(t)
	inside := func() map[string]any { return with(s.hidden(), "agent_id", "a1", "agent_type", "backend") }
	c := inside()
	s.want(s.pre(c), "pass")
	s.file(userConfig, "packs: []\n")
	s.wantTold(s.post(c), "")
	s.want(hooks.Stop(s.host, s.event(wire.Stop, nil)), "pass", "guardrails put back "+s.at(userConfig))
	s.wantTold(hooks.Stop(s.host, s.event(wire.Stop, nil)), "")
}

func TestTwoSessionsDealWithTheSameChange(t *testing.T) {
	s := newOwnStage(t)
	other := func(fields map[string]any) map[string]any { return with(fields, "session_id", "s2") }
	hooks.Inject(s.host, s.event(wire.SessionStart, other(map[string]any{})))
	first, second := s.hidden(), other(s.hidden())
	s.want(s.pre(first), "pass")
	s.want(s.pre(second), "pass")
	s.file(userConfig, "packs: []\n")
	s.want(s.post(first), "pass", "guardrails put back")
	s.wantTold(s.post(second), "")
	s.wantUnchanged()
}

func TestASessionThatResumesKeepsItsList(t *testing.T) {
	s := newOwnStage(t)
	s.file(projectConfig, "packs: []\n")
	s.want(s.start("resume"), "pass", "which belongs to guardrails, has changed")
	s.want(s.pre(s.hidden()), "ask")
}

func TestANewSessionBeginsWithTheFilesAsTheyAre(t *testing.T) {
	s := newOwnStage(t)
	s.file(userConfig, "packs: [roles]\n")
	s.wantTold(hooks.Inject(s.host, s.event(wire.SessionStart, map[string]any{"session_id": "s2"})), "")
	call := with(s.hidden(), "session_id", "s2")
	s.want(s.pre(call), "pass")
	s.file(userConfig, "packs: []\n")
	s.post(call)
	if s.text(userConfig) != "packs: [roles]\n" {
		t.Errorf("put back %s", s.text(userConfig))
	}
}

func TestLinkedSettingsOfTheUserAreCompared(t *testing.T) {
	s := newOwnStage(t)
	s.file("dotfiles/guardrails.yaml", "packs: [core]\n")
	must(t, os.Remove(s.at(userConfig)), os.Symlink(s.at("dotfiles/guardrails.yaml"), s.at(userConfig)))
	hooks.Inject(s.host, s.event(wire.SessionStart, map[string]any{"session_id": "s2"}))
	for _, change := range []func(){
		func() { s.file("dotfiles/guardrails.yaml", "packs: []\n") },
		func() {
			must(t, os.Remove(s.at(userConfig)), os.WriteFile(s.at(userConfig), []byte("packs: []\n"), 0o600))
		},
	} {
		call := with(s.hidden(), "session_id", "s2")
		s.want(s.pre(call), "pass")
		change()
		s.want(s.post(call), "pass", "guardrails put back")
		if link, err := os.Readlink(s.at(userConfig)); err != nil || link != s.at("dotfiles/guardrails.yaml") || s.text(userConfig) != "packs: [core]\n" {
			t.Errorf("%s, %v, %s", link, err, s.text(userConfig))
		}
	}
}

func TestTheListHasEveryFileOfTheTest(t *testing.T) {
	s := newOwnStage(t)
	places := map[string]bool{}
	for _, p := range ownfiles.Places(s.host.Env, s.host.Program, s.project) {
		places[p.Path] = true
	}
	for _, name := range slices.Sorted(maps.Keys(ownFiles())) {
		if path := s.at(name); !places[path] && !places[filepath.Dir(path)] {
			t.Errorf("%s is not compared", name)
		}
	}
}

func TestASessionWithTooManyFilesToCompareTellsTheUser(t *testing.T) {
	s := newOwnStage(t)
	for i := range 1000 {
		s.file("project/.claude/guardrails/"+strconv.Itoa(i)+".yaml", "guidelines: []\n")
	}
	begin := func(id, want string) {
		s.wantTold(hooks.Inject(s.host, s.event(wire.SessionStart, map[string]any{"session_id": id})), want)
	}
	begin("s2", "")
	call := with(s.hidden(), "session_id", "s2")
	s.want(s.pre(call), "pass")
	s.file("project/.claude/guardrails/999.yaml", "guidelines: [] # changed\n")
	s.want(s.post(call), "pass", "999.yaml, which belongs to guardrails, has changed")
	for i := range 600 {
		s.file("project/.claude/guardrails/more-"+strconv.Itoa(i)+".yaml", "guidelines: []\n")
	}
	call = with(s.hidden(), "session_id", "s2")
	s.want(s.pre(call), "ask")
	s.want(s.post(call), "pass", "guardrails has too many files of its own here")
	s.file("project/.claude/guardrails/one-more.yaml", "guidelines: []\n")
	call = with(s.hidden(), "session_id", "s2")
	s.pre(call)
	s.wantTold(s.post(call), "")
	begin("s3", "guardrails has too many files of its own here, so only 1500 of them are compared")
	s.file("project/.claude/guardrails/two-more.yaml", "guidelines: []\n")
	call = with(s.hidden(), "session_id", "s3")
	s.pre(call)
	s.wantTold(s.post(call), "")
}
