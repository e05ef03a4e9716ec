package guardrails_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guardrails/setup"
)

// guardrails guards the work on this repository. These tests check that the files in .claude are valid and do not
// depend on one machine.

func TestTheRepositorysSettingsHaveEveryHook(t *testing.T) {
	var file struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []struct {
				Type, Command string
				Args          []string
				Timeout       float64
			}
		}
	}
	if err := json.Unmarshal(read(t, ".claude/settings.json"), &file); err != nil {
		t.Fatal(err)
	}
	for _, want := range setup.Wanted(setup.Options{Bin: "/bin"}) {
		if want.Program() == setup.Presence {
			continue // the script says what is missing
		}
		groups := file.Hooks[want.Event]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 {
			t.Fatalf("%s has %+v, want one group with one hook", want.Event, groups)
		}
		hook, program := groups[0].Hooks[0], strings.TrimPrefix(filepath.Base(want.Command), "guardrails-")
		if groups[0].Matcher != want.Matcher || hook.Type != "command" || hook.Timeout != want.Timeout ||
			hook.Command != "${CLAUDE_PROJECT_DIR}/.claude/hooks/guard" || strings.Join(hook.Args, " ") != program+" "+want.Event {
			t.Errorf("%s: %q %+v", want.Event, groups[0].Matcher, hook)
		}
	}
}

func TestTheRepositorysGuardPrefersTheInstalledHookThenTheBuiltOneThenAsks(t *testing.T) {
	project, installed := t.TempDir(), t.TempDir()
	guard := func(args ...string) string {
		c := exec.Command(".claude/hooks/guard", args...)
		c.Env = []string{"PATH=" + installed + ":/usr/bin:/bin", "CLAUDE_PROJECT_DIR=" + project}
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	ask := guard("enforce", "PreToolUse")
	if !json.Valid([]byte(ask)) || !strings.Contains(ask, `"permissionDecision":"ask"`) || !strings.Contains(ask, "make build") {
		t.Errorf("without a hook, the answer to a tool call is %s", ask)
	}
	if word := guard("inject", "UserPromptSubmit"); !json.Valid([]byte(word)) || !strings.Contains(word, `"systemMessage":`) {
		t.Errorf("without a hook, the answer to a prompt is %s", word)
	}
	for _, place := range []string{filepath.Join(project, "bin"), installed} {
		program(t, filepath.Join(place, "guardrails-enforce"), "#!/bin/sh\necho from "+place+"\n")
		if out := guard("enforce", "PreToolUse"); out != "from "+place+"\n" {
			t.Errorf("with a hook in %s: %s", place, out)
		}
	}
}

func TestTheRepositorysAgentsHaveNamesThatItsGuidelinesUse(t *testing.T) {
	rules := string(read(t, ".claude/guardrails/house.yaml"))
	for _, path := range glob(t, ".claude/agents/*.md") {
		name := strings.TrimSuffix(filepath.Base(path), ".md")
		head, _, ok := strings.Cut(strings.TrimPrefix(string(read(t, path)), "---\n"), "\n---\n")
		if !ok || !strings.Contains(head, "name: "+name+"\n") || !strings.Contains(head, "description: ") {
			t.Errorf("%s has an incomplete header: %q", path, head)
		}
		if !strings.Contains(rules, name) {
			t.Errorf("no guideline mentions %s", name)
		}
	}
}

func TestTheRepositorysSettingsNameNoPathOfOneMachine(t *testing.T) {
	place := regexp.MustCompile(`(^|[\s"'=:])(/(home|root|Users|opt|tmp|var|mnt|srv|workspace|work)/|[A-Za-z]:\\)`)
	for _, path := range glob(t, ".claude/*", ".claude/*/*") {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue
		}
		if found := place.Find(read(t, path)); found != nil {
			t.Errorf("%s contains a path of one machine: %q", path, found)
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func glob(t *testing.T, patterns ...string) []string {
	t.Helper()
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(found))
		}
		paths = append(paths, found...)
	}
	return paths
}

func program(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestEachRowOfTheFaultsNamesATest checks the rows of scripts/faults.sh. A row is: fault | package | test.
func TestEachRowOfTheFaultsNamesATest(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^[^#|\n]+\| *(\S+) *\| (Test\w+)$`).FindAllStringSubmatch(string(read(t, "scripts/faults.sh")), -1)
	if len(rows) < 100 {
		t.Fatalf("found only %d rows", len(rows))
	}
	for _, row := range rows {
		folder, name := row[1], row[2]
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		isDeclared := func(file string) bool {
			text, err := os.ReadFile(file)
			return err == nil && strings.Contains(string(text), "func "+name+"(")
		}
		if !slices.ContainsFunc(files, isDeclared) {
			t.Errorf("the package %s has no test %s", folder, name)
		}
	}
}
