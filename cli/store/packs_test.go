package store_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/rules"
	"guardrails/service/packcopies"
)

// firstText is the guideline "tdd-protocol" in the first version of the pack "core".
const firstText = `guidelines:
  - id: tdd-protocol
    name: Tests come with the code
    description: Implementing and fixing need a test run before the commit.
    category: tdd_protocol
    priority: 800
    condition: {actions: [implement, code, fix, refactor]}
    action:
      type: constraint
      instruction: Write a failing test first, then the code that makes it pass, then tidy up. A commit after a change to source files expects a test command to have run since that change.
      require_tests: true
`

// firstWords are words that only the first version contains.
const firstWords = "then tidy up"

// packProject returns a project that uses the pack "core" and whose store has guidelines.
func packProject(t *testing.T, stored string) *clitest.Session {
	t.Helper()
	s := clitest.New(t, map[string]string{".claude/guardrails.yaml": "packs: [core]\n", "stored.yaml": stored})
	s.Env["HOME"] = filepath.Join(s.Root, "home")
	s.Must("guardrails import stored.yaml")
	return s
}

type packState struct {
	Name     string
	Version  int
	Layers   []string
	Changed  []packcopies.Copy
	Outdated []string
}

func core(t *testing.T, s *clitest.Session) packState {
	t.Helper()
	var list []packState
	if err := json.Unmarshal([]byte(s.Must("guardrails packs -o json")), &list); err != nil {
		t.Fatal(err)
	}
	return list[slices.IndexFunc(list, func(p packState) bool { return p.Name == "core" })]
}

// text() returns the text of the guideline "tdd-protocol" that applies in the project.
func text(t *testing.T, s *clitest.Session) string {
	t.Helper()
	return s.Must("guardrails evaluate --action implement")
}

func TestACopyOfAnOlderPackThatNobodyChangedFollowsThePack(t *testing.T) {
	s := packProject(t, firstText)
	installed := rules.InstalledGuidelines()["tdd-protocol"].Action.Instruction
	if got := text(t, s); !strings.Contains(got, installed) || strings.Contains(got, firstWords) {
		t.Errorf("the model reads\n%s", got)
	}
	got := core(t, s)
	if !slices.Equal(got.Outdated, []string{"tdd-protocol"}) || len(got.Changed) > 0 ||
		!slices.Contains(got.Layers, "project") {
		t.Errorf("got %+v", got)
	}
	if got := s.Must("guardrails packs update --dry-run"); got != "renewed  tdd-protocol\n" {
		t.Errorf("a dry run says %q", got)
	}
	if got := s.Must("guardrails history tdd-protocol -o json"); !strings.Contains(got, firstWords) {
		t.Errorf("a dry run changed the store:\n%s", got)
	}
	s.Must("guardrails packs update")
	if got := s.Must("guardrails get tdd-protocol"); strings.Contains(got, firstWords) {
		t.Errorf("the store has\n%s", got)
	}
	if got := s.Must("guardrails packs update"); got != "there is nothing to update\n" {
		t.Errorf("the second update says %q", got)
	}
}

func TestInitRenewsCopiesOfAnOlderPackAndKeepsChangedOnes(t *testing.T) {
	s := packProject(t, firstText+strings.ReplaceAll(strings.TrimPrefix(firstText, "guidelines:\n"), "tdd-protocol", "security-history"))
	said := s.Must("guardrails init")
	if !strings.Contains(said, "replaces these guidelines with the text of the installed packs: tdd-protocol") ||
		!strings.Contains(said, "kept     these guidelines of packs, which somebody changed in the store: security-history") {
		t.Errorf("init says\n%s", said)
	}
	if got := s.Must("guardrails get tdd-protocol"); strings.Contains(got, firstWords) {
		t.Errorf("the store has\n%s", got)
	}
}

