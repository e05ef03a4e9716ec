package detectors

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/detect/advice"
	"guardrails/detect/effect"
	"guardrails/detect/talk"
	"guardrails/hooks/session"
)

// Prompt is a prompt that a person typed.
type Prompt struct {
	Event
	Text string
	// Terminal is set if the person typed the prompt into the client's terminal. Only then do words such as
	// "guardrails: override-once" have an effect.
	Terminal bool
}

// The constant "quiet" says how long no other line is shown after a line was shown to the person.
const quiet = 15 * time.Minute

// Prompt is a method that records a prompt and returns a line for the person. The error says why the state cannot be
// saved.
func (d *Desk) Prompt(p *Prompt) (r Reply, err error) {
	word, argument, isWord := parseWord(p.Text)
	if p.Session == "" || !isWord && !watchesPeople(p.Settings) {
		return r, nil
	}
	f, unlock, err := d.open()
	if err != nil {
		return r, err
	}
	defer unlock()
	v := &visit{Prompt: p, state: f.load(p.Session), clock: f.clock()}
	v.state.Obeyed = isWord
	f.answered(v.clock, v.pause())
	if isWord {
		r.Line = v.obey(word, argument)
	} else if found := v.look(); found != nil {
		r.Line, r.Detection = found.line(p.Settings), &found.Detection
	}
	return r, errors.Join(f.mark(p), f.save(p.Session, v.state), f.saveClock(v.clock))
}

// mark() creates or removes a marker file. While this file exists, the hook passes final answers to the desk.
func (f *files) mark(p *Prompt) error {
	name := session.AnswersName(p.Session)
	_, marked := f.dir.Seen(name)
	switch wanted := p.Settings.Sycophancy != config.Off; {
	case wanted && !marked:
		return f.dir.Touch(name)
	case !wanted && marked:
		_, err := f.dir.Remove(name)
		return err
	}
	return nil
}

// A visit handles one prompt. It has the state of the session after the earlier prompts.
type visit struct {
	*Prompt
	state *state
	clock *clock
}

// pause() returns how long the person must be away before a new stretch of work begins.
func (v *visit) pause() time.Duration { return time.Duration(v.Settings.PauseMinutes) * time.Minute }

// A finding is something that a detector noticed.
type finding struct {
	Detection
	detector string
	// The field "text" says what the detector counted.
	text    string
	options []advice.Option
	match   match
}

// look() lets the detectors look at the prompt. It returns the first finding that may be shown, or nil.
func (v *visit) look() *finding {
	s, now := v.state, v.Now
	v.clock.presence(now, v.pause())
	if !s.Stretch.Equal(v.clock.Since) {
		s.Stretch, s.Shown = v.clock.Since, nil
	}
	current, history := s.digest(v.Text, now), s.history()
	s.remember(&current)
	if s.SkipPrompt {
		s.SkipPrompt = false
		return nil
	}
	s.SkipAnswer, s.SkipLoop = false, false
	if now.Before(s.Snooze) {
		return nil
	}
	for _, f := range []*finding{v.rumination(&current, history), v.reassurance(&current, history), v.hyperfocus()} {
		if f != nil && v.mayShow(f) {
			v.noteShown(f)
			return f
		}
	}
	return nil
}

// mayShow reports whether a finding may be shown. The same finding is shown only once in a stretch of work, and no
// finding is shown soon after another finding.
func (v *visit) mayShow(f *finding) bool {
	shown, said := v.state.Shown, v.state.Said
	if f.detector == hyperfocus {
		shown = v.clock.Shown
		if v.clock.Said.After(said) {
			said = v.clock.Said
		}
	}
	return !slices.Contains(shown, f.key()) && v.Now.Sub(said) >= quiet
}

func (f *finding) key() string { return f.detector + " " + f.Result }

func (v *visit) noteShown(f *finding) {
	v.state.Said, v.state.Match = v.Now, &f.match
	if f.detector == hyperfocus {
		v.clock.Said, v.clock.Shown = v.Now, append(v.clock.Shown, f.key())
	} else {
		v.state.Shown = append(v.state.Shown, f.key())
	}
}

// line() returns the line for the person. It says what was counted, which words dismiss the finding, and where to
// report a false alarm.
func (f *finding) line(s *config.Detectors) string {
	line := fmt.Sprintf("%s %s To dismiss this, type %s.", prefix, f.text, words(f.options, " · "))
	if s.FeedbackURL != "" {
		line += " Is this wrong? Report it: " + s.FeedbackURL
	}
	return line
}

// isWatching reports whether a detector is switched on in this session.
func (v *visit) isWatching(detector, setting string) bool {
	return setting != config.Off && !v.state.isOff(detector)
}

