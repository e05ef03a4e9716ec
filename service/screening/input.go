// Package screening implements the tools check_message and check_response. It asks the safety gate, lets the policies
// change the verdict, and returns one answer with the results of the gate and the policies.
//
// Start with Message.Check.
package screening

import (
	"guardrails/detect/advice"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/policy"
)

// Common has the inputs of both tools.
type Common struct {
	// Facts has facts about the text. Policies can use these facts. The caller provides those facts that only the caller
	// knows.
	Facts policy.Facts
	// User is the caller's name for the end user. The name itself is never stored.
	User, SessionID string
	// InSession is set if a hook makes the request. Then categories and gates whose mode is off are not checked.
	InSession bool
	// If DryRun is set, nothing is recorded, sent or counted.
	DryRun bool
}

// Message is the input of check_message.
type Message struct {
	Common
	Text string
}

const (
	maxUser    = 200
	maxSession = 200
	maxNames   = 100
)

// DecodeMessage reads an input from JSON. The error has the type advice.Problems.
func DecodeMessage(raw []byte) (Message, error) {
	var in Message
	err := advice.Read(raw, func(r *advice.Reader) []advice.Field {
		return append([]advice.Field{
			{Name: "message", Required: true, Read: func(n *document.Node, path string) {
				in.Text = r.Text(n, path, 1, safety.MaxText)
			}},
		}, in.fields(r)...)
	}, nil)
	return in, err
}

func (c *Common) fields(r *advice.Reader) []advice.Field {
	return []advice.Field{
		{Name: "facts", Read: func(n *document.Node, path string) { r.Object(n, path, c.factFields(r)) }},
		{Name: "user", Read: func(n *document.Node, path string) { c.User = r.Text(n, path, 1, maxUser) }},
		{Name: "session_id", Read: func(n *document.Node, path string) { c.SessionID = r.Text(n, path, 1, maxSession) }},
		{Name: "dry_run", Read: func(n *document.Node, path string) { c.DryRun = r.Bool(n, path) }},
	}
}

// factFields returns the fields with the facts that a caller can give. The check finds the other facts itself.
func (c *Common) factFields(r *advice.Reader) []advice.Field {
	number := func(name string, into **float64) advice.Field {
		return advice.Field{Name: name, Read: func(n *document.Node, path string) {
			v := r.Number(n, path, -largest, largest)
			*into = &v
		}}
	}
	names := func(name string, into *[]string) advice.Field {
		return advice.Field{Name: name, Read: func(n *document.Node, path string) {
			*into = []string{}
			r.List(n, path, maxNames, func(n *document.Node, path string) {
				*into = append(*into, r.Text(n, path, 1, maxUser))
			})
		}}
	}
	return []advice.Field{
		number("mood", &c.Facts.Mood), number("trust", &c.Facts.Trust),
		number("interaction_count", &c.Facts.InteractionCount), number("since_last_seen", &c.Facts.SinceLastSeen),
		names("detected_emotions", &c.Facts.DetectedEmotions), names("tags", &c.Facts.Tags),
	}
}

// The constant "largest" is the largest value of a fact that is a number.
const largest = 1e12
