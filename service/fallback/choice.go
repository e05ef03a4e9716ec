package fallback

import (
	"fmt"
	"strings"

	"guardrails/hooks/session"
	"guardrails/internal/document"
	"guardrails/internal/private"
)

// The ways in which a user can continue during an outage.
const (
	ChoiceStatic = "static"
	ChoiceOpen   = "open"
)

// Choice returns how the user of a session chose to continue. It returns "" if the user has not chosen yet.
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

// Choose records how the user of a session chose to continue. After that, the agents of the session request guidelines
// again. If the session has no files, Choose returns an error, because the id is probably mistyped.
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
