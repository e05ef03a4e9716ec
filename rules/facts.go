package rules

import (
	"time"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// Facts holds what a case states about the session and the project of its tool call. Without facts, the call is the
// first call of a new session.
type Facts struct {
	// FilesChanged is the number of files that the session has changed since the last commit.
	FilesChanged int `json:"files_changed,omitempty"`
	// Tests is the result of the tests since a source file last changed: "passed", "failed", or "none" if no test ran.
	Tests string `json:"tests,omitempty"`
	// Untested lists the source files that have changed since the tests last passed.
	Untested []string `json:"untested,omitempty"`
	// TestCommands lists commands that the project's settings name as test commands. Passed lists such commands that
	// have succeeded since a source file last changed.
	TestCommands []string `json:"test_commands,omitempty"`
	Passed       []string `json:"passed,omitempty"`
	// Agreed lists the questions to which a person has already said yes. The questions have the form of
	// decide.Yes.Question.
	Agreed []string `json:"agreed,omitempty"`
	// Time is the time of the call.
	Time time.Time `json:"time,omitzero"`
	// Branch, Project, OS, PermissionMode and Headless are the facts of these names that condition.custom can use.
	Branch         string `json:"branch,omitempty"`
	Project        string `json:"project,omitempty"`
	OS             string `json:"os,omitempty"`
	PermissionMode string `json:"permission_mode,omitempty"`
	Headless       *bool  `json:"headless,omitempty"`
	// Exceptions lists the exceptions that the project's settings have.
	Exceptions []Exception `json:"exceptions,omitempty"`
}

// Exception is an exception of the project, as a case states it.
type Exception struct {
	Guideline string `json:"guideline"`
	// Tools lists the tool patterns that the exception covers. If it is empty, the exception covers every call.
	Tools []string `json:"tools,omitempty"`
	// Expires is the time at which the exception ends. If Expires is not set, the exception has not expired.
	Expires time.Time `json:"expires,omitzero"`
}

// maxFilesChanged is the largest allowed value of Facts.FilesChanged.
const maxFilesChanged = 10000

// TestStates returns the allowed values of Facts.Tests.
func TestStates() []string { return []string{"passed", "failed", "none"} }

func (r caseReader) facts(into **Facts) readFunc {
	return func(n *document.Node, path string) {
		f := &Facts{}
		*into = f
		r.Object(n, path, []document.Spec{
			{Name: "files_changed", Read: func(n *document.Node, at string) { f.FilesChanged = r.Int(n, at, 0, maxFilesChanged) }},
			{Name: "tests", Read: func(n *document.Node, at string) { f.Tests = r.Choice(n, at, TestStates()) }},
			{Name: "untested", Read: r.strings(&f.Untested)},
			{Name: "test_commands", Read: r.strings(&f.TestCommands)},
			{Name: "passed", Read: r.strings(&f.Passed)},
			{Name: "agreed", Read: r.strings(&f.Agreed)},
			{Name: "time", Read: r.time(&f.Time)},
			{Name: guideline.FactBranch, Read: r.text(&f.Branch)},
			{Name: guideline.FactProject, Read: r.text(&f.Project)},
			{Name: guideline.FactOS, Read: func(n *document.Node, at string) { f.OS = r.Choice(n, at, guideline.Systems()) }},
			{Name: guideline.FactPermissionMode, Read: func(n *document.Node, at string) {
				f.PermissionMode = r.Choice(n, at, guideline.PermissionModes())
			}},
			{Name: guideline.FactHeadless, Read: func(n *document.Node, at string) { f.Headless = new(r.Bool(n, at)) }},
			{Name: "exceptions", Read: r.exceptions(&f.Exceptions)},
		})
	}
}

func (r caseReader) exceptions(into *[]Exception) readFunc {
	return func(n *document.Node, path string) {
		if n.Kind != document.List {
			r.Report(n, path, "is not a list", "write each exception as an item of a list")
			return
		}
		for i, item := range n.Items {
			var x Exception
			r.Object(item, document.Index(path, i), []document.Spec{
				{Name: "guideline", Required: true, Read: r.text(&x.Guideline)},
				{Name: "tools", Read: r.strings(&x.Tools)},
				{Name: "expires", Read: r.time(&x.Expires)},
			})
			*into = append(*into, x)
		}
	}
}

func (r caseReader) time(into *time.Time) readFunc {
	return func(n *document.Node, path string) {
		text := r.String(n, path, false)
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			r.Report(n, path, "is not a time", "write it as 2026-03-01T12:00:00Z, in quotes")
			return
		}
		*into = at
	}
}
