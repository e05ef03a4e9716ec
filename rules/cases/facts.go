package cases

import (
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
	return decide.Facts{Now: stated.Time, Session: func() (decide.Session, error) { return session(stated), nil }}
}

// Layers returns a single layer with the given guidelines and with the exceptions of the case.
func Layers(set *evaluator.Set, context guideline.Context, stated *rules.Facts) []decide.Layer {
	layer := decide.Layer{Set: set, Context: context}
	if stated == nil {
		return []decide.Layer{layer}
	}
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
	var s decide.Session
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