// Detected is the result of a detector that has no levels.
const Detected = "detected"

// The constant "confident" is the lowest confidence with which a detection is shown.
const confident = 0.5

// If the user has typed the word "lower-sensitivity", two prompts count as the same only if their similarity is at
// least the value of the constant "closer".
const closer = 0.75

func (v *visit) rumination(current *talk.Digest, history []talk.Digest) *finding {
	if !v.isWatching(rumination, v.Settings.Rumination) || current.IsShort() {
		return nil
	}
	in := &talk.Rumination{
		WindowMinutes: v.Settings.WindowMinutes, Threshold: v.Settings.ThresholdCount,
		Similarity: v.Settings.SimilarityThreshold,
	}
	if v.state.Strict {
		in.Similarity = max(in.Similarity, closer)
	}
	a := talk.CheckRepetition(in, current, history)
	if !a.Detected || a.Confidence < confident {
		return nil
	}
	f := &finding{
		Detection: Detection{effect.Rumination, Detected, a.Count, a.Confidence},
		detector:  rumination, options: a.OverrideOptions,
		text:  fmt.Sprintf("You already asked this %d times within %s.", a.Count, v.timeSince(a.SimilarPrompts[0].At)),
		match: match{rumination, fmt.Sprintf("%s %s", a.Reason, a.Heuristic.Description), nil},
	}
	for _, similar := range a.SimilarPrompts {
		f.match.Details = append(f.match.Details, fmt.Sprintf("%s %.2f", clockTime(similar.At), similar.Similarity))
	}
	return f
}

func (v *visit) reassurance(current *talk.Digest, history []talk.Digest) *finding {
	isPatternOff := slices.Contains(v.Settings.PatternsOff, string(talk.PatternReassurance))
	if !v.isWatching(sycophancy, v.Settings.Sycophancy) || !current.Asks || isPatternOff {
		return nil
	}
	oldest := v.Now.Add(-time.Duration(v.Settings.WindowMinutes) * time.Minute)
	recent := slices.DeleteFunc(slices.Clone(history), func(d talk.Digest) bool { return d.At.Before(oldest) })
	a := talk.CheckReassurance(append(recent, *current))
	if !a.Detected || a.Confidence < confident {
		return nil
	}
	f := &finding{
		Detection: Detection{effect.Sycophancy, Detected, len(a.MatchedSpans), a.Confidence},
		detector:  sycophancy, options: a.OverrideOptions,
		text: fmt.Sprintf("You asked %d times within %s whether the same decision is right.", len(a.MatchedSpans),
			v.timeSince(a.MatchedSpans[0].At)),
		match: match{sycophancy, a.Heuristic.Description, nil},
	}
	for _, span := range a.MatchedSpans {
		f.match.Details = append(f.match.Details, clockTime(span.At))
	}
	return f
}

func (v *visit) hyperfocus() *finding {
	if !v.isWatching(hyperfocus, v.Settings.Hyperfocus) {
		return nil
	}
	a, level := v.clock.check(v.Settings.EndOfDay, v.Settings.BreakMinutes, v.Now)
	if level == talk.LevelNone || a.Confidence < confident {
		return nil
	}
	text := fmt.Sprintf("You have worked for %s without a break of %s.", minutes(a.ElapsedSeconds/60),
		minutes(v.Settings.PauseMinutes))
	if end := v.clock.endOfDay(v.Settings.EndOfDay, v.Now); end != nil && a.SinceEnd != "" {
		text += fmt.Sprintf(" Your day ended at %02d:%02d.", *end/60, *end%60)
	}
	if v.state.Intent != "" {
		text += fmt.Sprintf(" You wanted to: %s.", strings.TrimRight(v.state.Intent, "."))
	}
	return &finding{
		Detection: Detection{effect.Hyperfocus, string(level), a.ElapsedSeconds / 60, a.Confidence},
		detector:  hyperfocus, text: text, options: a.OverrideOptions,
		match: match{hyperfocus, fmt.Sprintf("%s %s", a.Reason, a.Heuristic.Description), nil},
	}
}

// timeSince returns how long ago a time was, such as "47 minutes".
func (v *visit) timeSince(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return "this session" // impossible: this package wrote the time
	}
	return minutes(max(1, int(v.Now.Sub(t).Round(time.Minute)/time.Minute)))
}

func minutes(n int) string {
	if n == 1 {
		return "1 minute"
	}
	return fmt.Sprintf("%d minutes", n)
}

// clockTime returns the hour and the minute of a time.
func clockTime(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return at
	}
	return t.Format("15:04")
}
