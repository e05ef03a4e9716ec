package detectors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/internal/private"
	"guardrails/service/detectors"
)

// A person has a clock that the test moves.
type person struct {
	t        *testing.T
	dir      *private.Dir
	desk     *detectors.Desk
	settings config.Detectors
	now      time.Time
}

func newPerson(t *testing.T) *person {
	t.Helper()
	dir, err := private.Open(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	return &person{
		t: t, dir: dir, desk: detectors.New(func() (*private.Dir, error) { return dir, nil }),
		now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC),
		settings: config.Detectors{
			Rumination: config.Note, Hyperfocus: config.Note, Sycophancy: config.Note, ToolLoop: config.Note,
			WindowMinutes: 90, ThresholdCount: 3, SimilarityThreshold: 0.55, BreakMinutes: 90, PauseMinutes: 20,
			FeedbackURL: "https://github.com/you/project/issues/new",
		},
	}
}

func (p *person) event(session string) detectors.Event {
	return detectors.Event{Session: session, Settings: &p.settings, Now: p.now}
}

// typeIn types a prompt into a session. It returns the line that is shown.
func (p *person) typeIn(session, text string) string {
	p.t.Helper()
	r, err := p.desk.Prompt(&detectors.Prompt{Event: p.event(session), Text: text, Terminal: true})
	if err != nil {
		p.t.Fatal(err)
	}
	return r.Line
}

func (p *person) types(text string) string {
	p.t.Helper()
	return p.typeIn("s1", text)
}

// typeRepeatedly types a prompt several times, three minutes apart, and checks that nothing is shown.
func (p *person) typeRepeatedly(text string, times int) {
	p.t.Helper()
	for range times {
		p.shows(p.types(text), "")
		p.after(3 * time.Minute)
	}
}

func (p *person) after(d time.Duration) { p.now = p.now.Add(d) }

// workFor types different prompts, ten minutes apart, until a time has passed. It returns the lines that are
// shown.
func (p *person) workFor(d time.Duration) (lines []string) {
	p.t.Helper()
	for end := p.now.Add(d); p.now.Before(end); {
		p.after(min(10*time.Minute, end.Sub(p.now)))
		if line := p.types("look at item" + strings.Repeat("x", p.now.Hour()*60+p.now.Minute())); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// shows() checks that a line has all the given parts. If no parts are given, the line must be empty.
func (p *person) shows(line string, parts ...string) {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(line, part) || part == "" && line != "" {
			p.t.Errorf("%q, want %q", line, part)
		}
	}
	if strings.Contains(line, "\n") {
		p.t.Errorf("more than one line: %q", line)
	}
}

const question = "is the migration safe to run on prod?"

func TestTheFourthAskingOfAQuestionShowsOneLineWithItsWords(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly(question, 3)
	p.shows(p.types(question), "You already asked this 3 times within 9 minutes.", "guardrails: fresh-context",
		"guardrails: override-once", "guardrails: disable-for-session", "guardrails: lower-sensitivity", "https://")
	p.after(time.Minute)
	p.shows(p.types(question), "")
	p.after(16 * time.Minute)
	p.shows(p.types(question), "")
}

func TestOtherQuestionsAndSingleWordsShowNothing(t *testing.T) {
	for _, prompts := range [][]string{
		{"continue", "continue", "continue", "continue", "continue"},
		{"fix the login form", "add a test for the parser", "why does the build fail?", "rename the package store"},
		{question, question, question, "now write the release notes"},
	} {
		p := newPerson(t)
		for _, text := range prompts {
			p.shows(p.types(text), "")
		}
	}
}

func TestAQuestionOfAnotherSessionDoesNotCount(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly(question, 3)
	p.shows(p.typeIn("s2", question), "")
	p.shows(p.types(question), "You already asked this")
	p.shows(p.typeIn("s2", question), "")
}

func TestAnOldQuestionDoesNotCount(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly(question, 3)
	p.after(91 * time.Minute)
	p.shows(p.types(question), "")
}

func TestADetectorThatIsOffShowsNothing(t *testing.T) {
	p := newPerson(t)
	p.settings.Rumination, p.settings.Hyperfocus, p.settings.Sycophancy = config.Off, config.Off, config.Off
	p.typeRepeatedly(question, 6)
	names, err := p.dir.List("")
	if err != nil || len(names) > 0 {
		t.Errorf("kept %v, %v", names, err)
	}
}

func TestWordsOfAPersonAreObeyed(t *testing.T) {
	for name, c := range map[string]struct {
		word, answer string
		// The field "then" is a part of the line that the next question causes. It is empty if there must be no line.
		then string
	}{
		"the detectors ignore the next prompt": {"guardrails: override-once", "next prompt", ""},
		"earlier prompts are forgotten":        {"Guardrails:  fresh-context", "forgotten", ""},
		"one detector is off":                  {"guardrails: disable-for-session rumination", "rumination is off until", ""},
		"all detectors are off":                {"guardrails: disable-for-session", "rumination, hyperfocus, sycophancy, tool-loop", ""},
		"another detector is off":              {"guardrails: disable-for-session hyperfocus", "hyperfocus is off", "You already asked"},
		"there is no such detector":            {"guardrails: disable-for-session all", "there is no detector", "You already asked"},
		"nothing is shown for a while":         {"guardrails: snooze-15m", "15 minutes", ""},
		"validation is wanted":                 {"guardrails: i-want-validation", "agreement or reassurance", "You already asked"},
		"nothing is to explain":                {"guardrails: explain-the-match", "nothing was shown", "You already asked"},
		"the day ends later":                   {"guardrails: extend-end-of-day 19:30", "ends at 19:30", "You already asked"},
		"a time is missing":                    {"guardrails: extend-end-of-day soon", "write the new end", "You already asked"},
		"an intent is kept":                    {"guardrails: intent ship it", "kept until", "You already asked"},
		"an intent is missing":                 {"guardrails: intent", "what you want to do", "You already asked"},
		"only close questions count":           {"guardrails: lower-sensitivity", "0.75", "You already asked"},
		"the stretch ends":                     {"guardrails: commit-and-close", "ends here", "You already asked"},
		"other words are prompts":              {"guardrails: hello", "", "You already asked"},
		"more lines are a prompt":              {"guardrails: override-once\nplease", "", "You already asked"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t)
			p.typeRepeatedly(question, 3)
			p.shows(p.types(c.word), c.answer)
			p.shows(p.types(question), c.then)
		})
	}
}

