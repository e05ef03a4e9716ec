package cases

import (
	"slices"
	"strconv"
	"time"

	"guardrails/decide"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
)

// Facts converts the facts that a case states to a value of the type decide.Facts.
func Facts(stated *rules.Facts) decide.Facts {
	if stated == nil {
		return decide.Facts{}
	}
	facts := decide.Facts{
		Now: stated.Time, Project: stated.Project, OS: stated.OS, PermissionMode: stated.PermissionMode,
		Headless: stated.Headless,
		Session:  func() (decide.Session, error) { return session(stated), nil },
		Agreed:   func() []string { return stated.Agreed },
	}
	if stated.Branch != "" {
		facts.Branch = func() string { return stated.Branch }
	}
	return facts
}

// Layers returns a single layer with the given guidelines, and with the settings that the case states.
func Layers(set *evaluator.Set, context guideline.Context, stated *rules.Facts) []decide.Layer {
	layer := decide.Layer{Set: set, Context: context}
	if stated == nil {
		return []decide.Layer{layer}
	}
	layer.TestCommands = slices.Concat(stated.TestCommands, stated.Passed)
	for _, x := range stated.Exceptions {
		expires := x.Expires
		if expires.IsZero() {
			expires = stated.Time.Add(time.Hour)
		}
		layer.Exceptions = append(layer.Exceptions, decide.Exception{
			Guideline: x.Guideline, Tools: x.Tools, Reason: "stated by the case", Expires: expires,
		})
	}
	return []decide.Layer{layer}
}

func session(stated *rules.Facts) decide.Session {
	s := decide.Session{Untested: stated.Untested, Passed: stated.Passed}
	for i := range stated.FilesChanged {
		// The names of these files do not matter, as long as the call does not change files with the same names.
		s.Changed = append(s.Changed, "/file "+strconv.Itoa(i+1))
	}
	switch stated.Tests {
	case "failed":
		s.Tests = decide.TestsFailed
	case "none":
		s.Tests = decide.TestsMissing
	}
	return s
}
