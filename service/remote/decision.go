package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/spool"
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

// ReadDecisions reads the body of a request.
func ReadDecisions(body []byte) ([]Decision, error) {
	var out Decisions
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		return nil, errors.New("the body is not a list of decisions; update the sender")
	}
	if len(out.Entries) > MaxDecisions {
		return nil, fmt.Errorf("the body has %d decisions; send at most %d", len(out.Entries), MaxDecisions)
	}
	for i := range out.Entries {
		if out.Entries[i].Decision == nil {
			return nil, fmt.Errorf("entries[%d].decision: is missing; add it", i)
		}
	}
	return out.Entries, nil
}

// Entry returns the audit entry for a decision that a caller has sent. The actor is the caller, as the server knows it.
// The agent that the sender names is only in the context. If the sender's clock is ahead, the time of the entry is now:
// otherwise, the server's own clock would be behind the newest entry.
func (d *Decision) Entry(caller, tenant string, now time.Time) store.Entry {
	e := store.Entry{
		ID: d.entryID(caller), Kind: store.KindDecision, Time: d.Time, Event: d.Event, Actor: caller, Session: d.Session,
		Guideline: d.Guideline, ProjectID: d.ProjectID, GuidelineName: d.GuidelineName, Version: d.Version,
		Decision: d.Decision, Context: d.Context,
	}
	if e.Time.After(now) {
		e.Time = now
	}
	if e.Context != nil {
		own := *e.Context
		own.TenantID = tenant
		e.Context = &own
	}
	return e
}

// entryID returns the id of the entry. People may know ids of the first kind already, so these ids stay. Every other id
// says only where a computer has recorded the decision, so it is combined with the name of the caller. Otherwise, a
// caller could use the id of another computer, and the other computer's decision would be lost.
func (d *Decision) entryID(caller string) string {
	if spool.IsShown(d.ID) {
		return d.ID
	}
	sum := sha256.Sum256([]byte(caller + "\x00" + d.ID))
	return "sent:" + hex.EncodeToString(sum[:])
}

// Audit is the audit of a server. It adds decisions at least once; the server recognizes a repetition by the ids.
type Audit struct {
	Client *Client
	Server *config.Server
}

// Add sends decisions to the server.
func (a *Audit) Add(ctx context.Context, tenant string, entries ...store.Entry) error {
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
	if _, err = a.Client.post(ctx, a.Server, func(to *url.URL) { toDecisions(to, tenant) }, body); err != nil {
		return store.Errorf(store.Unavailable, "the server %s does not take decisions: it %w", a.Server.URL, err)
	}
	return nil
}

// toDecisions changes the address of a server for MCP to the address for decisions of a tenant.
func toDecisions(to *url.URL, tenant string) {
	to.Path = strings.TrimSuffix(strings.TrimSuffix(to.Path, "/"), mcpPath) + DecisionsPath
	if tenant != "" {
		to.RawQuery = url.Values{"tenant_id": {tenant}}.Encode()
	}
}
