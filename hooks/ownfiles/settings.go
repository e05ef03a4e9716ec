package ownfiles

import "guardrails/internal/document"

// settings() returns the part of the client's settings that concerns the guard. The client itself writes the other
// parts, for example when a person answers a question with "don't ask again". If the text is not JSON, settings()
// returns all of it.
func settings(text []byte) []byte {
	members, err := document.Members(text)
	if err != nil {
		return text
	}
	var out []byte
	for _, m := range members {
		switch m.Name {
		case "hooks", "disableAllHooks", "allowManagedHooksOnly", "env", "agent":
			out = appendCompact(append(append(out, m.Name...), ':'), m.Raw)
		}
	}
	return out
}

// appendCompact appends JSON without the spaces between its parts. The client may write the same JSON with different
// spaces.
func appendCompact(out, raw []byte) []byte {
	quoted := false
	for i, c := range raw {
		switch {
		case c == '"' && !escaped(raw, i):
			quoted = !quoted
		case !quoted && c <= ' ':
			continue
		}
		out = append(out, c)
	}
	return append(out, '\n')
}

// escaped() reports whether the byte at a position follows an odd number of backslashes.
func escaped(raw []byte, at int) bool {
	odd := false
	for ; at > 0 && raw[at-1] == '\\'; at-- {
		odd = !odd
	}
	return odd
}
