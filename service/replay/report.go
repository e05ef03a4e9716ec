// Package replay compares recorded decisions with the decisions that changed guidelines would make.
//
// Start with Run. It reads entries of the audit, and a Judge judges each recorded call again.
package replay

import (
	"time"

	"guardrails/decide/rejudge"
)

// Report is the result of a replay.
type Report struct {
	// The field "Read" is the number of entries that were read. Calls is the number of these entries that are about a tool
	// call.
	Read  int `json:"read"`
	Calls int `json:"calls"`
	// Replayed is the number of calls that were judged again. It is the sum of Changed and Unchanged.
	Replayed  int `json:"replayed"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	// NotReplayed is the number of calls that cannot be judged again. Reasons has the reasons for this.
	NotReplayed int      `json:"not_replayed"`
	Reasons     []Reason `json:"reasons"`
	Groups      []Group  `json:"groups"`
	// MoreGroups is the number of changed calls in groups that the report leaves out.
	MoreGroups int `json:"in_more_groups"`
	// Truncated is set if the replay ended before the last entry.
	Truncated bool `json:"truncated"`
	// TimeOver is set if the replay ended because of MaxTime.
	TimeOver bool `json:"-"`
	// First and Last are the times of the first and the last call.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	// Notices say in which ways the result is incomplete.
	Notices []string `json:"notices"`
}

// Reason describes why some calls cannot be judged again, and has the number of these calls.
type Reason struct {
	Reason string `json:"reason"`
	About  string `json:"about"`
	Count  int    `json:"count"`
}

// The reasons why a call cannot be judged again. Package rejudge has further reasons.
const (
	NotRecorded = "not_recorded"
	Off         = "off"
	TooLarge    = "too_large"
	Secret      = "secret"
	Unreadable  = "unreadable"
	Unchecked   = "unchecked"
	Unknown     = "unknown_project"
)

// about() returns a text that explains a reason.
func about(reason string) string {
	switch reason {
	case NotRecorded:
		return "the hook had no guidelines, or an earlier version of guardrails recorded the call"
	case Off:
		return "the setting audit.calls was off"
	case TooLarge:
		return "the record of the call would be larger than 8 KiB, or the input of the call has more than 16 KiB"
	case Secret:
		return "the call contains a password or a token, so what it does is not recorded"
	case Unreadable:
		return "the record of the call is damaged, or a later version of guardrails wrote it"
	case Unchecked:
		return "nothing checked the call when it was made"
	case Unknown:
		return "the guidelines of the call's project cannot be read"
	case string(rejudge.MissingSession):
		return "a guideline needs to know what the session did before, and this was not recorded"
	case string(rejudge.MissingFolders):
		return "a guideline needs to know which files a folder had, and this was not recorded"
	case string(rejudge.MissingTests):
		return "a guideline needs to know whether the project has tests, and this was not recorded"
	case string(rejudge.MissingBranch):
		return "a guideline depends on the branch, and the branch was not recorded"
	case string(rejudge.MissingScripts):
		return "the call runs a script, and the record does not say whether the script was committed"
	case string(rejudge.MissingLoops):
		return "a guideline reacts to loops of an agent, and the record does not say whether the call was part of a loop"
	case string(rejudge.MissingYeses):
		return "a guideline asks a person, and some earlier answers of that person were not recorded"
	}
	return reason
}

// Verdict is a short form of a decision. It has the result, and the id of the guideline that decides. The id is "" if
// no guideline decides.
type Verdict struct {
	Result    string `json:"result"`
	Guideline string `json:"guideline_id,omitempty"`
}

// Group has changed calls. All of them have the same old decision and the same new decision.
type Group struct {
	Was   Verdict `json:"was"`
	Would Verdict `json:"would"`
	// ByDraft is set if only the draft changes the decision: the saved guidelines would still make the recorded decision.
	// It is not set if there is no draft, or if the saved guidelines cannot judge the call. It is also not set if the
	// saved guidelines have changed since the call and would also decide differently.
	ByDraft bool `json:"by_draft"`
	Count   int  `json:"count"`
	// Calls lists the first calls of the group.
	Calls []Call `json:"calls"`
}

// Call is a recorded call whose decision would change.
type Call struct {
	Entry   string    `json:"entry_id"`
	Time    time.Time `json:"timestamp"`
	Agent   string    `json:"agent,omitempty"`
	Session string    `json:"session_id,omitempty"`
	Tool    string    `json:"tool"`
	// Text is the recorded part of the call, such as "git push" or "Write(src/a.go)".
	Text string `json:"text"`
	// Reason is the text that the agent would receive.
	Reason string `json:"reason,omitempty"`
}
