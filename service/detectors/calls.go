package detectors

import (
	"fmt"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/detect/effect"
	"guardrails/detect/loop"
	"guardrails/hooks/session"
	"guardrails/internal/document"
)

// Calls has the last tool calls of an agent, in the form in which the hook stores them.
type Calls struct {
	Event
	Agent string
	// Text is the name of the tool of the last call, followed by the lines of the calls.
	Text string
}

// Calls is a method that returns a note for an agent whose calls are a loop. The agent does not get the same note again
// soon afterwards.
func (d *Desk) Calls(c *Calls) (r Reply, err error) {
	tool, lines, _ := strings.Cut(c.Text, "\n")
	calls := session.Calls("\n" + lines)
	if c.Session == "" || c.Settings.ToolLoop == config.Off || len(calls) == 0 {
		return r, nil
	}
	a := loop.Check(loopInput(tool, calls))
	if !a.Detected || a.Confidence < confident {
		return r, nil
	}
	f, unlock, err := d.open()
	if err != nil {
		return r, err
	}
	defer unlock()
	s := f.load(c.Session)
	if s.isOff(toolLoop) || c.Now.Before(s.Snooze) {
		return r, nil
	}
	if c.Settings.ToolLoop != config.Ask {
		a.Level = loop.LevelNote
	}
	key := c.Agent + " " + calls[len(calls)-1].Result + " " + string(a.Level)
	switch said, known := s.Loops[key]; {
	case s.SkipLoop:
		s.SkipLoop = false
	case known && c.Now.Sub(said) < quiet:
		r.Ask = a.Level == loop.LevelAsk
		return r, nil
	default:
		r = Reply{
			Note: loopNote(a, c.Settings), Ask: a.Level == loop.LevelAsk,
			Detection: &Detection{effect.ToolLoop, string(a.Level), a.Count, a.Confidence},
		}
		s.Match = &match{toolLoop, fmt.Sprintf("%s %s", a.Reason, a.Heuristic.Description), nil}
	}
	s.noteLoop(key, c.Now)
	return r, f.save(c.Session, s)
}

// noteLoop records that an agent received a note about a loop. It forgets each note whose age is at least as long as
// the constant "quiet".
func (s *state) noteLoop(key string, now time.Time) {
	kept := map[string]time.Time{key: now}
	for other, said := range s.Loops {
		if now.Sub(said) < quiet {
			kept[other] = said
		}
	}
	s.Loops = kept
}

// loopInput returns the calls in the form that the detector compares. The result has hashes in place of the inputs,
// results and errors.
func loopInput(tool string, calls []session.Call) *loop.Input {
	in := &loop.Input{}
	in.NoteAt, in.AskAt = loop.Defaults()
	for i := range calls {
		c := &calls[i]
		in.Calls = append(in.Calls, loop.Call{
			Tool: tool, Input: &document.Node{Kind: document.String, Text: c.Result}, OK: !c.Failed,
			Error: letters(c.Result), At: &c.At, Test: c.Test, Progress: c.Progress,
		})
	}
	return in
}

// letters() returns a hash with letters in place of digits, because the detector does not compare numbers in errors.
func letters(hash string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + 'g'
		}
		return r - 'a' + 'q'
	}, hash)
}

// loopNote returns the note for the agent.
func loopNote(a *loop.Answer, s *config.Detectors) string {
	note := fmt.Sprintf("%s %s If this is intended, go on. The user can dismiss this with %s.", prefix, a.Reason,
		words(a.OverrideOptions, ", "))
	if s.FeedbackURL != "" {
		note += " A wrong note can be reported: " + s.FeedbackURL
	}
	return note
}
