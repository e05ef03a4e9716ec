package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

const (
	// Only sessions in which something happened within the duration "lately" are checked.
	lately      = time.Hour
	maxSessions = 5
)

type recent struct {
	id   string
	last time.Time
	// usedTools reports whether the session's transcript has a tool call.
	usedTools bool
	beats     map[string]time.Time
}

// checkSessions reports which hooks ran in the recent sessions of the project.
func (x *Examination) checkSessions() {
	if x.sessions == nil {
		return
	}
	list := x.recent()
	slices.SortFunc(list, func(a, b *recent) int { return cmp.Or(b.last.Compare(a.last), cmp.Compare(a.id, b.id)) })
	for _, r := range list[:min(len(list), maxSessions)] {
		c := r.check(x.Now())
		if c.State != OK && x.direct() {
			c.Remedy = "to see whether the session's server is connected, type /mcp in the session; " + c.Remedy
		}
		x.Checks = append(x.Checks, c)
	}
}

// recent() returns the recent sessions. It combines the files of the hooks with the client's transcripts, because only
// the transcripts show a session in which no hook ran.
func (x *Examination) recent() []*recent {
	found := x.transcripts()
	for id, beats := range beatsIn(x.sessions) {
		r := found[id]
		if r == nil {
			if x.elsewhere(id) {
				continue
			}
			r = &recent{id: id}
			found[id] = r
		}
		r.beats = beats
		for _, at := range beats {
			r.last = later(r.last, at)
		}
	}
	var list []*recent
	for _, r := range found {
		if x.Now().Sub(r.last) < lately {
			list = append(list, r)
		}
	}
	return list
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// beatsIn returns the times at which hooks ran, for each session and event. It reads these times from the folder for
// sessions.
func beatsIn(dir *private.Dir) map[string]map[string]time.Time {
	all := map[string]map[string]time.Time{}
	names, err := dir.List(product.SessionPrefix)
	if err != nil {
		return all
	}
	for _, name := range names {
		id, event, ok := strings.Cut(strings.TrimPrefix(name, product.SessionPrefix), ".beat-")
		at, seen := dir.Seen(name)
		if !ok || !seen || name != session.BeatName(id, event) {
			continue
		}
		if all[id] == nil {
			all[id] = map[string]time.Time{}
		}
		all[id][event] = at
	}
	return all
}

func (r *recent) check(now time.Time) Check {
	c := Check{Name: "session " + r.id[:min(len(r.id), 8)], State: Warning, Remedy: "run guardrails doctor --live to see " +
		"whether the hooks work; if you have changed the settings, start a new session, which reads them"}
	_, prompt := r.beats[wire.UserPromptSubmit]
	_, enforce := r.beats[wire.PreToolUse]
	switch {
	case len(r.beats) == 0:
		c.Detail = "no hook has been seen in this session"
	case r.ranTools() && !enforce:
		c.Detail = "guardrails-enforce has not been seen in this session, although tools ran: " + r.seen(now)
	case !prompt && enforce:
		c.Detail = "guardrails-inject has not been seen in this session, so the model received no guidelines: " + r.seen(now)
	default:
		c.State, c.Detail, c.Remedy = OK, r.seen(now), ""
	}
	return c
}

func (r *recent) ranTools() bool {
	_, post := r.beats[wire.PostToolUse]
	_, failure := r.beats[wire.PostToolUseFailure]
	return r.usedTools || post || failure
}

// seen() returns a text that says when each hook event last happened. The latest event comes first.
func (r *recent) seen(now time.Time) string {
	var events []string
	for event := range r.beats {
		events = append(events, event)
	}
	slices.SortFunc(events, func(a, b string) int {
		return cmp.Or(r.beats[b].Compare(r.beats[a]), cmp.Compare(a, b))
	})
	for i, event := range events {
		events[i] = fmt.Sprintf("%s %s", event, ago(now.Sub(r.beats[event])))
	}
	return strings.Join(events, ", ")
}

func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s ago", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h ago", int(d.Hours()))
}
