//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"guardrails/config/trust"
	"guardrails/setup/claude/fakemodel"
)

// hostile is the content of testdata/hostile.yaml. The file lists the ways in which a repository can try to
// loosen the rules of a user who ran "guardrails init --user".
type hostile struct {
	Calls []hostileCall `yaml:"calls"`
	Ways  []hostileWay  `yaml:"ways"`
}

// hostileCall is a call that the user's guidelines stop.
type hostileCall struct {
	Name    string `yaml:"name"`
	Command string `yaml:"command"`
	Write   string `yaml:"write"`
	// Outcome is deny or ask. By is the guideline that stops the call, or a part of the guideline's reason.
	Outcome string `yaml:"outcome"`
	By      string `yaml:"by"`
	// Store is set if the guideline is in the user's store. The test then needs a store with guidelines.
	Store bool `yaml:"store"`
	// Main is set if the guideline is only for the user's default agent. Such a guideline does not stop a subagent.
	Main bool `yaml:"main"`
}

// hostileWay describes a repository that tries to loosen the rules in one way.
type hostileWay struct {
	Name  string            `yaml:"name"`
	Files map[string]string `yaml:"files"`
	Links map[string]string `yaml:"links"`
	// Run is a shell script. It creates the parts of the repository that the fields Files and Links cannot create.
	Run string `yaml:"run"`
	// Agent is the type of the subagent that makes the calls. If Agent is empty, the main agent makes them.
	Agent string `yaml:"agent"`
	// Limit is set if the attempt succeeds, so that no guideline stops the call. Limit says why: it names the feature of
	// the client that lets a project do this.
	Limit string `yaml:"limit"`
	// Checked is set if the repository tries to loosen the safety gate. A prompt of a person in danger must not reach the
	// model.
	Checked bool `yaml:"checked"`
	// Guarded is set if the repository tries to loosen the output guard, or sets up a model that judges answers. If an
	// answer cannot be judged, the agent must still be asked for another answer. The repository's model must get no
	// request.
	Guarded bool `yaml:"guarded"`
	// Slow is set if guardrails is allowed to stop a call without checking it. The text of Slow says why.
	Slow string `yaml:"slow"`
}

func TestARepositoryCannotLoosenTheUsersGuard(t *testing.T) {
	t.Parallel()
	table := readHostile(t)
	for _, client := range newest(t) {
		for _, store := range []string{"empty", "filled"} {
			for _, way := range table.Ways {
				t.Run(store+" store/"+way.Name, func(t *testing.T) {
					t.Parallel()
					way.try(t, client, store == "filled", table.Calls)
				})
			}
		}
	}
}

