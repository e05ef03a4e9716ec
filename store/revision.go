package store

import (
	"fmt"
	"time"

	"guardrails/guideline"
)

// Revision is one version of a guideline in its history.
type Revision struct {
	// Guideline is the guideline in this version. If this version is a deletion, Guideline has the content from before the
	// deletion, and the version number of the deletion.
	Guideline guideline.Guideline `json:"guideline"`
	// Event is the kind of change, such as guideline_updated.
	Event   string    `json:"event_type"`
	Deleted bool      `json:"deleted,omitempty"`
	Actor   string    `json:"actor"`
	At      time.Time `json:"at"`
	WriteID string    `json:"write_id"`
}

// Digest returns a digest of the whole revision. The audit entry of the change contains the digest, so Verify can
// find revisions that were altered.
func (r *Revision) Digest() (string, error) {
	text, err := guideline.Encode(&r.Guideline)
	if err != nil {
		return "", Errorf(Invalid, "cannot write the guideline %.140q as JSON: %w", r.Guideline.ID, err)
	}
	return hash(fmt.Appendf(text, "\n%q %t %q %d %q", r.Event, r.Deleted, r.Actor, r.At.UnixMilli(), r.WriteID)), nil
}

// version() returns the version of a revision, or 0 if r is nil.
func (r *Revision) version() int {
	if r == nil {
		return 0
	}
	return r.Guideline.Version
}

// live() reports whether the guideline exists.
func (r *Revision) live() bool { return r != nil && !r.Deleted }

// The events of changes to guidelines.
const (
	Created  = "guideline_created"
	Updated  = "guideline_updated"
	Enabled  = "guideline_enabled"
	Disabled = "guideline_disabled"
	Deleted  = "guideline_deleted"
	Restored = "guideline_restored"
	Imported = "guideline_imported"
)
