package rules

import (
	"guardrails/guideline"
	"guardrails/internal/document"
)

// Case states what guidelines should do in a context, on a tool call, or on both together.
type Case struct {
	Name    string            `json:"name"`
	Context guideline.Context `json:"context,omitzero"`
	// The field "Unknown" lists the fields of the context that are unknown. In a file, this list is a part of the
	// context.
	Unknown guideline.Fields `json:"-"`
	Tool    string           `json:"tool,omitempty"`
	Command string           `json:"command,omitempty"`
	Path    string           `json:"path,omitempty"`
	Input   map[string]any   `json:"input,omitempty"`
	Facts   *Facts           `json:"facts,omitempty"`
	// Message is what a person writes to a model, and Response is what the model answers. The safety gate checks the
	// response, or the message if there is no response.
	Message  string `json:"message,omitempty"`
	Response string `json:"response,omitempty"`
	Expect   Expect `json:"expect"`
	Origin   Origin `json:"-"`
}

// Expect lists the expectations of a case. A nil list and an empty text are not checked. A list that is written as []
// in a file is not nil: the case then expects an empty result.
type Expect struct {
	// The field "Matches" lists all guidelines that match, in any order. The field "Includes" lists some guidelines
	// that match. The field "Excludes" lists some guidelines that do not match.
	Matches  []string `json:"matches,omitempty"`
	Includes []string `json:"includes,omitempty"`
	Excludes []string `json:"excludes,omitempty"`
	// Decision is the decision on the tool call. Guideline is the id of the guideline that makes this decision.
	Decision  string `json:"decision,omitempty"`
	Guideline string `json:"guideline,omitempty"`
	// Gates, ToolsAllowed, ToolsDenied and ToolsAsked are the complete lists that the result must have, in any order.
	Gates        []string     `json:"gates,omitempty"`
	ToolsAllowed []string     `json:"tools_allowed,omitempty"`
	ToolsDenied  []string     `json:"tools_denied,omitempty"`
	ToolsAsked   []string     `json:"tools_asked,omitempty"`
	Constraints  *Constraints `json:"constraints,omitempty"`
	// InstructionContains lists texts that the combined instruction must contain.
	InstructionContains []string `json:"instruction_contains,omitempty"`
	// Events lists some of the events that the tool call causes.
	Events []string `json:"events,omitempty"`
	// Safety is the verdict of the safety gate, without policies.
	Safety string `json:"safety,omitempty"`
}

// Constraints holds the constraints that a case expects. Nil fields are not checked.
type Constraints struct {
	MaxFiles      *int  `json:"max_files,omitempty"`
	RequireTests  *bool `json:"require_tests,omitempty"`
	RequireReview *bool `json:"require_review,omitempty"`
}

// HasToolCall reports whether the case is about a tool call.
func (c *Case) HasToolCall() bool { return c.Tool != "" }

// Decisions returns the possible decisions on a tool call.
func Decisions() []string { return []string{"allow", "warn", "ask", "deny"} }

// Verdicts returns the possible verdicts of the safety gate.
func Verdicts() []string { return []string{"PROCEED", "HOLD", "BLOCK"} }

// HasText reports whether the case is about a text that the safety gate checks.
func (c *Case) HasText() bool { return c.Message+c.Response != "" }

func decodeCase(d *document.Decoder, n *document.Node, path string) Case {
	c := Case{Origin: Origin{File: d.File, Line: n.Line}}
	r := caseReader{d}
	if d.Object(n, path, []document.Spec{
		{Name: "name", Required: true, Read: r.text(&c.Name)},
		{Name: "context", Read: func(n *document.Node, at string) {
			c.Context, c.Unknown = guideline.DecodeContext(d, n, at)
		}},
		{Name: "tool", Read: r.text(&c.Tool)},
		{Name: "command", Read: r.script(&c.Command)},
		{Name: "path", Read: r.text(&c.Path)},
		{Name: "input", Read: func(n *document.Node, at string) { c.Input = d.Map(n, at) }},
		{Name: "facts", Read: r.facts(&c.Facts)},
		{Name: "message", Read: r.script(&c.Message)},
		{Name: "response", Read: r.script(&c.Response)},
		{Name: "expect", Required: true, Read: r.expect(&c.Expect)},
	}) {
		r.checkCall(n, path)
		r.checkText(n, path)
	}
	return c
}

type caseReader struct{ *document.Decoder }

type readFunc = func(n *document.Node, path string)

func (r caseReader) text(into *string) readFunc { return r.filled(into, false) }

// script() decodes a command or another text that may have several lines.
func (r caseReader) script(into *string) readFunc { return r.filled(into, true) }

