package policy

import "guardrails/internal/document"

// DecodeRules reads a list of rules, as DecodeTrial does.
func DecodeRules(file string, n *document.Node, limit int) (*Set, document.Problems) {
	set, _, problems := decodeRules(file, n, limit)
	return set, problems
}
