package detectors_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/hooks/session"
	"guardrails/service/detectors"
)

// An agent makes calls. It passes them on in the form in which a hook reports them.
type agent struct {
	*person
	lines []string
}

// makeCall makes a call with a result, and returns the note for the agent. The hook asks the desk only if several calls
// had the same result. Otherwise, there is no note.
func (a *agent) makeCall(result string, kind int64) string {
	a.t.Helper()
	a.after(time.Second)
	line := fmt.Sprintf("%016x%016x%s", []byte(result + strings.Repeat(" ", 8))[:8], len(a.lines),
		strconv.FormatInt(session.Kinds*a.now.Unix()+kind, 10))
	a.lines = append(a.lines, line)
	return a.reports("a1").Note
}

func (a *agent) reports(id string) detectors.Reply {
	a.t.Helper()
	text := "Bash"
	for _, line := range a.lines[max(0, len(a.lines)-20):] {
		text += "\n" + line + "\n"
	}
	r, err := a.desk.Calls(&detectors.Calls{Event: a.event("s1"), Agent: id, Text: text})
	if err != nil {
		a.t.Fatal(err)
	}
	return r
}

// notedCalls makes calls. It returns the positions of the calls that got a note.
func (a *agent) notedCalls(calls string) string {
	var at []string
	for i, name := range strings.Fields(calls) {
		kind := int64(session.Succeeded)
		switch {
		case strings.HasSuffix(name, "!"):
			kind = session.Failed
		case strings.HasSuffix(name, "?"):
			kind = session.FailedTest
		case strings.HasSuffix(name, "+"):
			kind = session.Progress
		case strings.HasSuffix(name, "~"):
			a.after(2 * time.Minute)
		}
		if a.makeCall(strings.TrimRight(name, "!?+~"), kind) != "" {
			at = append(at, strconv.Itoa(i+1))
		}
	}
	return strings.Join(at, " ")
}

func TestAnAgentInALoopGetsOneNote(t *testing.T) {
	for calls, want := range map[string]string{
		// These calls are loops.
		"a a a a a a a": "4", "x y a z a a a": "7", "e! e! e!": "3", "e! a e! b+ e! e!": "5", "a b a b a b": "6",
		"e? e? e? e?": "4", "a a a a b b b b": "4 8",
		// These calls look similar, but they are not loops.
		"a a a": "", "a b c d e f g": "", "a e? b+ e? c+ e? d+ e?": "", "s w+ s w+ s w+ s w+ s": "", "p~ p~ p~ p~ p~": "",
		"w+ w+ w+ w+ w+ w+": "", "e! f! e! f!": "",
	} {
		a := &agent{person: newPerson(t)}
		if got := a.notedCalls(calls); got != want {
			t.Errorf("%s: notes at %q, want %q", calls, got, want)
		}
	}
}

func TestANoteSaysWhatHappenedAndHowToDismissIt(t *testing.T) {
	a := &agent{person: newPerson(t)}
	a.notedCalls("e! e!")
	a.shows(a.makeCall("e", session.Failed), `3 of the last 3 calls failed in "Bash" with the same error.`,
		"guardrails: override-once", "guardrails: disable-for-session", "guardrails: fresh-context", "https://")
}

func TestALoopCanBeDismissed(t *testing.T) {
	for word, want := range map[string]string{
		"guardrails: override-once": "", "guardrails: disable-for-session tool-loop": "", "guardrails: disable-for-session": "",
		"guardrails: disable-for-session rumination": "4",
	} {
		a := &agent{person: newPerson(t)}
		a.types(word)
		if got := a.notedCalls("a a a a a"); got != want {
			t.Errorf("%s: notes at %q, want %q", word, got, want)
		}
	}
}

func TestCallsOfASwitchedOffDetectorAreNotNoted(t *testing.T) {
	a := &agent{person: newPerson(t)}
	a.settings.ToolLoop = config.Off
	if got := a.notedCalls("a a a a a"); got != "" {
		t.Errorf("notes at %q", got)
	}
}

func TestACallThatTwoHooksReportCountsOnce(t *testing.T) {
	a := &agent{person: newPerson(t)}
	a.makeCall("a", session.Succeeded)
	a.lines = append(a.lines, a.lines[0], a.lines[0], a.lines[0])
	a.shows(a.reports("a1").Note, "")
}

func TestEachAgentHasItsOwnNote(t *testing.T) {
	a := &agent{person: newPerson(t)}
	a.notedCalls("a a a a")
	a.shows(a.reports("a1").Note, "")
	a.shows(a.reports("a2").Note, "4 times")
}

func TestAPersonIsAskedOnlyAboutALongLoopAndOnlyIfTheSettingsSaySo(t *testing.T) {
	for mode, want := range map[string]string{config.Note: "", config.Ask: "6 7"} {
		a := &agent{person: newPerson(t)}
		a.settings.ToolLoop = mode
		var asked []string
		for i := range 7 {
			a.makeCall("a", session.Succeeded)
			if a.reports("a1").Ask {
				asked = append(asked, strconv.Itoa(i+1))
			}
		}
		if got := strings.Join(asked, " "); got != want {
			t.Errorf("%s: asked about %q, want %q", mode, got, want)
		}
	}
}

func TestOverrideOnceDoesNotHideALaterLoop(t *testing.T) {
	a := &agent{person: newPerson(t)}
	a.types("guardrails: override-once")
	a.types("look at the file")
	a.types("look at the other file")
	if got := a.notedCalls("a a a a a"); got != "4" {
		t.Errorf("notes at %q", got)
	}
}
