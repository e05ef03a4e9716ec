package config

import "guardrails/internal/document"

// Audit says how long the decisions in the audit are kept; changes of guidelines always are.
type Audit struct {
	// KeepDays is how old decisions may become; 0 means that none are too old.
	KeepDays int
	// KeepEntries is how many entries are kept, the newest; 0 means that their number does not matter.
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
	// What is gone is gone: half of what its author meant prunes nothing.
	if len(d.Problems) == before {
		c.Audit = a
	}
}
