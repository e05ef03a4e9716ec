package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/spool/intake"
	"guardrails/store"
)

// DecisionsPath is the path to which decisions are sent.
const DecisionsPath = "/api/guardrails/audit/entries"

// MaxDecisions is the largest number of decisions in one request.
const MaxDecisions = 2000

// Decisions is the body of a request that adds decisions to the audit of a server.
type Decisions struct {
	Entries []Decision `json:"entries"`
}

// Decision is a decision of a hook, as one computer sends it to a server. It has the fields of a store.Entry that the
// sender knows.
type Decision struct {
	ID            string             `json:"id"`
	Time          time.Time          `json:"timestamp"`
	Event         string             `json:"event_type"`
	Session       string             `json:"session_id,omitempty"`
	Guideline     string             `json:"guideline_id,omitempty"`
	ProjectID     string             `json:"project_id,omitempty"`
	GuidelineName string             `json:"guideline_name,omitempty"`
	Version       int                `json:"guideline_version,omitempty"`
	Decision      *store.Decision    `json:"decision"`
	Context       *guideline.Context `json:"context,omitempty"`
}

// SentIDKey is the key of the sender's id in the metadata of an entry. People may know this id.
const SentIDKey = "sent_id"

// events() returns the events of the records in the spool, which hooks and the service write. Only the server itself
// records other events.
func events() []string {
	return []string{
		"decision", "gate", "remember", "exception", "allow_once", "unchecked", "unreadable", "fail_open", "gap", "fallback",
		"choice", "prompt", "own_files", "detector", "safety_input", "safety_output", "output_audit", intake.DamagedRecord,
	}
}

// ReadDecisions reads the body of a request.
func ReadDecisions(d *document.Decoder, n *document.Node) (out []Decision) {
	d.Object(n, "", []document.Spec{{Name: "entries", Required: true, Read: func(n *document.Node, at string) {
		if !d.Expect(n, at, document.List) {
			return
		}
		if len(n.Items) > MaxDecisions {
			d.Report(n, at, fmt.Sprintf("has %d decisions", len(n.Items)), fmt.Sprintf("send at most %d", MaxDecisions))
			return
		}
		out = make([]Decision, len(n.Items))
		for i, item := range n.Items {
			out[i].read(d, item, document.Index(at, i))
		}
	}}})
	return out
}

func (d *Decision) read(in *document.Decoder, n *document.Node, at string) {
	in.Object(n, at, []document.Spec{
		{Name: "id", Required: true, Read: func(n *document.Node, at string) {
			if d.ID = in.Text(n, at); n.Kind == document.String && (d.ID == "" || len(d.ID) > store.MaxName) {
				in.Report(n, at, "is empty or too long", fmt.Sprintf("use 1 to %d bytes", store.MaxName))
			}
		}},
		{Name: "timestamp", Required: true, Read: func(n *document.Node, at string) {
			var ok bool
			if d.Time, ok = document.ParseTime(in.Text(n, at)); !ok && n.Kind == document.String {
				in.Report(n, at, "is not a time", "write it like 2026-02-05T09:00:00Z")
			}
		}},
		{Name: "event_type", Required: true, Read: func(n *document.Node, at string) {
			d.Event = in.Choice(n, at, events())
		}},
		text(in, "session_id", &d.Session), text(in, "guideline_id", &d.Guideline), text(in, "project_id", &d.ProjectID),
		text(in, "guideline_name", &d.GuidelineName),
		{Name: "guideline_version", Read: func(n *document.Node, at string) { d.Version = in.Int(n, at, 0, math.MaxInt32) }},
		{Name: "decision", Required: true, Read: func(n *document.Node, at string) { d.Decision = readDecision(in, n, at) }},
		{Name: "context", Read: func(n *document.Node, at string) { d.Context = readContext(in, n, at) }},
	})
}

func text(in *document.Decoder, name string, to *string) document.Spec {
	return document.Spec{Name: name, Read: func(n *document.Node, at string) { *to = in.Text(n, at) }}
}

func readDecision(in *document.Decoder, n *document.Node, at string) *store.Decision {
	out := &store.Decision{}
	in.Object(n, at, []document.Spec{
		{Name: "result", Required: true, Read: func(n *document.Node, at string) { out.Result = in.Text(n, at) }},
		text(in, "reason", &out.Reason), text(in, "user_response", &out.UserResponse), text(in, "tool", &out.Tool),
		text(in, "effects_digest", &out.Effects), text(in, "fallback", &out.Fallback),
		{Name: "duration_us", Read: func(n *document.Node, at string) {
			out.Micros = int64(in.Int(n, at, math.MinInt, math.MaxInt))
		}},
	})
	return out
}

// readContext reads a context. Unlike a caller, a hook does not choose the texts in its context. For example, the name
// of a file can contain a line break.
func readContext(in *document.Decoder, n *document.Node, at string) *guideline.Context {
	out := &guideline.Context{}
	in.Object(n, at, []document.Spec{
		text(in, "agent", &out.Agent), text(in, "domain", &out.Domain), text(in, "action", &out.Action),
		text(in, "event", &out.Event), text(in, "gate_type", &out.GateType), text(in, "tenant_id", &out.TenantID),
		text(in, "session_id", &out.SessionID),
		{Name: "paths", Read: func(n *document.Node, at string) {
			if in.Expect(n, at, document.List) {
				for i, item := range n.Items {
					out.Paths = append(out.Paths, in.Text(item, document.Index(at, i)))
				}
			}
		}},
		{Name: "metadata", Read: func(n *document.Node, at string) { out.Metadata = in.Map(n, at) }},
	})
	return out
}

