package service

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"guardrails/guideline"
	"guardrails/host"
	"guardrails/internal/product"
	"guardrails/internal/spool"
)

// ToolLogDecision is the name under which LogDecision is called by other programs.
const ToolLogDecision = "guardrails_log_decision"

// DecisionResults lists what can have become of a gate.
func DecisionResults() []string { return []string{"approved", "rejected", "deferred"} }

// Decision is what became of a gate, as somebody tells it.
type Decision struct {
	GuidelineID string
	Context     guideline.Context
	// Project is the absolute path of the project's root; empty means the one that the service runs in.
	Project string
	// Result is one of DecisionResults.
	Result, Reason string
	// UserResponse is what the person said, in their own words.
	UserResponse string
}

// Logged says under which id a decision was written down.
type Logged struct {
	Success bool   `json:"success"`
	AuditID string `json:"audit_id"`
}

// LogDecision writes a decision into the spool, where those of the hooks lie, and from where it comes into the audit under
// the id that is returned. That is on the disk, and needs no store that answers.
func (s *Service) LogDecision(ctx context.Context, d Decision) (*Logged, error) {
	id, err := auditID()
	if err != nil {
		return nil, err
	}
	r := Request{Project: d.Project, Context: guideline.Context{TenantID: d.Context.TenantID}}
	root, err := s.root(&r)
	if err != nil {
		return nil, err
	}
	b, err := s.rulebook(ctx, root, &r)
	if err != nil {
		return nil, err
	}
	if err := s.spool(s.decided(id, root, b, &d).Line()); err != nil {
		return nil, errors.New("the decision is not written down: " + err.Error())
	}
	return &Logged{Success: true, AuditID: id}, nil
}

func (s *Service) decided(id, root string, b *rulebook, d *Decision) *spool.Record {
	c := &d.Context
	r := &spool.Record{
		Time: s.now().UTC().Format(time.RFC3339Nano), ID: id, Kind: "gate", Outcome: d.Result, SessionID: c.SessionID,
		Agent: host.Agent(c.Agent, s.env, b.settings.DefaultAgent), Project: root, GuidelineID: d.GuidelineID, GateType: c.GateType,
		Reason: s.masked(d.Reason), UserResponse: s.masked(d.UserResponse), Source: spool.FromService,
		Domain: c.Domain, Action: c.Action, TaskEvent: c.Event, Tenant: b.settings.Tenant,
	}
	for _, path := range c.Paths {
		r.Paths = append(r.Paths, s.masked(path))
	}
	for i := range b.guidelines {
		if g := &b.guidelines[i]; g.ID == d.GuidelineID {
			r.Version, r.GateType = g.Version, cmp.Or(r.GateType, g.Action.GateType)
		}
	}
	return r
}

// spool adds a line where the hooks leave theirs, and waits until it is on the disk.
func (s *Service) spool(line []byte) error {
	state, _, err := s.keeper().Dir("")
	if err != nil {
		return err
	}
	dir, now := filepath.Clean(state.Path("")), s.now()
	if err := spool.Append(dir, now, line); err != nil {
		return err
	}
	return durable(filepath.Join(dir, product.SpoolFolder, spool.FileName(now)))
}

// masked hides what looks like a secret.
func (s *Service) masked(text string) string {
	if s.mask == nil {
		return text
	}
	return s.mask(text)
}

// auditID names a decision so that no other one anywhere has the name.
func auditID() (string, error) {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return "audit-" + hex.EncodeToString(random[:]), nil
}

// durable forces a file and its entry in its folder onto the disk.
func durable(name string) error {
	err := syncFile(name, os.O_WRONLY)
	if err != nil || runtime.GOOS == "windows" {
		return err // Windows cannot sync a folder
	}
	return syncFile(filepath.Dir(name), os.O_RDONLY)
}

func syncFile(path string, mode int) error {
	f, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
