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

// hold compares a session with the documents that show it, if they show one of this version, or writes them.
func (told *story) hold(t *testing.T, version string, write bool) {
	t.Helper()
	for name, render := range map[string]func(old string) string{
		sessionPage: func(string) string { return told.page(version) },
		readme:      func(old string) string { return told.inReadme(t, old) },
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
			t.Errorf("%s does not show the session as it is; look at what changed after scripts/e2e.sh -run Documented -update\n%s", name, text)
		}
	}
}

// shown is the version whose session is documented.
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

// page is docs/session.md.
func (told *story) page(version string) string {
	return `# A session

A test plays this session in the real client (Claude Code ` + version + `), in an empty home and against a scripted model, and
compares this page with what it saw. ` + "`scripts/e2e.sh -run Documented -update`" + ` writes it anew.

## The project

A project has one guideline of its own, in ` + "`.claude/guardrails/generated.yaml`" + `:

` + block("yaml", generatedCode) + `
Its user sets it up and starts the client:

` + block("", "$ guardrails init\n"+told.setUp+"\n\n$ claude") + `
## What the model reads beside the prompt

` + block("", excerpt(told.told)) + `
## What the user sees

A write is refused, and the model takes the way that the refusal names. A question is put to the user, who answers it with
yes.

` + block("", told.screen()) + `
## What is kept of it

The lines of ` + "`~/.local/state/guardrails/spool`" + ` in short:

` + told.table()
}

// inReadme is the README with the part of the session that it shows.
func (told *story) inReadme(t *testing.T, old string) string {
	t.Helper()
	const start, end = "<!-- a session, written by make e2e -->\n", "<!-- end of the session -->"
	before, rest, ok := strings.Cut(old, start)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("the README has no place for the session: %s…%s", start, end)
	}
	return before + start + `
What the model reads beside a prompt:

` + block("", excerpt(told.told)) + `
What the user sees, here with a guideline against writing to ` + "`generated/`" + `:

` + block("", told.screen()) + "\n" + end + after
}

func block(kind, text string) string {
	return "```" + kind + "\n" + strings.TrimRight(text, "\n") + "\n```\n"
}

// excerpt is what of the injection is about this session.
func excerpt(told string) string {
	var lines []string
	for i, line := range strings.Split(told, "\n") {
		about := strings.Contains(line, "generated-code") || strings.Contains(line, "destructive-workstation")
		switch {
		case i == 0 || about || strings.HasSuffix(line, "what is closed:"):
			lines = append(lines, line)
		case line != "" && lines[len(lines)-1] != "…":
			lines = append(lines, "…")
		}
	}
	return strings.Join(lines, "\n")
}

// screen is the whole conversation, with the dialog where it stood while it was open.
func (told *story) screen() string {
	const before = "● The old code is of no use any more.\n"
	first, rest, _ := strings.Cut(told.end, before)
	return first + before + "\n" + told.question + "\n" + rest
}

func (told *story) table() string {
	out := "| kind | outcome | tool | guideline |\n|---|---|---|---|\n"
	for _, r := range told.records {
		out += fmt.Sprintf("| %s | %s | %s | %s |\n", r.Kind, r.Outcome, r.Tool, r.Guideline)
	}
	return out
}