func TestOverrideOnceIsValidForOnePrompt(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly(question, 3)
	p.types("guardrails: override-once")
	p.typeRepeatedly(question, 1)
	p.shows(p.types(question), "You already asked this 4 times")
}

func TestAfterLowerSensitivityOnlyCloseQuestionsCount(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly("deploy the new billing service", 3)
	p.types("guardrails: lower-sensitivity")
	p.shows(p.types("deploy the billing service tonight"), "")
	p.shows(p.types("deploy the new billing service"), "You already asked")
}

func TestWordsAreObeyedOnlyInATerminal(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly(question, 3)
	r, err := p.desk.Prompt(&detectors.Prompt{Event: p.event("s1"), Text: "guardrails: fresh-context"})
	if err != nil {
		t.Fatal(err)
	}
	p.shows(r.Line, "only if you type it into the client's terminal")
	p.shows(p.types(question), "You already asked")
}

func TestAnExplanationHasTimesAndNoTexts(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly(question, 3)
	p.types(question)
	explained := p.types("guardrails: explain-the-match")
	p.shows(explained, "rumination: ", "10:00 1.00, 10:03 1.00, 10:06 1.00")
	if strings.Contains(explained, "migration") {
		t.Errorf("%q", explained)
	}
}

func TestAskingForReassuranceIsShown(t *testing.T) {
	p := newPerson(t)
	p.settings.Rumination = config.Off
	for _, text := range []string{"is shipping the v0.2 RFC today the right call?", "am I sure I should ship the RFC today?"} {
		p.shows(p.types(text), "")
		p.after(time.Minute)
	}
	p.shows(p.types("should we really go ahead with the RFC today?"), "You asked 3 times within 2 minutes",
		"guardrails: i-want-validation", "guardrails: explain-the-match")
}

func TestThreeDecisionsAreNoReassurance(t *testing.T) {
	p := newPerson(t)
	for _, text := range []string{
		"is this ok for the css colour?", "is it okay to delete the migration folder", "am I sure the invoice test passes",
	} {
		p.shows(p.types(text), "")
	}
}

func TestThePatternThatIsOffIsNotShown(t *testing.T) {
	p := newPerson(t)
	p.settings.Rumination, p.settings.PatternsOff = config.Off, []string{"repeated_reassurance_request"}
	p.typeRepeatedly("am I sure I should ship the RFC today?", 5)
}

func TestALongStretchShowsEachLevelOnce(t *testing.T) {
	p := newPerson(t)
	p.types("good morning everybody")
	for _, step := range []struct {
		minutes time.Duration
		want    string
	}{
		{59, ""},
		{1, ""},
		{6, "You have worked for 66 minutes"},
		{4, ""},
		{20, "You have worked for 90 minutes"},
		{20, ""},
		{10, "You have worked for 120 minutes"},
		{60, ""},
	} {
		lines := p.workFor(step.minutes * time.Minute)
		if p.shows(strings.Join(lines, " | "), step.want); len(lines) > 1 {
			t.Errorf("%d minutes: %q", step.minutes, lines)
		}
	}
}

