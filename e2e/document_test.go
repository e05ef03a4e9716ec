//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

const (
	sessionPage = "../docs/session.md"
	readme      = "../README.md"
)

// check() compares a session with the documents that show this session. If the documents show another version of the
// client, check() ignores differences. If the parameter "write" is set, check() writes the documents instead of
// comparing them.
func (s *story) check(t *testing.T, version string, write bool) {
	t.Helper()
	for name, render := range map[string]func(old string) string{
		sessionPage: func(string) string { return s.page(version) },
		readme:      func(old string) string { return s.inReadme(t, old) },
	} {
		old, err := os.ReadFile(name)
		if err != nil && !write {
			t.Fatal(err)
		}
		switch text := render(string(old)); {
		case write:
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		case text != string(old) && shown(t) == version:
			t.Errorf("%s does not show the session as it is; run scripts/e2e.sh -run Documented -update and read the difference\n%s", name, text)
		}
	}
}

// shown() returns the version of the client with which the documented session was played.
func shown(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(sessionPage)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`Claude Code (\d+\.\d+\.\d+)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s does not name the version of the client", sessionPage)
	}
	return string(found[1])
}

// page() returns the text that docs/session.md must have.
func (s *story) page(version string) string {
	return `# A session

A test plays this session in Claude Code ` + version + `, with an empty home folder and a scripted model. The test compares
this page with what it saw. ` + "`scripts/e2e.sh -run Documented -update`" + ` rewrites the page.

## The project

The project has one guideline of its own, in ` + "`.claude/guardrails/generated.yaml`" + `:

` + block("yaml", generatedCode) + `
The user sets the project up and starts Claude Code:

` + block("", "$ guardrails init\n"+s.setUp+"\n\n$ claude") + `
## What the model reads when the session starts

` + block("", excerpt(s.injected)) + `
## What the user sees

guardrails blocks a write, and the model does what the message suggests. Later Claude Code asks the user about another
call, and the user answers yes. The words “[settings] settings.json to update hooks” in the dialog are from Claude Code.

` + block("", s.screen()) + `
## What is recorded

guardrails wrote these records into ` + "`~/.local/state/guardrails/spool`" + `. They are shortened here:

` + s.table()
}

// inReadme returns the text that the README must have. It replaces the part that shows the blocked call and the model's
// next step.
func (s *story) inReadme(t *testing.T, old string) string {
	t.Helper()
	const start, end = "<!-- a session, written by make e2e -->\n", "<!-- end of the session -->"
	before, rest, ok := strings.Cut(old, start)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("the README has no place for the session between %s and %s", start, end)
	}
	shown, _, _ := strings.Cut(s.end, removal)
	return before + start + "\n" + block("", shown) + "\n" + end + after
}

func block(kind, text string) string {
	return "```" + kind + "\n" + strings.TrimRight(text, "\n") + "\n```\n"
}

// excerpt() returns the lines of the injected text that are about this session.
func excerpt(injected string) string {
	var lines []string
	for i, line := range strings.Split(injected, "\n") {
		about := strings.Contains(line, "generated/") || strings.HasPrefix(line, "- deleting data")
		switch {
		case i == 0 || about || line != "" && !strings.HasPrefix(line, "-") && strings.HasSuffix(line, ":"):
			lines = append(lines, line)
		case line != "" && lines[len(lines)-1] != "…":
			lines = append(lines, "…")
		}
	}
	return strings.Join(lines, "\n")
}

// removal is the text that the model says before a certain call. The client asks the user about this call.
const removal = "● " + removing + "\n"

// screen() returns the whole conversation. It inserts the dialog where it appeared.
func (s *story) screen() string {
	first, rest, _ := strings.Cut(s.end, removal)
	return first + removal + "\n" + s.question + "\n" + rest
}

func (s *story) table() string {
	out := "| kind | outcome | tool | guideline |\n|---|---|---|---|\n"
	for _, r := range s.records {
		if r.Kind == "fallback" {
			continue // on a busy computer, a hook may skip the server
		}
		out += fmt.Sprintf("| %s | %s | %s | %s |\n", r.Kind, r.Outcome, r.Tool, r.Guideline)
	}
	return out
}
