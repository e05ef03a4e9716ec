package decide

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
)

// Remember says how long a person's yes to a question is valid. A guideline sets it in parameters.remember.
type Remember string

// The values of parameters.remember.
const (
	ForCall    Remember = "call"    // for the call that was asked about
	ForTurn    Remember = "turn"    // until the user's next prompt
	ForSession Remember = "session" // until the session ends
)

// Remembers is a function that lists all values of parameters.remember.
func Remembers() []string { return []string{string(ForCall), string(ForTurn), string(ForSession)} }

// Yes names the question that a person answers, and says how long a yes to it is valid.
type Yes struct {
	Question string
	For      Remember
}

// answered() returns the name of a finding's question: the id of the guideline. If the call changes a file outside the
// project, the name also has the folder of that file, because a yes for one folder does not apply to another folder.
func (j *judge) answered(f *Finding) string {
	e := j.effectOf(f)
	if !e.Has(effect.OutsideWrite) {
		return f.Guideline.ID
	}
	place := e.Path[:max(0, strings.LastIndexByte(e.Path, '/'))]
	if len(place) < 2 {
		place = e.Path
	}
	return f.Guideline.ID + " " + strings.ReplaceAll(place, "\n", "?")
}

// remembers() returns how long a yes is valid if a person is asked because of a finding. If the guideline sets no
// value, this depends on what the call does. If the value is invalid, the yes is valid for this call only.
func (j *judge) remembers(f *Finding) Remember {
	e := j.effectOf(f)
	if f.Guideline.Locked || f.Guideline.ID == SelfProtection || e.Has(effect.GuardTamper) {
		return ForCall
	}
	value, set := f.Guideline.Action.Parameters["remember"]
	if !set {
		if e.Kind == effect.Opaque || slices.ContainsFunc(e.Events, isForOneCall) {
			return ForCall
		}
		return ForTurn
	}
	if text, ok := value.(string); ok && (Remember(text) == ForTurn || Remember(text) == ForSession) {
		return Remember(text)
	}
	return ForCall
}

// oneCall lists the events for which a yes is valid for one call only. A call with such an event destroys, publishes or
// deploys something, widens permissions, touches secrets, or runs code that nobody has seen. The list is a string,
// because a switch would take more space in the program.
const oneCall = " destructive_op project_delete outside_delete system_delete device_write discard_changes history_rewrite " +
	"force_push publish deploy devops_invocation remote_execution system_change system_control startup_change " +
	"defense_disable permission_change privilege privilege_escalation container_escape secret_access " +
	"secret_exfiltration pipe_to_shell hidden_execution opaque_execution untrusted_install reverse_shell " +
	"resource_exhaustion too_large push_default_branch skip_checks amend_pushed "

func isForOneCall(event effect.Event) bool { return strings.Contains(oneCall, " "+string(event)+" ") }

// recall() removes each question to which a person has already said yes, if the yes is still valid. It adds every other
// question to Decision.Remember if a yes to this question is valid for more than this call.
func (j *judge) recall() {
	d := j.decision
	var agreed []string
	if j.facts.Agreed != nil && slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Outcome == Ask }) {
		agreed = j.facts.Agreed()
	}
	d.Findings = slices.DeleteFunc(d.Findings, func(f Finding) bool {
		if f.Outcome != Ask {
			return false
		}
		scope := j.remembers(&f)
		known := scope != ForCall && slices.Contains(agreed, j.answered(&f))
		switch {
		case known:
			d.Agreed = addOnce(d.Agreed, f.Guideline.ID)
		case scope != ForCall:
			d.Remember = addOnce(d.Remember, Yes{j.answered(&f), scope})
		}
		return known
	})
}

// howLong returns a sentence that tells the person how long a yes is valid. It returns "" if the yes is valid for
// this call only.
func (j *judge) howLong() string {
	longest, where := ForSession, "."
	for i := range j.decision.Findings {
		f := &j.decision.Findings[i]
		if f.Outcome != Ask {
			continue
		}
		if j.effectOf(f).Has(effect.OutsideWrite) {
			where = ", for files in the same folder."
		}
		switch j.remembers(f) {
		case ForCall:
			return ""
		case ForTurn:
			longest = ForTurn
		}
	}
	if longest == ForTurn {
		return " A yes to this rule holds until your next prompt" + where
	}
	return " A yes to this rule holds for this session" + where
}
