package fallback

import (
	"fmt"
	"strings"

	"guardrails/hooks/session"
	"guardrails/internal/document"
	"guardrails/internal/private"
)

// The ways in which a user can choose to continue.
const (
	ChoiceStatic = "static"
	ChoiceOpen   = "open"
)

// Choice returns how a session's user chose to continue, or "" before they choose.
func Choice(env func(string) string, id string) (string, error) {
	d, err := private.Runtime(env)
	if err != nil {
		return "", err
	}
	state, err := session.ReadLedger(d, id)
	if err != nil {
		return "", err
	}
	return state.Choice, nil
}

// Choose records how a session's user chose to continue, and makes its agents ask for guidelines again. A session
// without any files is an error, because its id is probably mistyped.
func Choose(env func(string) string, id, choice string) error {
	d, err := private.Runtime(env)
	if err != nil {
		return err
	}
	names, err := d.List(session.Prefix(id))
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("there is no session %s in %s; check its id", document.Excerpt(id), d.Path(""))
	}
	if err := session.Note(d, id, session.Entry{Kind: session.Chose, Choice: choice}); err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".json") {
			if _, err := d.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}
