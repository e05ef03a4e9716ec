package fakemodel

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Request is a request of the client to the model. It contains the whole conversation so far.
type Request struct {
	// Thread is the name of the request's thread: MainThread, SideThread, or the id of the call that started a subagent.
	Thread string
	// Turn is the number of turns that the model has made before this request.
	Turn     int
	Messages []Message
	// Tools lists the names of the tools that the model is allowed to call.
	Tools []string
	// Stream reports whether the client wants the answer as events.
	Stream bool
	model  string
}

// Message is one message of a conversation. The client uses the role "system" for the text before all messages, and
// sometimes between messages.
type Message struct {
	Role   string
	Blocks []Block
}

// Block is a part of a message: a text, a tool call or a tool's result.
type Block struct {
	Type string
	// Text is the text of a text block, or all texts of a tool's result in one string.
	Text string
	// ID is the id of the call in a tool_use or tool_result block.
	ID string
	// Name is the tool that is called.
	Name string
	// Input is the input of the tool.
	Input json.RawMessage
	// Failed reports whether the tool failed or was refused.
	Failed bool
}

// Names that the client uses in requests.
const (
	typeText       = "text"
	typeToolUse    = "tool_use"
	typeToolResult = "tool_result"
	roleSystem     = "system"
	roleUser       = "user"
	roleAssistant  = "assistant"
)

// wireRequest is a request as the client encodes it. The content is a string or a list of blocks.
type wireRequest struct {
	Model    string          `json:"model"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name string `json:"name"`
	} `json:"tools"`
	Stream bool `json:"stream"`
}

type wireBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

func parseRequest(body []byte) (*Request, error) {
	var w wireRequest
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, fmt.Errorf("the request is not for the Messages API: %w", err)
	}
	r := &Request{Stream: w.Stream, model: w.Model}
	for _, tool := range w.Tools {
		r.Tools = append(r.Tools, tool.Name)
	}
	if len(w.System) > 0 {
		if err := r.add(roleSystem, w.System); err != nil {
			return nil, err
		}
	}
	for _, m := range w.Messages {
		if err := r.add(m.Role, m.Content); err != nil {
			return nil, err
		}
		if m.Role == roleAssistant {
			r.Turn++
		}
	}
	return r, nil
}

func (r *Request) add(role string, content json.RawMessage) error {
	blocks, err := parseBlocks(content)
	if err != nil {
		return fmt.Errorf("message %d (%s) of the request: %w", len(r.Messages), role, err)
	}
	r.Messages = append(r.Messages, Message{Role: role, Blocks: blocks})
	return nil
}

func parseBlocks(content json.RawMessage) ([]Block, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []Block{{Type: typeText, Text: text}}, nil
	}
	var list []wireBlock
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, fmt.Errorf("the content is neither a text nor a list of blocks: %w", err)
	}
	blocks := make([]Block, 0, len(list))
	for _, w := range list {
		blocks = append(blocks, w.block())
	}
	return blocks, nil
}

func (w *wireBlock) block() Block {
	b := Block{Type: w.Type, Text: w.Text, ID: w.ID, Name: w.Name, Input: w.Input, Failed: w.IsError}
	if w.Type == typeToolResult {
		b.ID = w.ToolUseID
		b.Text = resultText(w.Content)
	}
	return b
}

// resultText joins the texts of a tool's result. It ignores pictures.
func resultText(content json.RawMessage) string {
	inner, err := parseBlocks(content)
	if err != nil {
		return ""
	}
	var texts []string
	for _, b := range inner {
		if b.Type == typeText {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}
