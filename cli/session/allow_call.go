package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
)

type allowedCall struct {
	tool  string
	input []byte
	// The field "pattern" is the tool pattern that the person gave, or "" if the person gave a command.
	pattern string
}

// The type "objection" is a guideline that stops a call. The guideline stops the call because of certain effects of the
// call, such as a file that the call writes. The field "tools" has tool patterns for these effects.
type objection struct {
	guideline string
	tools     []string
}

// parseAllowed reads a shell command or a tool pattern, and returns a call. For a pattern, it returns the simplest call
// that the pattern matches.
func parseAllowed(text string) (*allowedCall, error) {
	p, err := pattern.CompileTool(text)
	if err != nil || p.Spec == pattern.NoSpec {
		return newCall("Bash", "command", text, "")
	}
	_, inside, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	switch p.Family() {
	case pattern.CommandFamily:
		inside = strings.TrimSuffix(strings.TrimSuffix(inside, ":*"), " *")
		return newCall(p.Name, "command", inside, text)
	case pattern.WriteFamily, pattern.ReadFamily:
		return newCall(p.Name, "file_path", strings.NewReplacer("**", "x", "*", "x").Replace(inside), text)
	case pattern.FetchFamily:
		return newCall(p.Name, "url", "https://"+strings.TrimPrefix(inside, "domain:"), text)
	}
	return nil, fmt.Errorf("%s is not a pattern for commands, files or hosts; write the exception in the settings file", text)
}

func newCall(tool, field, value, text string) (*allowedCall, error) {
	if strings.TrimSpace(value) == "" {
		return nil, errors.New("the call is empty; give a command or a tool pattern")
	}
	input, err := json.Marshal(map[string]string{field: value})
	return &allowedCall{tool: tool, input: input, pattern: text}, err
}

// objections() returns the guidelines that stop the call. If ids are given, it returns only the guidelines with these
// ids.
func (c *allowedCall) objections(v *explain.Verdict, only []string) ([]objection, error) {
	call := &effect.Analysis{Tool: v.Tool, Effects: v.Effects}
	var out []objection
	for _, f := range v.Explanation.Findings {
		if f.Outcome != decide.Deny && f.Outcome != decide.Ask || len(only) > 0 && !slices.Contains(only, f.Guideline) {
			continue
		}
		if f.Event == effect.GuardTamper {
			return nil, errors.New("the call would change the guard itself, and this cannot be allowed; change the guard's files yourself")
		}
		tool, err := c.toolFor(call, f.Effect)
		if err != nil {
			return nil, err
		}
		if x := (decide.Exception{Tools: []string{tool}}); !x.Covers(call, f.Effect) {
			return nil, fmt.Errorf("the pattern %s does not match the part of the call that %s stops (%s); give a pattern "+
				"that matches this part",
				tool, f.Guideline, explain.Flat(f.Span))
		}
		out = addObjection(out, f.Guideline, tool)
	}
	switch {
	case len(out) == 0 && len(only) > 0:
		return nil, fmt.Errorf("%s does not stop this call (the decision is %s)", strings.Join(only, ", "), v.Decision)
	case len(out) == 0:
		return nil, errors.New("no guideline stops this call, so there is nothing to allow")
	}
	return out, nil
}

func addObjection(list []objection, guideline, tool string) []objection {
	for i := range list {
		if list[i].guideline == guideline {
			if !slices.Contains(list[i].tools, tool) {
				list[i].tools = append(list[i].tools, tool)
			}
			return list
		}
	}
	return append(list, objection{guideline, []string{tool}})
}

// toolFor returns a tool pattern for an effect to which a guideline objects. If the person gave a pattern, toolFor
// returns that pattern. Otherwise, it returns a pattern for the command that causes the effect, for the file, or for
// the host.
func (c *allowedCall) toolFor(call *effect.Analysis, i int) (string, error) {
	if c.pattern != "" {
		return c.pattern, nil
	}
	if i < 0 {
		return c.tool, nil
	}
	of := &call.Effects[i]
	if command := decide.CommandOf(call, i); of.Kind != effect.Run && command != nil {
		of = command
	}
	switch {
	case of.Kind == effect.Run && strings.Contains(of.Command, "*"):
		return "", fmt.Errorf("in %q the * would also match other commands; give a pattern such as 'Bash(%s:*)'",
			explain.Flat(of.Command), strings.TrimSpace(of.Command[:strings.IndexByte(of.Command, '*')]))
	case of.Kind == effect.Run:
		return "Bash(" + of.Command + ")", nil
	case of.Path != "" && (of.Kind == effect.Write || of.Kind == effect.Delete):
		return "Write(" + of.Path + ")", nil
	case of.Path != "":
		return "Read(" + of.Path + ")", nil
	case of.Host != "":
		return "WebFetch(domain:" + of.Host + ")", nil
	}
	return "", errors.New("guardrails cannot see what the call does, so no pattern can describe it; use guardrails allow-once")
}
