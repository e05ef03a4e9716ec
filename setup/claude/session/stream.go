package session

import (
	"encoding/json"
	"strings"
)

// The type "line" is one line of the stream. The package reads several kinds of lines, and this type has the fields of
// all kinds.
type line struct {
	Type     string `json:"type"`
	Subtype  string `json:"subtype"`
	Subagent string `json:"parent_tool_use_id"`
	// Message is a message of the conversation, or a plain text in some types of lines.
	Message json.RawMessage `json:"message"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// add() reads a line and appends its events. A message has one event for each block.
func (t *Transcript) add(raw []byte) error {
	var l line
	if err := json.Unmarshal(raw, &l); err != nil {
		return err
	}
	e := Event{Type: l.Type, Subtype: l.Subtype, Subagent: l.Subagent, Raw: raw}
	switch {
	case l.Type == "assistant" || l.Type == "user":
		return t.addMessage(e, l.Message)
	case l.Type == "system" && l.Subtype == "hook_response":
		e.Hook = &Hook{}
		if err := json.Unmarshal(raw, e.Hook); err != nil {
			return err
		}
	case l.Type == "result":
		t.Result = &Result{}
		if err := json.Unmarshal(raw, t.Result); err != nil {
			return err
		}
	}
	t.Events = append(t.Events, e)
	return nil
}

func (t *Transcript) addMessage(e Event, raw json.RawMessage) error {
	var message struct {
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(raw, &message); err != nil {
		return err
	}
	for _, b := range blocks(message.Content) {
		t.Events = append(t.Events, e.withContent(b))
	}
	return nil
}

// withContent adds the content of a block to a copy of the event, and returns the copy.
func (e Event) withContent(b block) Event {
	switch {
	case b.Type == "text" && e.Type == "assistant":
		e.Text = &b.Text
	case b.Type == "tool_use":
		e.Call = &Call{ID: b.ID, Name: b.Name, Input: b.Input}
	case b.Type == "tool_result":
		e.Answer = &Answer{ID: b.ToolUseID, Text: textOf(b.Content), Failed: b.IsError}
	}
	return e
}

// blocks() reads a message's content, which is a list of blocks or a single text.
func blocks(content json.RawMessage) []block {
	var list []block
	if json.Unmarshal(content, &list) == nil {
		return list
	}
	var text string
	if json.Unmarshal(content, &text) != nil {
		return nil
	}
	return []block{{Type: "text", Text: text}}
}

func textOf(content json.RawMessage) string {
	var texts []string
	for _, b := range blocks(content) {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}
