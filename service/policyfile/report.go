package policyfile

import (
	"guardrails/detect/pii"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/policy"
	"guardrails/rules"
)

// Report says what is wrong with policy files.
type Report struct {
	Files int `json:"files"`
	// Rules is the number of rules that are switched on.
	Rules    int               `json:"rules"`
	Problems document.Problems `json:"problems"`
}

// Add adds the number of rules and the mistakes of a policy file to the report. It returns the rules.
func (r *Report) Add(shown string, text []byte) *policy.Set { return r.add(shown, text, 0) }

func (r *Report) add(shown string, text []byte, limit int) *policy.Set {
	set, problems := policy.Lint(shown, text, rules.ParseYAML, names(), limit)
	r.Files, r.Rules, r.Problems = r.Files+1, r.Rules+set.Rules(), append(r.Problems, problems...)
	return set
}

// names() returns the names that can be values of facts from the safety gate.
func names() *policy.Names {
	out := &policy.Names{}
	for _, gate := range append([]safety.Gate{safety.InputCheck}, safety.Gates()...) {
		out.Gates = append(out.Gates, string(gate))
		out.Flags = append(out.Flags, document.Texts(gate.Categories())...)
	}
	for _, category := range pii.Categories() {
		out.PII = append(out.PII, category.String())
	}
	return out
}

// Validate checks the text of a policy file. The parameter "arguments" is a JSON object that has this text in the
// field "text".
func Validate(arguments []byte) (*Report, error) {
	n, problems := document.ParseJSON("", arguments)
	if n == nil {
		return nil, problems.Numbered()
	}
	d := &document.Decoder{Problems: problems}
	text := ""
	d.Object(n, "", []document.Spec{{Name: "text", Required: true, Read: func(n *document.Node, path string) { text = d.Text(n, path) }}})
	if err := d.Problems.Numbered().Err(); err != nil {
		return nil, err
	}
	report := &Report{Problems: document.Problems{}}
	report.add("", []byte(text), policy.LintLimit)
	return report, nil
}

// Try applies policies to the facts in the parameter "arguments". If the arguments contain rules, Try uses these rules.
// Otherwise it uses the rules that the function inForce() returns. Try fires no event.
func Try(arguments []byte, inForce func() (*policy.Set, error)) (*policy.Traced, error) {
	n, problems := document.ParseJSON("", arguments)
	if n == nil || len(problems) > 0 {
		return nil, problems.Numbered()
	}
	facts, set, problems := policy.DecodeTrial("", n, policy.TrialLimit)
	err := problems.Numbered().Err()
	if err != nil {
		return nil, err
	}
	if set == nil {
		if set, err = inForce(); err != nil {
			return nil, err
		}
	}
	return set.Try(facts), nil
}
