package hooks

import (
	"strconv"
	"strings"
	"time"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// Refusal is a denied call that a person can allow once.
type Refusal struct {
	_                                             [0]func() // this field prevents comparisons with ==; see trace.Place
	Code, Session, Agent, Tool, Guideline, Reason string
	// Call describes everything that the call would do.
	Call string
	Time time.Time
	// Client is the process id of the client that started the hook. All processes that the agent starts descend from
	// this process.
	Client int
}

func (r *Refusal) encode() []byte {
	out := []byte{'{'}
	for _, f := range []struct{ name, value string }{
		{"code", r.Code},
		{"session", r.Session},
		{"agent", r.Agent},
		{"tool", r.Tool},
		{"guideline", r.Guideline},
		{"reason", r.Reason},
		{"call", r.Call},
		{"time", document.FormatTime(r.Time)},
		{"client", strconv.Itoa(r.Client)},
	} {
		out = appendField(out, f.name, f.value)
	}
	return append(out, '}', '\n')
}

// Grant encodes the refusal as a grant, which is valid from the given time.
func (r *Refusal) Grant(now time.Time) []byte {
	g := *r
	g.Time = now
	return g.encode()
}

// ParseRefusal decodes a refusal or a grant. It returns false if the text is not valid.
func ParseRefusal(text []byte) (Refusal, bool) {
	n, problems := document.ParseJSON("refusal", text)
	if len(problems) > 0 {
		return Refusal{}, false
	}
	var r Refusal
	var when, client string
	d := &document.Decoder{File: "refusal"}
	var specs []document.Spec
	for name, into := range map[string]*string{
		"code": &r.Code, "session": &r.Session, "agent": &r.Agent, "tool": &r.Tool,
		"guideline": &r.Guideline, "reason": &r.Reason,
		"call": &r.Call, "time": &when, "client": &client,
	} {
		specs = append(specs, document.Spec{Name: name, Read: func(n *document.Node, _ string) { *into = n.Text }})
	}
	d.Object(n, "", specs)
	var dated bool
	r.Time, dated = document.ParseTime(when)
	r.Client, _ = strconv.Atoi(client)
	return r, dated && len(d.Problems) == 0 && guideline.ValidID(strings.ToLower(r.Code))
}

func appendField(out []byte, name, value string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	out = document.AppendText(out, name)
	return document.AppendText(append(out, ':'), value)
}
