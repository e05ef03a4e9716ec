package config

import (
	"errors"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

// Exception allows calls that a guideline would stop. It has a reason and an expiry time.
type Exception struct {
	Guideline string
	// Tools lists tool patterns. If the list is empty, the exception covers every call.
	Tools  []string
	Reason string
	// Expires is the time at which the exception ends.
	Expires time.Time
}

// ExceptionsAt returns two lists. The list "holding" has the exceptions that are valid at the given time. The list
// "expired" has the other exceptions.
func (c *Config) ExceptionsAt(now time.Time) (holding, expired []Exception) {
	for _, x := range c.Exceptions {
		if now.Before(x.Expires) {
			holding = append(holding, x)
		} else {
			expired = append(expired, x)
		}
	}
	return holding, expired
}

func (c *Config) readExceptions(d *document.Decoder, n *document.Node, at string) {
	c.Exceptions = nil
	if !d.Expect(n, at, document.List) {
		return
	}
	for i, item := range n.Items {
		before := len(d.Problems)
		x := readException(d, item, document.Index(at, i))
		// Drop an exception with a mistake, because it could allow more than intended.
		if len(d.Problems) == before {
			c.Exceptions = append(c.Exceptions, x)
		}
	}
}

func readException(d *document.Decoder, n *document.Node, at string) Exception {
	var x Exception
	d.Object(n, at, []document.Spec{
		{Name: "guideline", Required: true, Read: func(n *document.Node, at string) { x.Guideline = readID(d, n, at) }},
		{Name: "tools", Read: func(n *document.Node, at string) { x.Tools = readTools(d, n, at) }},
		{Name: "reason", Required: true, Read: func(n *document.Node, at string) { x.Reason = readReason(d, n, at) }},
		{Name: "expires", Required: true, Read: func(n *document.Node, at string) { x.Expires = readExpiry(d, n, at) }},
	})
	return x
}

func readID(d *document.Decoder, n *document.Node, at string) string {
	before := len(d.Problems)
	id := d.String(n, at, false)
	if len(d.Problems) == before && !guideline.ValidID(id) {
		d.Report(n, at, document.Excerpt(id)+" is not a guideline's id", "write the id that the refusal names")
	}
	return id
}

// readTools reads the tools of an exception. It rejects an empty list, which would cover every tool and is probably a
// mistake.
func readTools(d *document.Decoder, n *document.Node, at string) []string {
	if n.Kind == document.List && len(n.Items) == 0 {
		d.Report(n, at, "is an empty list", "list the tools, or remove the key to cover every call")
	}
	return d.StringsWhere(n, at, func(text string) (message, remedy string) {
		_, err := pattern.CompileTool(text)
		var bad *pattern.Error
		if errors.As(err, &bad) {
			return bad.Message, bad.Remedy
		}
		return "", ""
	})
}

func readReason(d *document.Decoder, n *document.Node, at string) string {
	before := len(d.Problems)
	reason := strings.TrimSpace(d.String(n, at, false))
	if len(d.Problems) == before && reason == "" {
		d.Report(n, at, "is empty", "say why the guideline does not fit here")
	}
	return reason
}

// readExpiry reads a time or a date. For a date, the exception is valid until the end of this day in UTC.
func readExpiry(d *document.Decoder, n *document.Node, at string) time.Time {
	before := len(d.Problems)
	text := d.String(n, at, false)
	if len(d.Problems) > before {
		return time.Time{}
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, 1)
	}
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		d.Report(n, at, document.Excerpt(text)+" is not a date", "write it as 2026-01-31 or 2026-01-31T12:00:00Z")
	}
	return moment.UTC()
}
