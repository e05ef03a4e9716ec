package service

import (
	"fmt"
	"strings"

	"guardrails/hooks/session"
	"guardrails/internal/document"
)

// Choice is what a session's user answered to the question how to go on; empty when nobody did.
func (s *Service) Choice(id string) (string, error) {
	d, err := session.Open(s.env)
	if err != nil {
		return "", err
	}
	state, err := d.Ledger(id)
	if err != nil {
		return "", err
	}
	return state.Choice, nil
}

// Choose answers the question how to go on for a session, and makes its agents ask for guidelines anew. A session of
// which there is no trace is an error: its id is mistyped.
func (s *Service) Choose(id, choice string) error {
	d, err := session.Open(s.env)
	if err != nil {
		return err
	}
	files, err := d.List(session.Prefix(id))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("there is no session %s in %s; check its id", document.Excerpt(id), d.Path(""))
	}
	if err := d.Note(id, session.Entry{Kind: session.Chose, Choice: choice}); err != nil {
		return err
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".json") {
			if _, err := d.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}
