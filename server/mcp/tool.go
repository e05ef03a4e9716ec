package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"guardrails/server/access"
)

// tool is one that callers name, with the shapes of what it takes and gives as they are published.
type tool struct {
	name, title, description string
	input, output            string
	// needs is the role that a caller must have.
	needs access.Role
	// writes is set where a call leaves something behind, replaces where that takes the place of something, and again where
	// the same call once more leaves nothing else.
	writes, replaces, again bool
	// serve answers a call; nil where the service does.
	serve serving
}

// result is what a call came to.
type result struct {
	// structured is the answer as an object of JSON; empty when the call failed.
	structured string
	// text is for readers who know no structured answers, and the error when the call failed.
	text string
}

// short is the size up to which an answer is given twice, as an object and as its text. A larger one would fill the
// reader's context with the same again.
const short = 8 << 10

// run calls a tool. An error is an answer too: it says what is to be changed.
func (s *Server) run(ctx context.Context, name string, arguments []byte) (r result) {
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			r = result{text: fmt.Sprintf("%s failed: %v; this is a mistake in guardrails, report it", name, p)}
		}
		s.observe(name, r.structured == "", time.Since(began))
	}()
	if err := s.admit(ctx, s.tool(name)); err != nil {
		return result{text: err.Error()}
	}
	if len(bytes.TrimSpace(arguments)) == 0 || string(arguments) == "null" {
		arguments = []byte("{}")
	}
	answer, words, err := s.answer(ctx, name, arguments)
	if err != nil {
		return result{text: err.Error()}
	}
	return s.shown(name, answer, words)
}

// shown is an answer as callers get it.
func (s *Server) shown(name string, answer any, words string) result {
	text, err := encode(answer)
	if err != nil {
		return result{text: name + " failed: " + err.Error()}
	}
	if words == "" && len(text) <= short && !s.programs {
		return result{structured: text, text: text}
	}
	return result{structured: text, text: words + "(the whole answer is in structuredContent)"}
}

// admit says why a caller may not call a tool, or not now.
func (s *Server) admit(ctx context.Context, t *tool) error {
	if caller := access.From(ctx); !caller.May(t.needs) {
		return fmt.Errorf("%s needs the role %s, and this caller has the role %s; use a token that has it", t.name, t.needs, caller.Role)
	}
	if !t.writes {
		return nil
	}
	return s.pace(ctx)
}

// tool is the one of a name that is offered.
func (s *Server) tool(name string) *tool {
	for i := range s.tools {
		if s.tools[i].name == name {
			return &s.tools[i]
		}
	}
	return nil
}

// encode is JSON on one line in which <, > and & stand as they are.
func encode(value any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