func TestAGuidelineOfAPackThatSomebodyChangedStaysAndIsShown(t *testing.T) {
	s := packProject(t, firstText)
	s.Must("guardrails toggle tdd-protocol off")
	s.Must("guardrails packs update")
	got := core(t, s)
	if len(got.Outdated) > 0 || len(got.Changed) != 1 {
		t.Fatalf("got %+v", got)
	}
	c := got.Changed[0]
	if c.ID != "tdd-protocol" || !c.Off || c.Base != 1 || !c.Behind || c.Version != 2 {
		t.Errorf("got %+v", c)
	}
	at := slices.IndexFunc(c.Fields, func(f packcopies.Field) bool { return f.Field == "enabled" })
	if at < 0 || string(c.Fields[at].Old) != "true" || string(c.Fields[at].Yours) != "false" || string(c.Fields[at].New) != "true" {
		t.Errorf("the fields are %+v", c.Fields)
	}
	if got := text(t, s); strings.Contains(got, "failing test") {
		t.Errorf("a guideline that is off applies:\n%s", got)
	}
	diff := s.Must("guardrails packs diff tdd-protocol")
	for _, want := range []string{
		"tdd-protocol of core: off in the store for this project; it was taken from version 1, and the pack has a newer text",
		"  action.instruction\n    old    \"Write a failing test first", "then clean up. Run the tests",
	} {
		if !strings.Contains(diff, want) {
			t.Errorf("diff does not say %q:\n%s", want, diff)
		}
	}
	stdout, _, _ := s.Run("guardrails doctor")
	if !strings.Contains(stdout, "tdd-protocol of core: off in the store for this project; it was taken from version 1") {
		t.Errorf("doctor says\n%s", stdout)
	}
}

func TestTakeGoesBackToTheTextOfThePack(t *testing.T) {
	s := packProject(t, firstText)
	s.Must("guardrails toggle tdd-protocol off")
	if got := s.Must("guardrails packs update --take tdd-protocol"); got != "taken    tdd-protocol\n" {
		t.Errorf("update says %q", got)
	}
	if got := core(t, s); len(got.Changed)+len(got.Outdated) > 0 {
		t.Errorf("got %+v", got)
	}
	if got := text(t, s); !strings.Contains(got, rules.InstalledGuidelines()["tdd-protocol"].Action.Instruction) {
		t.Errorf("the model reads\n%s", got)
	}
	if got := s.Must("guardrails history tdd-protocol"); !strings.Contains(got, "3 versions") {
		t.Errorf("the history is\n%s", got)
	}
	if _, said, code := s.Run("guardrails packs update --take tdd-protocol"); code != app.Failed ||
		!strings.Contains(said, `"tdd-protocol" is not the id of a changed copy of a pack's guideline`) {
		t.Errorf("exit %d: %s", code, said)
	}
}

// If the store never had the pack's text of a guideline, there is no old text for a comparison.
func TestAGuidelineWithTheIDOfAPackAndAnUnknownTextIsShownAsChanged(t *testing.T) {
	s := packProject(t, strings.Replace(firstText, "failing test", "test", 1))
	got := core(t, s)
	if len(got.Changed) != 1 || got.Changed[0].Base != 0 || !got.Changed[0].Behind {
		t.Fatalf("got %+v", got.Changed)
	}
	diff := s.Must("guardrails packs diff")
	if !strings.Contains(diff, "the version of the pack that it was taken from is not known") || strings.Contains(diff, "    old ") {
		t.Errorf("diff says\n%s", diff)
	}
}

func TestACopyOfTheInstalledPackIsNeitherChangedNorOutdated(t *testing.T) {
	s := packProject(t, firstText)
	s.Must("guardrails import pack:core --on-conflict update")
	if got := core(t, s); len(got.Changed)+len(got.Outdated) > 0 {
		t.Errorf("got %+v", got)
	}
	if got := s.Must("guardrails packs diff"); got != "nobody changed a guideline of a pack in the store\n" {
		t.Errorf("diff says %q", got)
	}
	if got := s.Must("guardrails packs"); strings.Contains(got, "store") {
		t.Errorf("packs says\n%s", got)
	}
}

func TestAnAgentUpdatesNoPacks(t *testing.T) {
	s := packProject(t, firstText)
	s.Env["CLAUDECODE"] = "1"
	if _, said, code := s.Run("guardrails packs update"); code == app.OK {
		t.Errorf("an agent updated packs: %s", said)
	}
	s.Must("guardrails packs")
	s.Must("guardrails packs diff")
}

func TestPacksSaysWhichPacksAreInForce(t *testing.T) {
	s := clitest.New(t, map[string]string{
		".claude/guardrails.yaml": "packs: [roles]\n", "home/.config/guardrails/guardrails.yaml": "packs: [core]\n",
		"alone/.claude/guardrails.yaml": "packs: []\n", "alone/.git/HEAD": "ref: refs/heads/main\n",
	})
	s.Env["HOME"] = filepath.Join(s.Root, "home")
	for _, want := range []string{", in force for the user: ", ", in force for the project: "} {
		if got := s.Must("guardrails packs"); strings.Count(got, want) != 1 {
			t.Errorf("packs says\n%s", got)
		}
	}
	s.Env["HOME"], s.Cwd = filepath.Join(s.Root, "nobody"), filepath.Join(s.Root, "alone")
	if got := s.Must("guardrails packs"); strings.Count(got, "not used: ") != 2 {
		t.Errorf("packs says\n%s", got)
	}
}

