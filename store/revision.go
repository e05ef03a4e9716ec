package store

import (
	"time"

	"guardrails/guideline"
)

// Revision is one version of a guideline, as history keeps it.
type Revision struct {
	// Guideline is how it was; of a deletion, how it was last, with the version that the deletion took.
	Guideline guideline.Guideline `json:"guideline"`
	// Event is what was done, such as guideline_updated.
	Event   string    `json:"event_type"`
	Deleted bool      `json:"deleted,omitempty"`
	Actor   string    `json:"actor"`
	At      time.Time `json:"at"`
	WriteID string    `json:"write_id"`
}

// version is the newest version of what may never have been.
func (r *Revision) version() int {
	if r == nil {
		return 0
	}
	return r.Guideline.Version
}

// live tells whether the guideline exists.
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
