package rejudge

import (
	"slices"
	"strconv"
	"strings"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/internal/document"
)

// Call is a recorded tool call with the facts that are known about it.
type Call struct {
	effect.Analysis
	// Layers says, for each layer, which agent made the call and for what task.
	Layers []Layer

	unconfirmed, unlooped bool
	// leftOut is set if there were too many facts to note all of them.
	leftOut bool
	facts   decide.Facts
	// The field "east" is the number of seconds by which the clock of the computer was ahead of UTC.
	east   int
	asked  fields
	listed []listed
}

// Layer is the task of a call, as one layer of guidelines sees it.
type Layer struct{ Agent, Domain, Action, Environment string }

// The type "fields" has the lists of strings of an object, by field name.
type fields map[string][]string

// The type "listed" is a folder whose entries are known.
type listed struct {
	name     string
	limit    int
	complete bool
	entries  []decide.Entry
}

// Error says why a text is not a call that can be judged again.
type Error string

func (e Error) Error() string { return string(e) }

// The errors of Parse.
const (
	ErrOff      = Error("the settings switch the recording of calls off")
	ErrTooLarge = Error("the call is too large to be recorded")
	ErrSecret   = Error("the call contains a password or a token, so it is not recorded")
	ErrAdvice   = Error("the record is not about a call")
	ErrUnknown  = Error("the record is not in the form in which calls are recorded")
)

// Parse reads a text that Append wrote. The parameter "tool" is the tool of the call.
func Parse(tool, text string) (*Call, error) {
	switch text {
	case Off:
		return nil, ErrOff
	case TooLarge:
		return nil, ErrTooLarge
	case Secret:
		return nil, ErrSecret
	case Advice:
		return nil, ErrAdvice
	}
	if len(text) > MaxSize {
		return nil, ErrUnknown
	}
	n, problems := document.ParseJSON("", []byte(text))
	if len(problems) > 0 || n.Kind != document.Object {
		return nil, ErrUnknown
	}
	c := &Call{Analysis: effect.Analysis{Tool: tool}}
	if !c.read(n) {
		return nil, ErrUnknown
	}
	return c, nil
}

func (c *Call) read(n *document.Node) bool {
	effects := n.Field("effects")
	if effects == nil || effects.Kind != document.List {
		return false
	}
	for _, item := range effects.Items {
		if !c.readEffect(item) {
			return false
		}
	}
	f, ok := fieldsOf(n, "effects")
	if !ok || f.first("v") != version || !c.readHost(f["host"]) {
		return false
	}
	for i := 0; f[layer+strconv.Itoa(i)] != nil; i++ {
		l := f[layer+strconv.Itoa(i)]
		if len(l) != 4 {
			return false
		}
		c.Layers = append(c.Layers, Layer{l[0], l[1], l[2], l[3]})
	}
	marks := f.first("m")
	c.asked, c.unconfirmed, c.unlooped = f, strings.Contains(marks, "u"), strings.Contains(marks, "o")
	c.leftOut = strings.Contains(marks, "l")
	return len(c.Layers) > 0 && c.checkFacts() && c.readFolders()
}

// fieldsOf returns the fields of an object except the field with the given name. It returns false if one of them is not
// a list of strings.
func fieldsOf(n *document.Node, except string) (fields, bool) {
	out := fields{}
	for _, f := range n.Fields {
		if f.Name == except {
			continue
		}
		if f.Value.Kind != document.List || len(f.Value.Items) == 0 {
			return nil, false
		}
		for _, item := range f.Value.Items {
			if item.Kind != document.String {
				return nil, false
			}
			out[f.Name] = append(out[f.Name], item.Text)
		}
	}
	return out, n.Kind == document.Object
}

func (f fields) first(name string) string {
	if len(f[name]) == 0 {
		return ""
	}
	return f[name][0]
}

func (c *Call) readHost(host []string) bool {
	if len(host) != 5 {
		return false
	}
	east, err := strconv.Atoi(host[4])
	const day = 24 * 3600
	if err != nil || east < -day || east > day {
		return false
	}
	c.east, c.facts = east, decide.Facts{Project: host[0], OS: host[1], PermissionMode: host[2]}
	if host[3] != "" {
		headless := host[3] == "true"
		c.facts.Headless = &headless
	}
	return true
}

func (c *Call) readEffect(n *document.Node) bool {
	f, ok := fieldsOf(n, "")
	if !ok || len(f["s"]) != 2 {
		return false
	}
	start, wrongStart := strconv.Atoi(f["s"][0])
	end, wrongEnd := strconv.Atoi(f["s"][1])
	has := func(letter string) bool { return strings.Contains(f.first("m"), letter) }
	e := effect.Effect{
		Kind: effect.Kind(f.first("k")), Path: f.first("p"), Command: f.first("c"), Host: f.first("h"), Name: f.first("n"),
		Forms: f["f"], Inside: f["i"], Related: f["r"],
		Tree: has("t"), Glob: has("g"), Unknown: has("u"), Data: has("d"), Inert: has("i"), Updates: has("b"), Required: has("r"),
		Span: effect.Span{Start: start, End: end},
	}
	for _, name := range f["v"] {
		if effect.Event(name).Number() == 0 {
			return false
		}
		e.Events = append(e.Events, effect.Event(name))
	}
	if has("C") {
		e.Commit = &effect.CommitFacts{
			Elsewhere: has("E"), Known: has("K"), Merging: has("M"), Files: f["x"], Globs: f["y"],
		}
	}
	c.Effects = append(c.Effects, e)
	return wrongStart == nil && wrongEnd == nil && slices.Contains(kinds(), e.Kind)
}

func kinds() []effect.Kind {
	return []effect.Kind{
		effect.Read, effect.Write, effect.Delete, effect.Run, effect.Fetch, effect.Send, effect.Use, effect.Opaque,
	}
}

func (c *Call) checkFacts() bool {
	for name, length := range map[string]int{branch: 2, tests: 2} {
		if list := c.asked[name]; list != nil && len(list) != length {
			return false
		}
	}
	state := c.asked.first(session)
	return c.asked[session] == nil || state == "0" || state == "1" || state == "2"
}

func (c *Call) readFolders() bool {
	for name, texts := range c.asked {
		if !strings.HasPrefix(name, folder) {
			continue
		}
		if len(texts) < 3 {
			return false
		}
		limit, err := strconv.Atoi(texts[1])
		if err != nil || limit < 0 {
			return false
		}
		f := listed{name: texts[0], limit: limit, complete: texts[2] == "true"}
		for _, text := range texts[3:] {
			var entry decide.Entry
			text, entry.Link = strings.CutPrefix(text, "/")
			entry.Name, entry.Folder = strings.CutSuffix(text, "/")
			f.entries = append(f.entries, entry)
		}
		c.listed = append(c.listed, f)
	}
	return true
}
