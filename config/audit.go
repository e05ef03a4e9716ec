package config

import "guardrails/internal/document"

// Audit says how long the audit keeps decisions. The audit never deletes changes to guidelines.
type Audit struct {
	// KeepDays is the number of days for which a decision is kept; 0 means no limit.
	KeepDays int
	// KeepEntries is the number of newest entries that are kept; 0 means no limit.
	KeepEntries int
	// NoCalls is set if the audit must not contain the text of calls. Without this text, calls cannot be judged again.
	NoCalls bool
}

// The values of audit.calls. CallsMasked is the default.
const (
	CallsMasked = "masked"
	CallsOff    = "off"
)

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
		{Name: "calls", Read: func(n *document.Node, at string) {
			a.NoCalls = d.Choice(n, at, []string{CallsMasked, CallsOff}) != CallsMasked
		}},
	})
	// If there is a mistake, ignore the limits. A wrong limit could delete decisions, and nobody could restore these
	// decisions.
	if len(d.Problems) == before {
		c.Audit = a
		return
	}
	c.Audit.NoCalls = true // perhaps the user wanted to switch the recording of calls off
}