// Entry returns the audit entry for a decision that a caller has sent. The actor is the caller, as the server knows it.
// The agent that the sender names is only in the context. If the sender's clock is ahead, the entry gets the current
// time. Otherwise, the newest entry would be ahead of the server's own clock.
func (d *Decision) Entry(caller, tenant string, now time.Time) store.Entry {
	own := guideline.Context{}
	if d.Context != nil {
		own = *d.Context
	}
	own.TenantID, own.Metadata = tenant, maps.Clone(own.Metadata)
	if own.Metadata == nil {
		own.Metadata = map[string]any{}
	}
	own.Metadata[SentIDKey] = d.ID
	e := store.Entry{
		ID: d.entryID(caller), Kind: store.KindDecision, Time: d.Time, Event: d.Event, Actor: caller, Session: d.Session,
		Guideline: d.Guideline, ProjectID: d.ProjectID, GuidelineName: d.GuidelineName, Version: d.Version,
		Decision: d.Decision, Context: &own,
	}
	if e.Time.After(now) {
		e.Time = now
	}
	return e
}

// entryID returns the id of the entry. It is made from the name of the caller and the sender's id. Without the name, a
// caller could use the id of another caller's decision first. The audit would then ignore the other caller's decision
// as a repetition.
func (d *Decision) entryID(caller string) string {
	sum := sha256.Sum256([]byte(caller + "\x00" + d.ID))
	return store.SentID + hex.EncodeToString(sum[:])
}

// Audit is the audit of a server. It can send a decision more than once, because the server recognizes repeated
// decisions by their ids.
type Audit struct {
	Client *Client
	Server *config.Server
	// Failed remembers which servers have failed.
	Failed *Failed
	Now    func() time.Time
}

// restTime is how long no decisions are sent to a server after it has failed. Otherwise, a server that hangs would hold
// up the other records of the spool again and again.
const restTime = 30 * time.Second

// Failed remembers for a while which servers have failed. It is safe for concurrent use.
type Failed struct {
	mu    sync.Mutex
	byURL map[string]failure
}

type failure struct {
	err   error
	until time.Time
}

// If sending to a server failed a short time ago, decisions must not be sent to it at the moment. In this case, the
// method "of" returns the error of the failure. Otherwise, it returns nil.
func (f *Failed) of(url string, now time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if last := f.byURL[url]; now.Before(last.until) {
		return last.err
	}
	return nil
}

func (f *Failed) note(url string, err error, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byURL == nil {
		f.byURL = map[string]failure{}
	}
	f.byURL[url] = failure{err, now.Add(restTime)}
}

// Add sends decisions to the server. If the server says that these are too many decisions for one request, Add sends
// them in parts.
func (a *Audit) Add(ctx context.Context, tenant string, entries ...store.Entry) error {
	if err := a.Failed.of(a.Server.URL, a.Now()); err != nil {
		return err
	}
	err := a.send(ctx, tenant, entries)
	refused, isAnswer := errors.AsType[*answerError](err)
	if isAnswer && refused.status == http.StatusRequestEntityTooLarge && len(entries) > 1 {
		half := len(entries) / 2
		if err := a.Add(ctx, tenant, entries[:half]...); err != nil {
			return err
		}
		return a.Add(ctx, tenant, entries[half:]...)
	}
	if err == nil {
		return nil
	}
	text := err.Error()
	if isAnswer {
		text = refused.text()
	}
	code := store.Unavailable
	if isAnswer && refused.concernsTenant() {
		code = store.Invalid
	}
	out := store.Errorf(code, "the server %s does not accept records of decisions: it %s", a.Server.URL, text)
	if isAnswer && refused.isFailure() && ctx.Err() == nil {
		a.Failed.note(a.Server.URL, out, a.Now())
	}
	return out
}

func (a *Audit) send(ctx context.Context, tenant string, entries []store.Entry) error {
	out := Decisions{Entries: make([]Decision, len(entries))}
	for i := range entries {
		e := &entries[i]
		out.Entries[i] = Decision{
			e.ID, e.Time, e.Event, e.Session, e.Guideline, e.ProjectID, e.GuidelineName, e.Version, e.Decision, e.Context,
		}
	}
	body, err := json.Marshal(out)
	if err != nil {
		return err
	}
	_, err = a.Client.post(ctx, a.Server, func(to *url.URL) { toDecisions(to, tenant) }, body)
	return err
}

// concernsTenant reports whether the server has refused the decisions of one tenant. The server may still accept the
// decisions of other tenants.
func (e *answerError) concernsTenant() bool {
	switch e.status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity:
		return true
	}
	return false
}

// isFailure reports whether the server itself has failed.
func (e *answerError) isFailure() bool {
	return e.status == 0 || e.status >= http.StatusInternalServerError
}

// text() returns the text of the error, with the reason that the server gave.
func (e *answerError) text() string {
	switch {
	case e.status == http.StatusNotFound:
		return "answers 404, as earlier versions do; update the server, or check server.url in " + config.File
	case e.reason != "":
		return fmt.Sprintf("answers %d: %s", e.status, e.reason)
	}
	return e.Error()
}

// toDecisions changes a server's address for MCP to the address to which the decisions of a tenant are sent.
func toDecisions(to *url.URL, tenant string) {
	to.Path = strings.TrimSuffix(strings.TrimSuffix(to.Path, "/"), mcpPath) + DecisionsPath
	if tenant != "" {
		to.RawQuery = url.Values{"tenant_id": {tenant}}.Encode()
	}
}
