//go:build e2e

package e2e

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

const generatedCode = `guidelines:
  - id: generated-code
    name: Generated code is not edited by hand
    category: security
    action:
      type: tool_restriction
      tools_denied: ["Write(generated/*)"]
      instruction: The files in generated/ are built from prices.yaml.
      parameters: {instead: change prices.yaml and run make generate.}
`

// story records one session in a project of its own, as the user sees it.
type story struct {
	// setUp is the output of "guardrails init". The field "injected" is the text that the model reads in addition to
	// the prompt. The field "question" is the dialog on the screen. The field "end" is the screen at the end of
	// the session.
	setUp, injected, question, end string
	records                        []record
}

// docs/session.md and the README show the first session of a user. The session begins with an empty home folder. One
// call is denied, one needs an answer, and one is allowed. The page names the version of the client that it shows. For
// other versions, the test checks only the important parts.
func TestTheDocumentedSessionIsCurrent(t *testing.T) {
	t.Parallel()
	for _, client := range clients(t) {
		t.Run(version(client), func(t *testing.T) {
			t.Parallel()
			s := tell(t, client)
			s.end = regexp.MustCompile(`\s+For\s+people:\s+http\S+`).ReplaceAllString(s.end, "") // the port differs each time
			for part, text := range map[string]string{
				"The files in generated/ are built from prices.yaml.": s.injected,
				"Denied by generated-code":                            s.end,
				"hitl-gate-destructive-workstation-op":                s.question,
				"prices.yaml\n":                                       s.end,
			} {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in\n%s", part, text)
				}
			}
			all := clients(t)
			s.check(t, version(client), *update && client == all[len(all)-1])
		})
	}
}

const (
	storyPrompt = "prices are rounded the wrong way, fix it"
	removing    = "The old code is not used any more."
)

// tell() plays the documented session and returns its story.
func tell(t *testing.T, client string) *story {
	s := newStage(t, client)
	s.settle("/home/dev/shop")
	s.file(".claude/guardrails/generated.yaml", generatedCode)
	s.file("old/prices.go", "package old\n")
	played := &story{setUp: s.command(s.bin+"/guardrails", "init")}
	call := func(text string, call fakemodel.Call) fakemodel.Step {
		return func(*fakemodel.Request) fakemodel.Reply {
			return fakemodel.Reply{Text: text, Calls: []fakemodel.Call{call}}
		}
	}
	model := s.model([]fakemodel.Step{
		call("I'll fix the rounding in the generated code.", fakemodel.Write(s.path("generated/prices.go"), "package prices\n")),
		call("It is built from prices.yaml, so I'll change that file instead.", fakemodel.Write(s.path("prices.yaml"), "rounding: half-even\n")),
		call(removing, fakemodel.Call{
			Name: "Bash", Input: map[string]any{"command": "rm -rf old", "description": "Remove the old code"},
		}),
		fakemodel.Say("Prices are rounded half to even now."),
	})
	o := s.options(model)
	o.Columns = 100
	terminal := s.open(model, o)
	terminal.typePrompt(storyPrompt, "Do you want to proceed?")
	played.question = terminal.dialog()
	terminal.chooses("Yes")
	terminal.shows("half to even now.")
	played.end = terminal.conversation()
	terminal.quitClient()
	played.injected = injection(t, model)
	played.records = s.spool()
	played.normalise(s)
	return played
}

// settle() moves the project to a folder whose name is as long as the name in the document. The client then breaks
// lines after the same words as in the document.
func (s *stage) settle(shown string) {
	s.t.Helper()
	const start = "/tmp/"
	name := make([]byte, len(shown))
	if _, err := rand.Read(name); err != nil {
		s.t.Fatal(err)
	}
	s.project = start + hex.EncodeToString(name)[:len(shown)-len(start)]
	if err := os.Mkdir(s.project, 0o755); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = os.RemoveAll(s.project) })
	s.command("git", "init", "-q")
}

// ruler is the beginning of a horizontal line that the client draws on the screen.
const ruler = "\n──────────"

// dialog() returns the part of the screen below the last ruler.
func (t *terminal) dialog() string {
	t.s.t.Helper()
	seen, err := t.Settled(t.ctx, func(screen string) string {
		dialog := screen[strings.LastIndex(screen, ruler)+1:]
		if !strings.Contains(dialog, "Esc to cancel") {
			return ""
		}
		return dialog
	})
	t.must(err)
	return seen
}

// conversation() returns the part of the screen from the prompt to the input line, without animations.
func (t *terminal) conversation() string {
	t.s.t.Helper()
	moving := regexp.MustCompile(`(?m)^[✢✳✶✻✽·∗*] .*$`)
	seen, err := t.Settled(t.ctx, func(screen string) string {
		_, rest, _ := strings.Cut(screen, "❯ "+storyPrompt)
		rest, _, _ = strings.Cut(rest, ruler)
		return "❯ " + storyPrompt + moving.ReplaceAllString(rest, "")
	})
	t.must(err)
	return seen
}

// injection() returns the text that the hook added at the start of the session. It removes the date that the client
// adds after this text.
func injection(t *testing.T, model *fakemodel.Model) string {
	t.Helper()
	for _, text := range model.Requests(fakemodel.MainThread)[0].Said() {
		if _, added, ok := strings.Cut(text, "SessionStart hook additional context: "); ok {
			return ownParagraphs(added)
		}
	}
	t.Fatal("the model received nothing at the start of the session")
	return ""
}

// ownParagraphs returns the text that comes from guardrails: a paragraph, and lists under headings. It leaves out the
// text that the client adds after the text from guardrails.
func ownParagraphs(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	n := 1
	for n < len(paragraphs) && strings.Contains(paragraphs[n], ":\n- ") {
		n++
	}
	return strings.Join(paragraphs[:n], "\n\n")
}

func (played *story) normalise(s *stage) {
	n := strings.NewReplacer(s.project, "/home/dev/shop", s.bin, "/home/dev/.local/bin", s.home, "/home/dev")
	code := regexp.MustCompile(`allow-once [A-Z0-9]{8}`)
	trailing := regexp.MustCompile(`(?m)[ \x{a0}]+$`)
	blank := regexp.MustCompile(`\n{3,}`)
	for _, text := range []*string{&played.setUp, &played.injected, &played.question, &played.end} {
		*text = code.ReplaceAllString(n.Replace(*text), "allow-once K7WQ2MXA")
		*text = blank.ReplaceAllString(trailing.ReplaceAllString(*text, ""), "\n\n")
		*text = strings.Trim(*text, "\n")
	}
}
