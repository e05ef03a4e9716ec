// Package talk has three detectors for people who talk to a model all day. CheckRumination notices that a person asks
// the same question again and again. CheckHyperfocus notices that a session lasts long. CheckSycophancy notices
// that a model agrees without a reason, or that a person keeps asking for reassurance.
//
// The detectors are pure functions: they store nothing, read no clock and call no model. The caller passes the history
// and the time. Each detector has a Decode function, which reads an input from JSON and reports all mistakes together.
package talk

import (
	"guardrails/detect/advice"
	"guardrails/internal/document"
)

// Message is a text that a person wrote, with its time.
type Message struct {
	Text string
	// The field "At" is the zero Time if the time is unknown.
	At advice.Time
}

// The largest sizes of inputs. Texts are measured in characters.
const (
	maxPrompt   = 8000
	maxHistory  = 500
	maxMessages = 200
	maxAnswer   = 16000
	maxContext  = 500
	maxIntent   = 500
	maxSession  = 256
)

// readMessages returns a function that reads a list of messages.
func readMessages(r *advice.Reader, most int, timed bool, to *[]Message) func(*document.Node, string) {
	return func(n *document.Node, path string) {
		r.List(n, path, most, func(n *document.Node, path string) {
			var m Message
			r.Object(n, path, []advice.Field{
				{Name: "text", Others: []string{"message", "prompt", "content"}, Required: true, Read: text(r, &m.Text, maxPrompt)},
				{Name: "at", Others: []string{"timestamp", "time", "ts"}, Required: timed, Read: moment(r, &m.At)},
			})
			*to = append(*to, m)
		})
	}
}

func text(r *advice.Reader, to *string, most int) func(*document.Node, string) {
	return func(n *document.Node, path string) { *to = r.Text(n, path, 1, most) }
}

func moment(r *advice.Reader, to *advice.Time) func(*document.Node, string) {
	return func(n *document.Node, path string) { *to = r.Time(n, path) }
}

func whole(r *advice.Reader, to *int, low, high int, code advice.Code) func(*document.Node, string) {
	return func(n *document.Node, path string) { *to = r.Int(n, path, low, high, code) }
}
