package intake

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"guardrails/decide/rejudge"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/spool"
	"guardrails/store"
)

// The type "line" is a record of the spool. Its methods convert it to an audit entry.
type line struct{ *spool.Record }

type place struct {
	file   string
	offset int64
}

// id() returns an id for the line at this place. Reading the line again gives the same id. Another line gives another
// id. The id contains a hash of the line, because a day's file can be removed and created again.
func (p place) id(text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("spool:%s:%d:%s", strings.TrimSuffix(p.file, spool.Extension), p.offset,
		hex.EncodeToString(sum[:16]))
}

// entry() returns the audit entry for the line. For a line of the service, the actor is the caller as the server knows
// it. The agent that the caller names is only in the context.
func (l line) entry(id, tenant string, now time.Time) (store.Entry, error) {
	at, err := time.Parse(time.RFC3339, l.Time)
	if err != nil {
		return store.Entry{}, errors.New("it does not have a time")
	}
	if spool.IsShown(l.ID) { // a caller or a person knows it already
		id = l.ID
	}
	e := store.Entry{
		ID: id, Kind: store.KindDecision, Time: at, Event: name(l.Kind),
		Actor: cmp.Or(name(l.Actor), name(l.Agent), "agent"), Session: name(l.SessionID),
		Guideline: name(l.GuidelineID), GuidelineName: name(l.GuidelineName), Version: l.Version, Context: l.context(tenant),
		ProjectID: name(l.ProjectID),
		Decision: &store.Decision{
			Result: name(l.Outcome), Reason: short(l.Reason), UserResponse: short(l.UserResponse),
			Tool: name(l.Tool), Micros: l.Micros,
			Effects: l.effects(), Fallback: l.fallback(),
		},
	}
	return e, e.Prepare(tenant, now)
}

func (l line) context(tenant string) *guideline.Context {
	c := &guideline.Context{
		Agent: l.Agent, Domain: l.Domain, Action: l.Action, Event: l.TaskEvent, GateType: l.GateType, TenantID: tenant,
		SessionID: l.SessionID,
	}
	more := map[string]any{}
	for _, field := range [...]struct{ key, value string }{
		{"project", l.Project},
		{"agent_id", l.AgentID},
		{"tool_use_id", l.ToolUseID},
		{"input", short(l.Input)},
		{"from", l.From},
		{"to", l.To},
		{"source", l.Source},
		{store.CallKey, l.call()},
	} {
		if field.value != "" {
			more[field.key] = field.value
		}
	}
	if effects := l.split(c); len(effects) > 0 {
		more["effects"] = list(effects)
	}
	if l.Calls > 0 {
		more["calls"] = l.Calls
	}
	if len(l.Events) > 0 {
		more["events"] = list(l.Events)
	}
	if details := l.details(); details != nil {
		more["details"] = details
	}
	c.Metadata = more
	return c
}

// call() returns the text from which the call can be judged again. If the text is larger than any text that a hook of
// this version writes, call() returns rejudge.TooLarge instead.
func (l line) call() string {
	if len(l.Call) > rejudge.MaxSize {
		return rejudge.TooLarge
	}
	return l.Call
}

// details() returns further facts of the record, or nil. If the facts are not JSON, it leaves them out.
func (l line) details() any {
	if l.Details == "" {
		return nil
	}
	n, problems := document.ParseJSON("", []byte(l.Details))
	if len(problems) > 0 {
		return nil
	}
	if len(l.Details) > maxDetails {
		n = shortened(n)
	}
	return n.Value()
}

// split() sets c.Paths to the paths in a record. In a record of a hook, each text in Paths has a kind of effect, a
// space, and a path. split() returns these texts unchanged. In a record of the service, Paths has only paths, so
// split() returns nil.
func (l line) split(c *guideline.Context) (effects []string) {
	if l.Source == spool.FromService {
		c.Paths = l.Paths
		return nil
	}
	for _, effect := range l.Paths {
		what, path, _ := strings.Cut(effect, " ")
		switch what {
		case "read", "write", "delete":
			if !slices.Contains(c.Paths, path) {
				c.Paths = append(c.Paths, path)
			}
		}
	}
	return l.Paths
}

// effects() returns a hash of the call's effects. It returns "" if the record has none.
func (l line) effects() string {
	if len(l.Paths)+len(l.Events) == 0 || l.Tool == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(l.Paths, "\x00") + "\x01" + strings.Join(l.Events, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// fallback() returns the fallback that was in use for this record, or "".
func (l line) fallback() string {
	switch l.Source {
	case "snapshot", "static", "open":
		return l.Source
	}
	switch l.Kind {
	case "fallback", "choice":
		return name(l.Outcome)
	case "fail_open":
		return "open"
	}
	return ""
}

func list(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}

// name() makes a text fit for a searchable field: it shortens the text and replaces control characters.
func name(text string) string {
	return clipped(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?")), store.MaxName)
}

// short() shortens a text that may be long, such as a reason.
func short(text string) string { return clipped(text, 4000) }

func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}
