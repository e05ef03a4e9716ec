package store

import (
	"strings"
)

// AuditField is a filter of audit entries. REST, MCP and the command line all take their filters from AuditFields.
type AuditField struct {
	// Name is the name in REST and MCP. Flag is the name on the command line.
	Name, Flag string
	// The field "Other" is another accepted spelling of Name, or "".
	Other string
	// About says which entries match. It is the end of a sentence that begins with "Only entries", for example "Only
	// entries of this kind". The last word says what the value is, except for a time.
	About string
	// Values lists the accepted values. It is empty if every text is accepted.
	Values []string
	// IsTime is set if the value is a day or a time.
	IsTime bool
}

// AuditFrom and AuditTo are the names of the fields that limit the time of entries.
const (
	AuditFrom = "date_from"
	AuditTo   = "date_to"
)

// AuditFields returns all filters of audit entries.
func AuditFields() []AuditField {
	return []AuditField{
		{Name: "kind", Flag: "kind", About: "of this kind", Values: []string{string(KindChange), string(KindDecision)}},
		{Name: "event_type", Flag: "event", About: "with this event", Values: AuditEvents()},
		{Name: "result", Flag: "result", About: "of decisions with this result", Values: AuditResults()},
		{Name: "guideline_id", Flag: "guideline", About: "about the guideline with this id"},
		{Name: "actor", Flag: "actor", About: "of the person, program or agent with this name"},
		{Name: "agent", Flag: "agent", About: "about this agent"},
		{Name: "session", Flag: "session", Other: "session_id", About: "of the session with this id"},
		{Name: "project", Flag: "project", Other: "project_id", About: "of the project with this id"},
		{
			Name: "mode", Flag: "mode", About: "of verdicts that the safety gate or OutputGuard gave in this mode",
			Values: AuditModes(),
		},
		{Name: AuditFrom, Flag: "from", About: "from this day or time on", IsTime: true},
		{Name: AuditTo, Flag: "to", About: "before this time, or up to the end of this day", IsTime: true},
	}
}

// PoliciesChanged is the event of an audit entry that says that the rules in a policy file of the safety gate have
// changed.
const PoliciesChanged = "policies_changed"

// AuditEvents returns the events of changes, and then the events of decisions. A test in package hooks checks that
// every event that a hook records is in the list.
func AuditEvents() []string {
	return []string{
		Created, Updated, Enabled, Disabled, Deleted, Restored, Imported, Pruned,
		"webhook_added", "webhook_changed", "webhook_rotated", "webhook_disabled", "webhook_removed",
		PoliciesChanged,
		"decision", "gate", "remember", "exception", "allow_once", "unchecked", "unreadable", "fail_open", "gap", "fallback",
		"choice", "prompt", "own_files", "damaged_record", "detector", "safety_input", "safety_output",
		"output_audit", "webhook_delivered", "webhook_given_up",
	}
}

// AuditResults returns the results of decisions: first the results of tool calls, then the answers of people, and then
// the results of other events, such as "gap" and "fallback".
func AuditResults() []string {
	return []string{
		"allow", "warn", "ask", "deny", "approved", "rejected", "deferred",
		"turn", "session", "failed", "static", "open", "refused", "snapshot", "cli", "cache", "gate", "unseen", "unsigned",
		"unknown", "put_back", "changed", "accepted", "sent",
		"detected", "gentle", "nudge", "hard", "proceed", "hold", "block",
		"safe", "unsafe", "failed_open", "failed_closed", DeliveryDone, DeliveryGivenUp,
	}
}

// AuditModes returns the modes that can be recorded with a verdict.
func AuditModes() []string { return []string{"off", "observe", "enforce"} }

// Set sets the field with the given name. It does not set times: callers set From and To themselves.
func (f *AuditFilter) Set(name, text string) {
	switch name {
	case "kind":
		f.Kind = Kind(text)
	case "event_type":
		f.Event = text
	case "result":
		f.Result = text
	case "guideline_id":
		f.Guideline = text
	case "actor":
		f.Actor = text
	case "agent":
		f.Agent = text
	case "mode":
		f.Mode = text
	case "session":
		f.Session = text
	case "project":
		f.Project = text
	}
}

// Names returns the names of the field: its usual name and the other spelling.
func (f *AuditField) Names() []string {
	if f.Other == "" {
		return []string{f.Name}
	}
	return []string{f.Name, f.Other}
}

// Flags returns the names of the field on the command line: its flag, and its REST names written with hyphens.
func (f *AuditField) Flags() []string {
	out := []string{f.Flag}
	for _, name := range f.Names() {
		if flag := strings.ReplaceAll(name, "_", "-"); flag != f.Flag {
			out = append(out, flag)
		}
	}
	return out
}
