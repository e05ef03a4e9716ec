package config

import "guardrails/internal/document"

// Audit is how long the audit keeps decisions. It keeps changes of guidelines for ever.
type Audit struct {
	// KeepDays is the greatest age of a decision; 0 means no limit.
	KeepDays int
	// KeepEntries is how many of the newest entries are kept; 0 means no limit.
	KeepEntries int
}

// Limits of the retention.
const (
	maxKeepDays    = 36500
	maxKeepEntries = 1 << 30
)

func (c *Config) readAudit(d *document.Decoder, n *document.Node, at string) {
	var a Audit
	before := len(d.Problems)
	d.Object(n, at, []document.Spec{
		{Name: "keep_days", Read: func(n *document.Node, at string) { a.KeepDays = d.Int(n, at, 1, maxKeepDays) }},
		{Name: "keep_entries", Read: func(n *document.Node, at string) { a.KeepEntries = d.Int(n, at, 1, maxKeepEntries) }},
	})
	// Deleted entries cannot be restored, so a mistake in the settings deletes nothing.
	if len(d.Problems) == before {
		c.Audit = a
	}
}
