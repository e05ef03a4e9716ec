package fakemodel

import "strings"

// Said is a method that returns all texts that the model received, in order: system texts, prompts, reminders and the
// results of tools. It leaves out the model's own texts.
func (r *Request) Said() []string {
	var texts []string
	for _, m := range r.Messages {
		if m.Role == roleAssistant {
			continue
		}
		for _, b := range m.Blocks {
			if b.Text != "" {
				texts = append(texts, b.Text)
			}
		}
	}
	return texts
}

// Saw is a method that reports whether the parameter "part" occurs in a text that the model received.
func (r *Request) Saw(part string) bool {
	for _, text := range r.Said() {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// ToolResult returns the result block of a call.
func (r *Request) ToolResult(id string) (Block, bool) {
	for _, m := range r.Messages {
		for _, b := range m.Blocks {
			if b.Type == typeToolResult && b.ID == id {
				return b, true
			}
		}
	}
	return Block{}, false
}

// opening() returns the user's texts before the model's first turn.
func (r *Request) opening() []string {
	var texts []string
	for _, m := range r.Messages {
		if m.Role == roleAssistant {
			break
		}
		for _, b := range m.Blocks {
			if m.Role == roleUser && b.Type == typeText {
				texts = append(texts, b.Text)
			}
		}
	}
	return texts
}
