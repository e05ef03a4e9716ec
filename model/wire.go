package model

import (
	"encoding/json"
	"errors"
)

// The headers and limits of the Messages API.
const (
	path         = "/v1/messages"
	headerKey    = "X-Api-Key"
	headerAPI    = "Anthropic-Version"
	apiVersion   = "2023-06-01"
	maxTokens    = 256
	maxQuestion  = 256 << 10
	maxAnswer    = 64 << 10
	typeToolUse  = "tool_use"
	contentType  = "application/json"
	maxHeaders   = 64 << 10
	statusBusy   = 529 // the service is overloaded
	wrongRequest = "the question is too large"
)

type request struct {
	Model       string    `json:"model"`
	MaxTokens   int       `json:"max_tokens"`
	Temperature int       `json:"temperature"`
	System      string    `json:"system"`
	Messages    []message `json:"messages"`
	Tools       []offered `json:"tools"`
	ToolChoice  choice    `json:"tool_choice"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type offered struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema map[string]any `json:"input_schema"`
}

type choice struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// encode() returns the body of a request. The parameter "text" is the text that the function prepared() returns.
func encode(model string, q *Question, text string) ([]byte, error) {
	out, err := json.Marshal(request{
		Model: model, MaxTokens: maxTokens, System: q.System,
		Messages:   []message{{Role: "user", Content: between(q.Task, text)}},
		Tools:      []offered{{Name: q.Tool.Name, Description: q.Tool.About, InputSchema: q.Tool.schema()}},
		ToolChoice: choice{Type: "tool", Name: q.Tool.Name},
	})
	if err == nil && len(out) > maxQuestion {
		err = errors.New(wrongRequest)
	}
	return out, err
}

type reply struct {
	Content []struct {
		Type  string          `json:"type"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"content"`
}

// decode() returns the arguments of the tool. The answer must use the tool exactly once.
func decode(body []byte, t *Tool) (json.RawMessage, error) {
	var r reply
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, errors.New("it is not JSON")
	}
	var input json.RawMessage
	for _, block := range r.Content {
		if block.Type != typeToolUse {
			continue
		}
		if block.Name != t.Name || input != nil {
			return nil, errors.New("it must use the tool " + t.Name + " exactly once, and no other tool")
		}
		input = block.Input
	}
	if input == nil {
		return nil, errors.New("it does not use the tool " + t.Name)
	}
	return input, t.check(input)
}
