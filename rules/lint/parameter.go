package lint

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/decide"
	"guardrails/internal/document"
)

// checkParameters reports parameters whose value has no meaning.
func (c *checker) checkParameters(s *subject) {
	parameters := s.Action.Parameters
	if value, set := parameters["remember"]; set {
		text, _ := value.(string)
		if !slices.Contains(decide.Remembers(), text) {
			c.report(s, "action.parameters.remember", InvalidParameter, Error,
				document.Excerpt(fmt.Sprint(value))+
					" is not a time for which an approval can be remembered, so a person is asked about every call",
				"use one of "+strings.Join(decide.Remembers(), ", "))
		}
	}
	if value, set := parameters["allow_once"]; set {
		if _, ok := value.(bool); !ok {
			c.report(s, "action.parameters.allow_once", InvalidParameter, Error,
				document.Excerpt(fmt.Sprint(value))+" is neither true nor false, so nobody can allow a call once",
				"write true or false")
		}
	}
}
