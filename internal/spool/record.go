package spool

import (
	"errors"
	"strconv"
	"strings"

	"guardrails/internal/document"
)

// Record is one line of the spool. It says what was decided or what went wrong. The line omits empty fields.
type Record struct {
	Time string
	// ID is the id of the decision in the audit. It is set only if a person or a caller knows this id already.
	ID            string
	Kind, Outcome string
	// Event is the client's hook event.
	Event                     string
	SessionID, AgentID, Agent string
	// Actor is the caller of the service, as the server knows it. Agent is only what the caller says.
	Actor           string
	Project, Tenant string
	// ProjectID is the id of the project in the store, if the caller of the service names one.
	ProjectID                   string
	Tool, ToolUseID             string
	GuidelineID, GateType       string
	GuidelineName               string
	Version                     int
	Reason, UserResponse, Input string
	// In a record of a hook, Source says where the guidelines came from. In a record of the service, it is FromService.
	Source string
	// The fields "From" and "To" are the beginning and the end of a period in which calls were not checked. Calls is
	// the number of calls in this period.
	From, To string
	Calls    int
	// Micros is the time that the hook took, in microseconds.
	Micros int64
	// Domain, Action and TaskEvent say what the session works on.
	Domain, Action, TaskEvent string
	// Paths are the paths that the call touches. In a record of a hook, each begins with the kind of effect and a
	// space.
	Paths  []string
	Events []string
	// Details has further facts, as a JSON object.
	Details string
	// Call is the text from which the call can be judged again (see decide/rejudge).
	Call string
}

// The beginnings of the ids that the service and hooks give to records. People and callers know these ids, so the audit
// keeps them.
const (
	DecisionID = "audit-"
	CheckID    = "chk_"
	RefusalID  = "refusal-"
)

// IsShown reports whether people and callers know an id.
func IsShown(id string) bool {
	return strings.HasPrefix(id, DecisionID) || strings.HasPrefix(id, CheckID) || strings.HasPrefix(id, RefusalID)
}

// FromService is the Source of the records that the service writes.
const FromService = "told"

type textField struct {
	name  string
	value *string
}

// texts() returns the names and values of the string fields, in the order in which a line has them.
func (r *Record) texts() [28]textField {
	return [...]textField{
		{"time", &r.Time},
		{"id", &r.ID},
		{"kind", &r.Kind},
		{"outcome", &r.Outcome},
		{"event", &r.Event},
		{"session_id", &r.SessionID},
		{"agent_id", &r.AgentID},
		{"agent", &r.Agent},
		{"project", &r.Project},
		{"tool", &r.Tool},
		{"tool_use_id", &r.ToolUseID},
		{"guideline_id", &r.GuidelineID},
		{"gate_type", &r.GateType},
		{"reason", &r.Reason},
		{"user_response", &r.UserResponse},
		{"input", &r.Input},
		{"source", &r.Source},
		{"from", &r.From},
		{"to", &r.To},
		{"tenant_id", &r.Tenant},
		{"domain", &r.Domain},
		{"action", &r.Action},
		{"task_event", &r.TaskEvent},
		{"actor", &r.Actor},
		{"guideline_name", &r.GuidelineName},
		{"project_id", &r.ProjectID},
		{"details", &r.Details},
		{"call", &r.Call},
	}
}

// Line returns the record as a line of JSON, without the line end.
func (r *Record) Line() []byte {
	out := append(make([]byte, 0, 1024), '{')
	for _, f := range r.texts() {
		if *f.value != "" {
			out = document.AppendText(appendName(out, f.name), *f.value)
		}
	}
	for _, f := range [...]struct {
		name  string
		value int64
	}{{"guideline_version", int64(r.Version)}, {"calls", int64(r.Calls)}, {"micros", r.Micros}} {
		if f.value != 0 {
			out = strconv.AppendInt(appendName(out, f.name), f.value, 10)
		}
	}
	return append(appendList(appendList(out, "paths", r.Paths), "events", r.Events), '}')
}

func appendName(out []byte, name string) []byte {
	if len(out) > 1 {
		out = append(out, ',')
	}
	return append(append(append(out, '"'), name...), `":`...)
}

func appendList(out []byte, name string, list []string) []byte {
	if len(list) == 0 {
		return out
	}
	out = append(appendName(out, name), '[')
	for i, text := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = document.AppendText(out, text)
	}
	return append(out, ']')
}

var (
	errNotRecord = errors.New("it is not JSON in the form that hooks write")
	errNoKind    = errors.New("it does not say what kind of record it is")
)

// Parse reads a line. It ignores unknown fields, because a later version may have written them.
func Parse(line []byte) (*Record, error) {
	node, problems := document.ParseJSON("", line)
	if len(problems) > 0 || node.Kind != document.Object {
		return nil, errNotRecord
	}
	r := &Record{}
	texts := r.texts()
	for _, f := range node.Fields {
		if !r.set(texts[:], f.Name, f.Value) {
			return nil, errNotRecord
		}
	}
	if r.Kind == "" {
		return nil, errNoKind
	}
	return r, nil
}

// set() stores the value of a field. It returns false if the value has the wrong type.
func (r *Record) set(texts []textField, name string, n *document.Node) bool {
	if n.Kind == document.Null {
		return true
	}
	switch name {
	case "guideline_version":
		return setNumber(&r.Version, n)
	case "calls":
		return setNumber(&r.Calls, n)
	case "micros":
		return setNumber(&r.Micros, n)
	case "paths":
		return setList(&r.Paths, n)
	case "events":
		return setList(&r.Events, n)
	}
	for _, f := range texts {
		if f.name == name {
			return setText(f.value, n)
		}
	}
	return true
}

func setText(to *string, n *document.Node) bool {
	*to = n.Text
	return n.Kind == document.String
}

func setNumber[T int | int64](to *T, n *document.Node) bool {
	value, err := strconv.ParseInt(n.Text, 10, 64)
	*to = T(value)
	return n.Kind == document.Number && err == nil
}

func setList(to *[]string, n *document.Node) bool {
	for _, item := range n.Items {
		if item.Kind != document.String {
			return false
		}
		*to = append(*to, item.Text)
	}
	return n.Kind == document.List
}