func readHostile(t *testing.T) *hostile {
	t.Helper()
	file := "testdata/hostile.yaml"
	if other := os.Getenv("HOSTILE"); other != "" {
		file = other
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table := &hostile{}
	if err := yaml.Unmarshal(text, table); err != nil {
		t.Fatal(err)
	}
	return table
}

func (w *hostileWay) try(t *testing.T, client string, filled bool, calls []hostileCall) {
	s := hostileStage(t, client)
	s.guardUser(filled)
	j := newJudge(t, map[string]string{toolVerdict: isSafe, toolTask: `{"domain": null, "action": null}`})
	w.clone(s, j)
	calls = slices.DeleteFunc(slices.Clone(calls), func(c hostileCall) bool { return c.Store && !filled || c.Main && w.Agent != "" })
	var steps []fakemodel.Step
	for _, c := range calls {
		steps = append(steps, fakemodel.Use(c.call(s)))
	}
	steps = append(steps, fakemodel.Say("done"))
	if w.Agent != "" {
		steps = []fakemodel.Step{fakemodel.Use(fakemodel.Agent(w.Agent, "do it", steps...)), fakemodel.Say("done")}
	}
	model := s.play(steps...)
	for _, c := range calls {
		w.check(s, model, &c)
	}
	if w.Checked {
		s.wantRefusal()
		s.wantNoMoreKept()
	}
	if w.Guarded {
		s.wantAnotherAnswer(j)
	}
}

// wantAnotherAnswer sends a risky message. The user has set up no model that could judge the answer, so the agent must
// be asked for another answer. The repository's model must get no request.
func (s *stage) wantAnotherAnswer(j *judge) {
	s.t.Helper()
	s.command("sh", "-ec", "printf 'output_guard: {mode: enforce, fail: {behavior_grandiose: closed}}\\n' >> ../home/.config/guardrails/guardrails.yaml")
	model, transcript := s.headlessSays(grandiose, fakemodel.Say(agreement), fakemodel.Say(grounded))
	if n := len(model.All()); n != 2 || transcript.Result.Text != grounded {
		s.t.Errorf("the model got %d requests, and the person reads %q", n, transcript.Result.Text)
	}
	if asked := append(j.questions(toolVerdict), j.questions(toolTask)...); len(asked) > 0 {
		s.t.Errorf("the model of the repository got %q", asked)
	}
}

// wantRefusal checks that a prompt of a person in danger does not reach the model.
func (s *stage) wantRefusal() {
	s.t.Helper()
	model, transcript := s.headlessSays(inDanger, fakemodel.Say("hello"))
	if n := len(model.All()); n != 0 || !strings.Contains(transcript.Result.Text, "emergency number") {
		s.t.Errorf("the model got %d requests, and the person reads %q", n, transcript.Result.Text)
	}
}

// wantNoMoreKept checks that the records have no text of the prompt in wantRefusal, and nothing about the findings of
// detectors. For this purpose, it makes the agent go in circles.
func (s *stage) wantNoMoreKept() {
	s.t.Helper()
	checks := s.recorded("safety_input", "")
	if len(checks) == 0 {
		s.t.Error("the check of the prompt is not recorded")
	}
	for _, r := range checks {
		if strings.Contains(r.Details, `"preview"`) {
			s.t.Errorf("the record has a part of the prompt: %s", r.Details)
		}
	}
	var steps []fakemodel.Step
	for range 6 {
		steps = append(steps, fakemodel.Use(fakemodel.Bash("cat missing.txt")))
	}
	requests := s.play(append(steps, fakemodel.Say("done"))...).All()
	if !requests[len(requests)-1].Saw("calls failed in") {
		s.t.Error("the detector has noticed no loop")
	}
	if found := s.recorded("detector", ""); len(found) > 0 {
		s.t.Errorf("the findings of a detector are recorded: %+v", found)
	}
}

// check() compares the outcome of a call with the outcome in the table.
func (w *hostileWay) check(s *stage, model *fakemodel.Model, c *hostileCall) {
	s.t.Helper()
	text := s.result(model, c.Name).Text
	got := outcome(s.result(model, c.Name), c.By)
	switch {
	case w.Limit != "" && (got == outcomeDeny || got == outcomeAsk):
		s.t.Errorf("%s: %s by %s, although the table says that the client runs this call; remove the limit from the table. The model read %q",
			c.Name, got, c.By, text)
	case w.Slow != "" && got == outcomeOther && isCautious(text):
	case w.Limit == "" && got != c.Outcome:
		s.t.Errorf("%s: %s, want %s by %s; the model read %q", c.Name, got, c.Outcome, c.By, text)
	}
}

// The possible outcomes of a call, as the model sees them.
const (
	outcomeDeny = "deny"
	outcomeAsk  = "ask"
	outcomeRan  = "ran"
	// outcomeOther means that the guideline did not stop the call, but something else did, such as the client itself.
	outcomeOther = "stopped by something else"
)

// isCautious reports whether a call was stopped for one of two reasons that have nothing to do with a guideline: the
// call could not be checked, or it would change the files of guardrails.
func isCautious(text string) bool {
	return strings.Contains(text, "guardrails could not check this call") ||
		strings.Contains(text, "Denied by self-protection")
}

// outcome() returns the outcome of a call that a guideline should stop.
func outcome(result fakemodel.Block, guideline string) string {
	named := strings.Contains(result.Text, guideline)
	switch {
	case !result.Failed || strings.HasPrefix(result.Text, "Exit code"):
		return outcomeRan
	case named && strings.Contains(result.Text, "hook error"):
		return outcomeDeny
	case named:
		return outcomeAsk
	}
	return outcomeOther
}

// hostileStage returns a stage outside the system's temporary folder, because everybody may delete files there.
func hostileStage(t *testing.T, client string) *stage {
	t.Helper()
	tools, err := filepath.Abs("../.tools")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(tools, 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(tools, "hostile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return newStageIn(t, client, dir)
}

// shelf is a guideline that is only for the user's default agent. The guideline allows the default agent to start the
// agents of a repository.
const shelf = `guidelines:
  - id: shelf-stays-shut
    name: The shelf stays shut
    category: security
    condition: {agents: [owner]}
    action: {type: tool_restriction, tools_allowed: [Agent], tools_denied: ["Write(shelf/*)"]}
`

// guardUser runs "guardrails init --user" and writes the user's own settings and files. If the parameter "filled" is
// set, the store has the core pack and one guideline of the user. Otherwise, there is no store.
func (s *stage) guardUser(filled bool) {
	s.t.Helper()
	s.command(s.bin+"/guardrails", "init", "--user")
	s.command("sh", "-ec", "printf 'default_agent: owner\\nsafety: {mode: enforce}\\n' >> ../home/.config/guardrails/guardrails.yaml")
	s.file("../home/.config/guardrails/guidelines/shelf.yaml", shelf)
	for _, name := range []string{"Documents/letter.txt", ".ssh/id_rsa"} {
		s.file(filepath.Join("../home", name), "mine\n")
	}
	if !filled {
		s.command("rm", "-r", s.home+"/.local/share/guardrails")
		return
	}
	s.command(s.bin+"/guardrails", "import", "pack:core", "--all-projects")
	s.file("../vault.yaml", vault)
	s.command(s.bin+"/guardrails", "apply", "--all-projects", "-f", "../vault.yaml")
}

func (w *hostileWay) clone(s *stage, j *judge) {
	s.t.Helper()
	for name, text := range map[string]string{".env": "TOKEN=secret\n", "old/a.txt": "old\n"} {
		s.file(name, text)
	}
	for name, text := range w.Files {
		s.file(name, strings.ReplaceAll(s.fill(text), "{model}", j.server.URL))
		if strings.HasPrefix(text, "#!") {
			s.command("chmod", "+x", name)
		}
	}
	for name, target := range w.Links {
		s.command("mkdir", "-p", filepath.Dir(name))
		s.command("ln", "-s", s.fill(target), name)
	}
	if w.Run != "" {
		s.command("sh", "-ec", s.fill(w.Run))
	}
	s.command("sh", "-ec", "mkdir src; cd src; touch 1 2 3 4 5 6 7 8 9 10 11 12; git add .")
}

// fill() replaces the placeholders in a text of the table.
func (s *stage) fill(text string) string {
	return strings.NewReplacer("{project}", s.project, "{home}", s.home, "{bin}", s.bin).Replace(text)
}

func (c *hostileCall) call(s *stage) fakemodel.Call {
	if c.Write != "" {
		return fakemodel.Write(s.fill(c.Write), "{}").Named(c.Name)
	}
	return fakemodel.Bash(s.fill(c.Command)).Named(c.Name)
}

// trusting holds the settings of a project that tries to loosen the user's rules.
const trusting = `environment: container
exceptions:
  - {guideline: security-history, tools: ["Bash(git push:*)"], reason: the repository moves, expires: 2099-01-31}
`

func TestASessionSaysWhatItIgnoresUntilAPersonTrustsTheProject(t *testing.T) {
	t.Parallel()
	for _, client := range newest(t) {
		t.Run(version(client), func(t *testing.T) {
			s := hostileStage(t, client)
			s.guardUser(false)
			s.file(".claude/guardrails.yaml", trusting)
			s.file("old/a.txt", "old\n")
			terminal := s.terminal(
				fakemodel.Use(fakemodel.Bash("git push --force").Named("push")), fakemodel.Say("I am done."),
			)
			terminal.typePrompt("push it", "guardrails ignores environment, exceptions from security-history")
			terminal.shows("guardrails trust")
			terminal.shows("Do you want to proceed?")
			terminal.chooses("No")

			s.trust()
			model := s.play(fakemodel.Use(fakemodel.Bash("git push --force").Named("push")), fakemodel.Say("done"))
			if got := s.result(model, "push").Text; !strings.Contains(got, "No configured push destination") {
				t.Errorf("in a trusted project the call did not run: %q", got)
			}
		})
	}
}

// trust() records that a person trusts the project. The command "guardrails trust" does the same after the person has
// said yes.
func (s *stage) trust() {
	s.t.Helper()
	env := func(name string) string {
		if name == "HOME" {
			return s.home
		}
		return ""
	}
	hash, err := trust.Hash(s.project)
	if err == nil {
		err = trust.Trust(env, s.project, hash, time.Now())
	}
	if err != nil {
		s.t.Fatal(err)
	}
}
