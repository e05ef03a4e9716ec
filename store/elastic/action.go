package elastic

import (
	"encoding/json"

	"guardrails/store"
)

// action is a document that is to be written. Carried out again, at any time, it changes nothing: what it creates has a
// name of its own, and what it replaces only ever has this one next state.
type action struct {
	Index string `json:"index"`
	ID    string `json:"id"`
	// Replace writes over what is there.
	Replace bool            `json:"replace,omitempty"`
	Doc     json.RawMessage `json:"doc"`
}

func newAction(index, id string, replace bool, doc any) (action, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return action{}, store.Errorf(store.Invalid, "a document cannot be written as JSON: %w", err)
	}
	return action{index, id, replace, text}, nil
}

// size is about how much room the action takes.
func (a *action) size() int { return len(a.Doc) + len(a.ID) + 100 }

// portions parts actions so that none is larger than size, except where one action alone is.
func portions(actions []action, size int) (out [][]action) {
	start, sum := 0, 0
	for i := range actions {
		next := actions[i].size()
		if i > start && (sum+next > size || i-start == maxItems) {
			out = append(out, actions[start:i])
			start, sum = i, 0
		}
		sum += next
	}
	if start < len(actions) {
		out = append(out, actions[start:])
	}
	return out
}
