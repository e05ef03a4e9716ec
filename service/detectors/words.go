package detectors

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/config"
	"guardrails/detect/advice"
)

// The constant "prefix" is the beginning of a prompt for guardrails, and of each line to a person.
const prefix = "guardrails:"

// The constant "intent" is the word with which a person says what they want to do. The package "advice" does not list
// this word, because it lists only words that dismiss a detection.
const intent = "intent"

// The constant maxIntent is the largest number of characters in an intent. The constant "snooze" says how long no
// line is shown after a person has asked for a pause.
const (
	maxIntent = 500
	snooze    = 15 * time.Minute
)

// parseWord returns the word and the argument of a prompt such as "guardrails: intent write the release notes".
func parseWord(text string) (word, argument string, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) || strings.Contains(text, "\n") {
		return "", "", false
	}
	word, argument, _ = strings.Cut(strings.TrimSpace(text[len(prefix):]), " ")
	word = strings.ToLower(word)
	ok = word == intent || slices.Contains(advice.Tokens(), advice.Token(word))
	return word, strings.TrimSpace(argument), ok
}

// words() returns a text with the words that a person can type to choose one of the options.
func words(options []advice.Option, separator string) string {
	out := make([]string, len(options))
	for i, o := range options {
		out[i] = prefix + " " + string(o.Token)
	}
	return strings.Join(out, separator)
}

// obey() carries out the command that a word stands for, and returns the answer for the person.
func (v *visit) obey(word, argument string) string {
	if !v.Terminal {
		return prefix + " " + word + " is obeyed only if you type it into the client's terminal."
	}
	if !watchesPeople(v.Settings) && v.Settings.ToolLoop == config.Off {
		return prefix + " no detector is switched on, so there is nothing to do. To switch detectors on, run guardrails init --detectors."
	}
	v.clock.presence(v.Now, v.pause())
	return prefix + " " + v.do(word, argument)
}

func (v *visit) do(word, argument string) string {
	s := v.state
	switch advice.Token(word) {
	case advice.FreshContext:
		s.Prompts, s.Answers, s.Wait, s.Cleared = nil, nil, 0, v.Now
		return "the earlier prompts, answers and calls of this session are forgotten."
	case advice.OverrideOnce, advice.SnoozeOnce:
		s.SkipPrompt, s.SkipAnswer, s.SkipLoop = true, true, true
		return "the detectors ignore the next prompt, the answer to this prompt, and a loop in the calls that follow the " +
			"prompt."
	case advice.DisableForSession:
		return v.disable(argument)
	case advice.LowerSensitivity:
		s.Strict = true
		return fmt.Sprintf("in this session, two prompts count as the same question only if their overlap is %.2f or "+
			"more.", closer)
	case advice.Snooze15m:
		s.Snooze = v.Now.Add(snooze)
		return "nothing is shown for 15 minutes."
	case advice.CommitAndClose:
		v.clock.end()
		return "this stretch of work ends here. Save your work now; the clock begins again with your next prompt."
	case advice.ExtendEndOfDay:
		return v.extend(argument)
	case advice.IWantValidation:
		s.switchOff(sycophancy)
		return "in this session, nothing more is said about agreement or reassurance."
	case advice.ExplainTheMatch:
		return s.explain()
	}
	return v.setIntent(argument)
}

// disable() switches off a detector for the session. The parameter "argument" is the name of the detector. If it is
// empty, disable() switches off the detector whose line was shown last. If no line was shown, disable() switches off
// all detectors.
func (v *visit) disable(argument string) string {
	s, chosen := v.state, names()
	switch name := strings.ReplaceAll(strings.ToLower(argument), "_", "-"); {
	case slices.Contains(chosen, name):
		chosen = []string{name}
	case name != "":
		return fmt.Sprintf("there is no detector %q; write one of %s.", argument, strings.Join(chosen, ", "))
	case s.Match != nil:
		chosen = []string{s.Match.Detector}
	}
	for _, name := range chosen {
		s.switchOff(name)
	}
	return strings.Join(chosen, ", ") + " is off until this session ends."
}

func (s *state) switchOff(detector string) {
	if !s.isOff(detector) {
		s.Off = append(s.Off, detector)
	}
}

func (v *visit) extend(argument string) string {
	const form = "15:04"
	end, err := time.Parse(form, argument)
	if err != nil {
		return `write the new end of your day, for example "guardrails: extend-end-of-day 19:30".`
	}
	v.clock.EndOfDay, v.clock.Asked = end.Format(form), v.Now
	return "today, your day ends at " + v.clock.EndOfDay + "."
}

func (v *visit) setIntent(argument string) string {
	if n := utf8.RuneCountInString(argument); n == 0 || n > maxIntent {
		return fmt.Sprintf(`write in up to %d characters what you want to do, for example "guardrails: intent fix the login".`,
			maxIntent)
	}
	v.state.Intent = argument
	if v.Settings.Hyperfocus == config.Off {
		return "your intent is kept until this session ends. It is shown only if the detector hyperfocus is on."
	}
	return "your intent is kept until this session ends. You are reminded of it in a long session."
}

// explain() says why the last line was shown.
func (s *state) explain() string {
	if s.Match == nil {
		return "nothing was shown in this session."
	}
	text := s.Match.Detector + ": " + s.Match.Rule
	if len(s.Match.Details) > 0 {
		text += " Matched: " + strings.Join(s.Match.Details, ", ") + "."
	}
	return text
}
