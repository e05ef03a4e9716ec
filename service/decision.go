package service

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"guardrails/guideline"
	"guardrails/host"
	"guardrails/internal/document"
	"guardrails/internal/spool"
	"guardrails/rules"
)

// DecisionResults lists the allowed values of Decision.Result.
func DecisionResults() []string { return []string{"approved", "rejected", "deferred"} }

// Decision is what a person decided about a gate, as a caller reports it.
type Decision struct {
	GuidelineID string
	Context     guideline.Context
	// Project is the absolute path of the project's root. If it is empty, the service uses its own project.
	Project string
	// ProjectID selects the project whose guidelines are read from the store. If it is empty, the service uses the id
	// of Project.
	ProjectID string
	// Result is one of DecisionResults.
	Result, Reason string
	// UserResponse is what the person said, in their own words.
	UserResponse string
}

// Logged is the answer of LogDecision. It contains the id of the decision.
type Logged struct {
	Success bool   `json:"success"`
	AuditID string `json:"audit_id"`
}

type actorKey struct{}

// WithActor returns a context for a caller with a name. In the audit, this name is the actor of the decisions that the
// caller logs, even if the caller claims another name.
func WithActor(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, actorKey{}, name)
}

func actorOf(ctx context.Context) string {
	name, _ := ctx.Value(actorKey{}).(string)
	return name
}

// LogDecision records a decision and returns its id. Like a hook, it adds a line to the spool, which consists of files
// on this computer. So it works even when the store does not respond. A server adds the line to the audit before it
// answers, if the store is fast enough. The decision must name a known guideline. While the guidelines cannot be read,
// callers on this computer are also allowed to name an unknown guideline.
func (s *Service) LogDecision(ctx context.Context, d Decision) (*Logged, error) {
	id, err := newID(spool.DecisionID)
	if err != nil {
		return nil, err
	}
	r := Request{Project: d.Project, ProjectID: d.ProjectID, Context: guideline.Context{TenantID: d.Context.TenantID}}
	root, err := s.root(&r)
	if err != nil {
		return nil, err
	}
	b, err := s.rulebook(ctx, root, &r)
	if err != nil {
		return nil, err
	}
	g := b.find(d.GuidelineID)
	switch {
	case g != nil:
	case b.fallback == nil:
		return nil, notFound("guideline_id", d.GuidelineID)
	case s.remote:
		return nil, fmt.Errorf("guideline_id: %s is not among the last known guidelines, and the store cannot be read; "+
			"log the decision again when the store can be read", document.Excerpt(d.GuidelineID))
	}
	record := s.record(id, root, b, &d, g)
	record.Actor = actorOf(ctx)
	if err := s.spool(record.Line()); err != nil {
		return nil, errors.New("the decision was not recorded: " + err.Error())
	}
	if b.fallback == nil {
		s.awaitTaken(ctx)
	}
	return &Logged{Success: true, AuditID: id}, nil
}

// record() returns the record that the spool keeps of a decision. The parameter g is nil if the guideline is unknown.
func (s *Service) record(id, root string, b *rulebook, d *Decision, g *rules.Source) *spool.Record {
	c := &d.Context
	r := s.newRecord(root, b)
	r.ID, r.SessionID, r.Source = id, c.SessionID, spool.FromService
	r.Kind, r.Outcome, r.GateType, r.GuidelineID = "gate", d.Result, c.GateType, d.GuidelineID
	r.Agent = host.Agent(c.Agent, s.env, b.settings.DefaultAgent)
	r.Reason, r.UserResponse = s.masked(d.Reason), s.masked(d.UserResponse)
	r.Domain, r.Action, r.TaskEvent = c.Domain, c.Action, c.Event
	for _, path := range RelativePaths(root, c.Paths) {
		r.Paths = append(r.Paths, s.masked(path))
	}
	if g != nil {
		r.GuidelineID, r.GuidelineName, r.Version = g.ID, g.Name, g.Version
		r.GateType = cmp.Or(r.GateType, g.Action.GateType)
	}
	return r
}

// spool() adds a line to the spool and waits until it is on the disk.
func (s *Service) spool(line []byte) error {
	state, _, err := s.keeper().Dir("")
	if err != nil {
		return err
	}
	return spool.AppendSynced(filepath.Clean(state.Path("")), s.now(), line)
}

func (s *Service) masked(text string) string {
	if s.mask == nil {
		return text
	}
	return s.mask(text)
}

// newID returns a random id with one of the prefixes of package spool.
func newID(prefix string) (string, error) {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return prefix + hex.EncodeToString(random[:]), nil
}
