package service

import (
	"encoding/json"
	"slices"

	"guardrails/detect/safety"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/service/screening"
)

// A turn has the facts about the last prompt that are stored until the answer to the prompt is checked. It has no part
// of the prompt's text.
type turn struct {
	Intents []string `json:"intents,omitempty"`
	Sad     bool     `json:"sad,omitempty"`
	Asks    bool     `json:"asks,omitempty"`
	// Personal has keyed hashes of the personal data in the prompt.
	Personal []string `json:"personal,omitempty"`
}

// maxPersonal limits the number of hashes in a turn, and maxTurn the size of its file.
const (
	maxPersonal = 1000
	maxTurn     = 64 << 10
)

// beginTurn stores the facts about a prompt that the gates need when they check the answer to this prompt.
func (s *Service) beginTurn(b *rulebook, r *Request, a *Answer, intents []string) {
	if !checksAnswers(&b.settings) || r.SessionID == "" {
		return
	}
	if err := s.keepTurn(r, intents); err != nil {
		a.Notices = append(a.Notices, "guardrails cannot fully check the answer to this prompt: "+err.Error())
	}
}

func (s *Service) keepTurn(r *Request, intents []string) error {
	dir, err := private.Runtime(s.env)
	if err != nil {
		return err
	}
	known, personal := safety.TurnOf(document.First(r.Prompt, safety.MaxText))
	name := session.TurnName(r.SessionID)
	key := dir.KeyOf(name)
	t := turn{Intents: intents, Sad: known.Sad, Asks: known.AsksAtLength}
	for _, data := range personal[:min(len(personal), maxPersonal)] {
		t.Personal = append(t.Personal, string(key.Sum([]byte(data))))
	}
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := dir.Write(name, key.Sign(text)); err != nil {
		_, _ = dir.Remove(name) // the file of an earlier prompt does not count for the answer to this one
		return err
	}
	return nil
}

// addTurn adds the stored facts about the last prompt of a session to the check of an answer. If no facts can be read,
// the answer is checked without facts about the prompt. There are no facts if the gate was off when the prompt came.
func (s *Service) addTurn(r *Request, in *screening.Response) error {
	dir, err := private.Runtime(s.env)
	if err != nil {
		return err
	}
	name := session.TurnName(r.SessionID)
	if _, isKept := dir.Seen(name); !isKept {
		return nil
	}
	var t turn
	text, err := dir.ReadSigned(name, maxTurn)
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	if err != nil {
		return err
	}
	key := dir.KeyOf(name)
	in.Intents, in.ToolsUsed = t.Intents, toolsRan(dir, r.SessionID)
	in.Turn = &safety.Turn{Wrote: func(data string) bool {
		return slices.Contains(t.Personal, string(key.Sum([]byte(data))))
	}}
	if r.MainThread {
		in.Turn.Sad, in.Turn.AsksAtLength = t.Sad, t.Asks // the prompt was not for a subagent
	}
	return nil
}

// toolsRan reports whether a tool has run in a session since the last prompt.
func toolsRan(dir *private.Dir, id string) bool {
	began, _ := dir.Seen(session.BeatName(id, wire.UserPromptSubmit))
	return slices.ContainsFunc([]string{wire.PostToolUse, wire.PostToolUseFailure}, func(event string) bool {
		at, seen := dir.Seen(session.BeatName(id, event))
		return seen && !at.Before(began)
	})
}