func TestPacksAreListedAndShown(t *testing.T) {
	s := clitest.New(t, map[string]string{})
	list := s.Must("guardrails packs")
	for _, p := range rules.Packs() {
		if !strings.Contains(list, p.Name+" ") || !strings.Contains(list, p.Description) {
			t.Errorf("%s is not listed", p.Name)
		}
		source, err := rules.PackSource(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		if shown := s.Must("guardrails packs " + p.Name); shown != string(source) {
			t.Errorf("%s is not shown as it is written", p.Name)
		}
		encoded := s.Must("guardrails packs -o json " + p.Name)
		file, problems := rules.Parse(p.Name+".json", []byte(encoded))
		if err := problems.Err(); err != nil || len(file.Guidelines) == 0 {
			t.Errorf("%s as JSON: %d guidelines, %v", p.Name, len(file.Guidelines), err)
		}
	}
}

// The history of a changed guideline begins with the pack's text. With this text, the command "packs" can show what has
// changed in the pack since then.
func TestAChangedGuidelineRemembersTheTextOfThePack(t *testing.T) {
	s := packProject(t, firstText)
	s.Must("guardrails toggle security-history off")
	s.Write("mine.yaml", strings.ReplaceAll(firstText, "tdd-protocol", "security-publish"))
	s.Must("guardrails apply -f mine.yaml")
	got := core(t, s)
	if len(got.Changed) != 2 {
		t.Fatalf("got %+v", got.Changed)
	}
	for i := range got.Changed {
		if c := &got.Changed[i]; c.Base == 0 || c.Behind || c.Version != 2 {
			t.Errorf("got %+v", c)
		}
	}
	if got := s.Must("guardrails packs"); !strings.Contains(got, "security-history: off in the store for this project\n") ||
		!strings.Contains(got, "security-publish: changed in the store for this project\n") {
		t.Errorf("packs says\n%s", got)
	}
	stdout, _, _ := s.Run("guardrails doctor")
	if strings.Contains(stdout, "security-publish of core") {
		t.Errorf("doctor warns of a guideline whose pack did not change:\n%s", stdout)
	}
}

func TestAGuidelineOfAPackThatTheProjectDoesNotUseIsNotTaken(t *testing.T) {
	s := packProject(t, firstText)
	for _, id := range []string{"workflow-11-step", "no-such-guideline"} {
		if _, said, code := s.Run("guardrails toggle " + id); code != app.Failed || !strings.Contains(said, "there is no guideline") {
			t.Errorf("exit %d: %s", code, said)
		}
	}
}

func TestWhatWasChangedForAllProjectsIsTakenForAllProjects(t *testing.T) {
	s := packProject(t, firstText)
	s.Must("guardrails toggle security-history off --all-projects")
	got := core(t, s)
	if len(got.Changed) != 1 || got.Changed[0].ProjectID != "" || got.Changed[0].Base == 0 || got.Changed[0].Behind {
		t.Fatalf("got %+v", got.Changed)
	}
	if _, said, code := s.Run("guardrails packs update --take security-history"); code != app.Failed ||
		!strings.Contains(said, "security-history was changed for all projects; add --all-projects") {
		t.Errorf("exit %d: %s", code, said)
	}
	if got := s.Must("guardrails packs update --take security-history --all-projects"); got != "taken    security-history\n" {
		t.Errorf("update says %q", got)
	}
	if got := core(t, s); len(got.Changed) > 0 {
		t.Errorf("got %+v", got.Changed)
	}
}

// A guideline of a pack was changed for all projects. If a project then gets a copy, the copy's history has the text of
// the pack on which the change for all projects is based.
func TestAProjectsCopyOfAChangedGuidelineRemembersTheTextOfThePack(t *testing.T) {
	s := clitest.New(t, map[string]string{".claude/guardrails.yaml": "packs: [core]\n", "stored.yaml": firstText})
	s.Env["HOME"] = filepath.Join(s.Root, "home")
	s.Must("guardrails import stored.yaml --all-projects")
	s.Write("mine.yaml", strings.Replace(firstText, "failing test", "test", 1))
	s.Must("guardrails apply -f mine.yaml --force --all-projects")
	s.Must("guardrails toggle tdd-protocol off") // the project gets a copy of what was changed for all projects
	got := core(t, s)
	if len(got.Changed) != 2 || got.Changed[0].ProjectID == got.Changed[1].ProjectID {
		t.Fatalf("got %+v", got.Changed)
	}
	for _, c := range got.Changed {
		if c.Base != 1 || !c.Behind {
			t.Errorf("got %+v", c)
		}
	}
}