func (r caseReader) filled(into *string, multiline bool) readFunc {
	return func(n *document.Node, path string) {
		before := len(r.Problems)
		*into = r.String(n, path, multiline)
		if *into == "" && len(r.Problems) == before {
			r.Report(n, path, "is empty", "write a value")
		}
	}
}

// strings() decodes a list. An empty list becomes an empty slice, not nil.
func (r caseReader) strings(into *[]string) readFunc {
	return func(n *document.Node, path string) {
		if *into = r.Strings(n, path); *into == nil {
			*into = []string{}
		}
	}
}

func (r caseReader) expect(into *Expect) readFunc {
	return func(n *document.Node, path string) {
		if r.Object(n, path, []document.Spec{
			{Name: "matches", Read: r.strings(&into.Matches)},
			{Name: "includes", Read: r.strings(&into.Includes)},
			{Name: "excludes", Read: r.strings(&into.Excludes)},
			{Name: "decision", Read: func(n *document.Node, at string) { into.Decision = r.Choice(n, at, Decisions()) }},
			{Name: "guideline", Read: r.text(&into.Guideline)},
			{Name: "gates", Read: r.strings(&into.Gates)},
			{Name: "tools_allowed", Read: r.strings(&into.ToolsAllowed)},
			{Name: "tools_denied", Read: r.strings(&into.ToolsDenied)},
			{Name: "tools_asked", Read: r.strings(&into.ToolsAsked)},
			{Name: "constraints", Read: r.constraints(&into.Constraints)},
			{Name: "instruction_contains", Read: r.strings(&into.InstructionContains)},
			{Name: "events", Read: r.strings(&into.Events)},
			{Name: "safety", Read: func(n *document.Node, at string) { into.Safety = r.Choice(n, at, Verdicts()) }},
		}) && len(n.Fields) == 0 {
			r.Report(n, path, "expects nothing", `add what the case expects, such as "matches" or "decision"`)
		}
	}
}

func (r caseReader) constraints(into **Constraints) readFunc {
	return func(n *document.Node, path string) {
		c := &Constraints{}
		*into = c
		if r.Object(n, path, []document.Spec{
			{Name: "max_files", Read: func(n *document.Node, at string) { c.MaxFiles = new(r.Int(n, at, 0, 1<<31-1)) }},
			{Name: "require_tests", Read: func(n *document.Node, at string) { c.RequireTests = new(r.Bool(n, at)) }},
			{Name: "require_review", Read: func(n *document.Node, at string) { c.RequireReview = new(r.Bool(n, at)) }},
		}) && len(n.Fields) == 0 {
			r.Report(n, path, "expects nothing", "name a constraint or remove the field")
		}
	}
}

// checkCall reports a problem if a case has no tool, but has an input or expectations that only a tool call can have.
func (r caseReader) checkCall(n *document.Node, path string) {
	inputs := present(n, "command", "path", "input")
	if len(inputs) > 1 {
		r.Report(inputs[1], path, "has more than one of command, path and input", "keep one")
	}
	if n.Field("tool") != nil {
		return
	}
	if len(inputs) > 0 {
		r.Report(inputs[0], document.Join(path, "tool"), "is missing", "name the tool, such as Bash or Write")
	} else if len(present(n, "context", "message", "response")) == 0 {
		r.Report(n, path, "has neither context nor tool", "add a context, a tool call, a message or a response")
	}
	if facts := n.Field("facts"); facts != nil {
		r.Report(facts, path, "has facts but no tool call", "add a tool and its input, or remove the facts")
	}
	expect := n.Field("expect")
	if expect == nil || len(inputs) > 0 {
		return
	}
	for _, field := range present(expect, "decision", "guideline", "events") {
		r.Report(field, document.Join(path, "expect"), "expects a decision or events but has no tool call",
			"add a tool and its input")
	}
}

// checkText reports a problem if a case expects a verdict of the safety gate but has no text. It also reports a case
// that has both a text and a tool call.
func (r caseReader) checkText(n *document.Node, path string) {
	given := present(n, "message", "response")
	if len(given) > 0 && n.Field("tool") != nil {
		r.Report(given[0], path, "has both a text and a tool call", "write two cases")
	}
	expect := n.Field("expect")
	if expect == nil || len(given) > 0 {
		return
	}
	if field := expect.Field("safety"); field != nil {
		r.Report(field, document.Join(path, "expect"), "expects a verdict of the safety gate but has no text",
			"add a message or a response")
	}
}

func present(n *document.Node, names ...string) []*document.Node {
	var out []*document.Node
	for _, name := range names {
		if field := n.Field(name); field != nil {
			out = append(out, field)
		}
	}
	return out
}