func TestALevelIsShownOnceInAllSessions(t *testing.T) {
	p := newPerson(t)
	p.types("good morning everybody")
	if lines := p.workFor(70 * time.Minute); len(lines) != 1 {
		t.Fatalf("%q", lines)
	}
	p.after(15 * time.Minute)
	p.shows(p.typeIn("s2", "another session"), "")
	p.after(6 * time.Minute)
	p.shows(p.typeIn("s2", "another prompt"), "You have worked for 91 minutes", "guardrails: snooze-15m",
		"guardrails: commit-and-close", "guardrails: extend-end-of-day", "guardrails: disable-for-session")
	p.shows(p.types("back here"), "")
}

func TestAPauseBeginsANewStretch(t *testing.T) {
	p := newPerson(t)
	p.types("good morning everybody")
	p.workFor(60 * time.Minute)
	p.after(20 * time.Minute)
	p.shows(p.types("back from lunch"), "")
	if lines := p.workFor(60 * time.Minute); len(lines) > 0 {
		t.Errorf("%q", lines)
	}
}

func TestAnAnsweredQuestionKeepsTheStretchGoing(t *testing.T) {
	for name, answers := range map[string][]time.Duration{
		"You have worked for": {15 * time.Minute, 30 * time.Minute, 48 * time.Minute}, "": {15 * time.Minute},
	} {
		p := newPerson(t)
		p.types("good morning everybody")
		for _, after := range answers {
			at := p.now.Add(after).Format(time.RFC3339Nano)
			if err := p.dir.Append("presence", []byte(at)); err != nil {
				t.Fatal(err)
			}
		}
		p.after(66 * time.Minute)
		p.shows(p.types("what did the agent do?"), name)
		if _, left := p.dir.Seen("presence"); left {
			t.Error("the answers are still there")
		}
	}
}

func TestCommitAndCloseEndsTheStretch(t *testing.T) {
	p := newPerson(t)
	p.types("good morning everybody")
	p.workFor(60 * time.Minute)
	p.types("guardrails: commit-and-close")
	if lines := p.workFor(60 * time.Minute); len(lines) > 0 {
		t.Errorf("%q", lines)
	}
}

func TestTheEndOfTheDayAndTheIntentAreShown(t *testing.T) {
	p := newPerson(t)
	p.settings.EndOfDay = "11:00"
	p.types("guardrails: intent Fix the login.")
	p.shows(strings.Join(p.workFor(90*time.Minute), " | "), "Your day ended at 11:00.", "You wanted to: Fix the login.")
}

func TestAnExtendedDayIsNotOverYet(t *testing.T) {
	p := newPerson(t)
	p.settings.EndOfDay = "11:00"
	p.types("guardrails: extend-end-of-day 19:30")
	for _, line := range p.workFor(110 * time.Minute) {
		if strings.Contains(line, "Your day ended") {
			t.Error(line)
		}
	}
}

func TestNothingIsShownTwiceWithinAQuarterOfAnHour(t *testing.T) {
	p := newPerson(t)
	p.types("good morning everybody")
	p.workFor(64 * time.Minute)
	for range 3 {
		p.shows(p.types(question), "")
	}
	p.shows(p.types(question), "You already asked this 3 times within 1 minute.")
	for range 14 {
		p.after(time.Minute)
		p.shows(p.types("something else"+p.now.Format("1504")), "")
	}
	p.after(time.Minute)
	p.shows(p.types("now the clock may speak"), "You have worked for 79 minutes")
}

func TestNoWordOfAPromptIsKept(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly(question, 3)
	p.types(question)
	p.types("am I sure the zebra migration is the right call?")
	kept := 0
	names, err := p.dir.List("")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(p.dir.Path(name))
		if err != nil {
			t.Fatal(err)
		}
		kept += len(text)
		for _, word := range []string{"migration", "safe", "prod", "zebra", "right call"} {
			if strings.Contains(strings.ToLower(string(text)), word) {
				t.Errorf("%s has the word %s", name, word)
			}
		}
		info, err := os.Stat(p.dir.Path(name))
		if err != nil || info.Mode().Perm() != 0o600 && filepath.Separator == '/' {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if kept == 0 {
		t.Error("nothing is kept")
	}
}

func TestADamagedFileCountsAsMissing(t *testing.T) {
	p := newPerson(t)
	p.typeRepeatedly(question, 3)
	for _, name := range []string{"clock", "guardrails-s1.talk"} {
		if err := p.dir.Write(name, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	p.typeRepeatedly(question, 3)
	p.shows(p.types(question), "You already asked this 3 times")
}
