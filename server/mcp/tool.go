package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"guardrails/server/access"
	"guardrails/service/storefault"
	"guardrails/service/tools"
	"guardrails/store"
)

// The type "tool" describes a tool and the schemas that the server publishes for it.
type tool struct {
	name, title, description string
	input, output            string
	needs                    access.Role
	// The flag "writes" is set if a call writes something. The flag "replaces" is set if a call replaces or removes
	// something. The flag "repeatable" is set if a second, equal call has no further effect.
	writes, replaces, repeatable bool
	// isDetector is set if the tool checks texts of people and models. Calls of such a tool are not counted.
	isDetector bool
	// isOptional is set for a tool that is listed only if the server's options contain its name.
	isOptional bool
	// serve() answers a call. It is nil if the type service.Service answers the tool.
	serve serving
}

type result struct {
	// The field "structured" is the answer as a JSON object. It is nil if the call failed.
	structured []byte
	// The field "text" is the error message, or the answer for clients that cannot read the structured content.
	text string
}

// The constant "short" limits the size of answers that are sent twice, as an object and as text. A longer answer is
// sent only once, because it would fill too much of the model's context.
const short = 8 << 10

// run() calls a tool. If the call fails, the answer says what the caller must change.
func (s *Server) run(ctx context.Context, name string, arguments []byte) (r result) {
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			r = result{text: fmt.Sprintf("%s failed: %v; this is a bug in guardrails, please report it", name, p)}
		}
		if t := s.tool(name); t == nil || !t.isDetector {
			s.observe(name, r.structured == nil, time.Since(began))
		}
	}()
	if err := s.admit(ctx, s.tool(name), arguments); err != nil {
		return result{text: err.Error()}
	}
	ctx, stop := s.limitTime(ctx, s.tool(name))
	defer stop()
	if len(bytes.TrimSpace(arguments)) == 0 || string(arguments) == "null" {
		arguments = []byte("{}")
	}
	answer, words, err := s.answer(ctx, name, arguments)
	if err != nil {
		if s.bound && access.From(ctx).Tenant != s.tenant {
			err = storefault.WithoutPlace(err)
		}
		return result{text: err.Error() + s.tool(name).doubt(err)}
	}
	return s.encoded(name, answer, words)
}

// limitTime limits the time of a call. An import over stdio has no limit, because there is no connection that could be
// cut off during a long import.
func (s *Server) limitTime(ctx context.Context, t *tool) (context.Context, context.CancelFunc) {
	if s.time == 0 || !s.bound && t.name == toolImport {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, s.time)
}

// doubt() returns the end of an error message for a change. This text says whether the change may have been made, and
// what to do.
func (t *tool) doubt(err error) string {
	switch {
	case !t.writes || store.CodeOf(err) != store.Unavailable || strings.Contains(err.Error(), store.NothingChanged):
		return ""
	case store.ChangedNothing(err):
		return "; " + store.NothingChanged
	}
	if !strings.Contains(t.input, `"write_id"`) {
		return "; the change may have been made, so check the audit before you call again"
	}
	return "; the change may have been made, so call again with the same write_id, or read the guideline first"
}

// encoded() returns an answer as an object and as text. If the answer is too long to be sent twice, or if all callers
// are programs, the text only refers to the object.
func (s *Server) encoded(name string, answer any, words string) result {
	text, err := encode(answer)
	if err != nil {
		return result{text: name + " failed: " + err.Error()}
	}
	if words == "" && len(text) <= short && !s.programs {
		return result{structured: text, text: string(text)}
	}
	return result{structured: text, text: words + "(the complete answer is in structuredContent)"}
}

// admit() returns an error if the caller may not call a tool, or has made too many changes.
func (s *Server) admit(ctx context.Context, t *tool, arguments []byte) error {
	if caller := access.From(ctx); !caller.May(t.needs) {
		return fmt.Errorf("%s needs the role \"%s\", and this caller has the role \"%s\"; use a token with the role that the tool needs",
			t.name, t.needs, caller.Role)
	}
	if !t.writes || !tools.Costs(ctx, s.service, t.name, arguments) {
		return nil
	}
	return s.pace(ctx)
}

// tool() returns the tool with the given name, or nil if there is none.
func (s *Server) tool(name string) *tool {
	for i := range s.tools {
		if s.tools[i].name == name {
			return &s.tools[i]
		}
	}
	return nil
}

// encode() returns JSON on one line, without escaping <, > and &.
func encode(value any) ([]byte, error) {
	var out text
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out, []byte("\n")), nil
}

// The type "text" collects the bytes that are written to it. The encoder writes everything in one call, so the
// bytes are copied only once.
type text []byte

func (t *text) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	return len(p), nil
}
