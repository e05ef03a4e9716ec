package replay

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"guardrails/decide"
	"guardrails/decide/rejudge"
	"guardrails/internal/spool"
	"guardrails/store"
)

// The limits of a replay.
const (
	// DefaultCalls and MaxCalls are the usual and the largest number of calls that are judged again.
	DefaultCalls = 20_000
	MaxCalls     = 200_000
	// MaxTime is how long a replay may take.
	MaxTime = 5 * time.Minute
	// maxGroups and maxExamples limit the size of a report.
	maxGroups   = 200
	maxExamples = 20
	// The constant "every" is the number of entries between two reports on the progress.
	every = 500
)

// Outcome is the result of judging a call again.
type Outcome struct {
	Would *decide.Decision
	// ByDraft is set if only the draft changes the decision: the saved guidelines would still make the recorded
	// decision. ByDraft matters only if the field Would differs from the record.
	ByDraft bool
	// Missing says why the call cannot be judged again, or is "".
	Missing string
}

// Judge judges a recorded call again.
type Judge func(e *store.Entry, c *rejudge.Call, recorded Verdict) (Outcome, error)

// Options configures a replay.
type Options struct {
	Judge Judge
	// Calls is the largest number of calls that are judged again. If it is 0 or larger than MaxCalls, DefaultCalls
	// applies.
	Calls int
	// Progress is called from time to time with the report so far. If Progress returns an error, the replay ends.
	Progress func(*Report) error
}

// Run judges the calls of the entries again. If it reaches one of the limits of a replay, it ends early and sets
// Truncated.
func Run(ctx context.Context, entries iter.Seq2[store.Entry, error], o Options) (*Report, error) {
	r := &run{Options: o, report: Report{Reasons: []Reason{}, Groups: []Group{}, Notices: []string{}}}
	if r.Calls <= 0 {
		r.Calls = DefaultCalls
	}
	r.Calls = min(r.Calls, MaxCalls)
	limited, stop := context.WithTimeout(ctx, MaxTime)
	defer stop()
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		if r.report.Calls >= r.Calls || limited.Err() != nil {
			r.report.Truncated, r.report.TimeOver = true, r.report.Calls < r.Calls
			break
		}
		if err := r.entry(&e); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.sort()
	return &r.report, nil
}

type run struct {
	Options
	report Report
}

func (r *run) entry(e *store.Entry) error {
	r.report.Read++
	if isCall(e) {
		if err := r.call(e); err != nil {
			return err
		}
	}
	if r.report.Read%every == 0 && r.Progress != nil {
		return r.Progress(&r.report)
	}
	return nil
}

// isCall reports whether an entry is a hook's decision about a call. It returns false for other entries about the same
// call, such as the answer of a person.
func isCall(e *store.Entry) bool {
	if e.Kind != store.KindDecision || e.Decision == nil || textOf(e, "source") == spool.FromService {
		return false
	}
	if e.Decision.Tool == "" {
		// The hook could not read this event. If the event is not a call, the recorded result is allow.
		return e.Event == "unreadable" && e.Decision.Result != string(decide.Allow)
	}
	return slices.Contains([]string{"decision", "allow_once", "unchecked", "fail_open", "unreadable"}, e.Event) &&
		textOf(e, store.CallKey) != rejudge.Advice
}

func textOf(e *store.Entry, key string) string {
	if e.Context == nil {
		return ""
	}
	text, _ := e.Context.Metadata[key].(string)
	return text
}

func (r *run) call(e *store.Entry) error {
	if r.report.Calls++; r.report.Calls == 1 {
		r.report.First = e.Time
	}
	r.report.Last = e.Time
	text := textOf(e, store.CallKey)
	switch {
	case e.Event != "decision" && e.Event != "allow_once":
		return r.skip(Unchecked)
	case text == "":
		return r.skip(NotRecorded)
	}
	c, err := rejudge.Parse(e.Decision.Tool, text)
	if err != nil {
		return r.skip(reasonOf(err))
	}
	was := recorded(e)
	o, err := r.Judge(e, c, was)
	switch {
	case err != nil:
		return err
	case o.Missing != "":
		return r.skip(o.Missing)
	}
	r.report.Replayed++
	would := Verdict{string(o.Would.Outcome), o.Would.Guideline()}
	if would == was {
		r.report.Unchanged++
		return nil
	}
	r.report.Changed++
	r.add(Group{Was: was, Would: would, ByDraft: o.ByDraft}, callOf(e, c, o.Would))
	return nil
}

func reasonOf(err error) string {
	switch {
	case errors.Is(err, rejudge.ErrOff):
		return Off
	case errors.Is(err, rejudge.ErrTooLarge):
		return TooLarge
	case errors.Is(err, rejudge.ErrSecret):
		return Secret
	}
	return Unreadable
}

// recorded() returns the decision of the guidelines in an entry. If a call was allowed only because a person allowed it
// once, the guidelines had denied the call, so recorded() returns a denial.
func recorded(e *store.Entry) Verdict {
	if e.Event == "allow_once" {
		return Verdict{string(decide.Deny), e.Guideline}
	}
	return Verdict{e.Decision.Result, e.Guideline}
}

func (r *run) skip(reason string) error {
	r.report.NotReplayed++
	for i := range r.report.Reasons {
		if r.report.Reasons[i].Reason == reason {
			r.report.Reasons[i].Count++
			return nil
		}
	}
	r.report.Reasons = append(r.report.Reasons, Reason{reason, about(reason), 1})
	return nil
}

func (r *run) add(like Group, c Call) {
	for i := range r.report.Groups {
		g := &r.report.Groups[i]
		if g.Was == like.Was && g.Would == like.Would && g.ByDraft == like.ByDraft {
			if g.Count++; len(g.Calls) < maxExamples {
				g.Calls = append(g.Calls, c)
			}
			return
		}
	}
	if len(r.report.Groups) == maxGroups {
		r.report.MoreGroups++
		return
	}
	like.Count, like.Calls = 1, []Call{c}
	r.report.Groups = append(r.report.Groups, like)
}

// sort() puts the groups whose field ByDraft is set before the other groups. Within each of these two parts, the
// largest groups come first. sort() also puts the most frequent reasons first.
func (r *run) sort() {
	slices.SortStableFunc(r.report.Groups, func(a, b Group) int {
		if a.ByDraft != b.ByDraft {
			if a.ByDraft {
				return -1
			}
			return 1
		}
		return b.Count - a.Count
	})
	slices.SortStableFunc(r.report.Reasons, func(a, b Reason) int { return b.Count - a.Count })
}

func callOf(e *store.Entry, c *rejudge.Call, would *decide.Decision) Call {
	out := Call{
		Entry: e.ID, Time: e.Time, Session: e.Session, Tool: e.Decision.Tool, Text: short(c.Text()),
		Reason: short(strings.TrimSpace(would.Reason)),
	}
	if e.Context != nil {
		out.Agent = e.Context.Agent
	}
	return out
}

// maxText is the largest size in bytes of a text in a report.
const maxText = 500

// short() cuts off a long text, because a report can have thousands of calls.
func short(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}
