package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// Markdown writes a guideline as a rule of .claude/rules: what differs from the defaults as front matter, then the name
// as a heading and the instruction below it. Parsing it gives the guideline back.
func Markdown(g guideline.Guideline) ([]byte, error) {
	text, err := guideline.Encode(&g)
	if err != nil {
		return nil, fmt.Errorf("guideline %q cannot be written: %w", g.ID, err)
	}
	tree, problems := document.ParseJSON(g.ID, text)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	w := &ruleWriter{}
	body := "# " + g.Name + "\n"
	if g.Action.Instruction != "" {
		body += "\n" + g.Action.Instruction + "\n"
	}
	w.proseInBody = readsAs(body, g.Name, g.Action.Instruction)
	if !w.proseInBody {
		body = ""
	}
	w.guideline(tree)
	return []byte("---\n" + w.front.String() + "---\n" + body), nil
}

// readsAs reports whether a body is read back as the name and instruction; leading spaces, an unclosed fence or a block
// of ours in the text would not be.
func readsAs(body, name, instruction string) bool {
	if strings.Contains(body, "\r\n") {
		return false
	}
	o := outlineOf(body)
	for _, f := range o.fences {
		if f.last < 0 || f.isBlock() {
			return false
		}
	}
	gotName, gotInstruction, _ := o.single()
	return gotName == name && gotInstruction == instruction
}

type ruleWriter struct {
	front       strings.Builder
	proseInBody bool
}

func (w *ruleWriter) guideline(tree *document.Node) {
	condition, action := tree.Field("condition"), tree.Field("action")
	implied := map[string]string{
		"description": firstParagraph(textOf(action, "instruction")),
		"enabled":     "true",
		"category":    string(impliedCategory(condition)),
		"priority":    fmt.Sprint(guideline.DefaultPriority),
	}
	if w.proseInBody {
		implied["name"] = textOf(tree, "name")
	}
	for _, f := range tree.Fields {
		text, isImplied := implied[f.Name]
		switch {
		case f.Name == "condition":
			w.condition(f.Value)
		case f.Name == "action":
			w.action(f.Value)
		case !isImplied || text != f.Value.Text:
			w.field("", f.Name, f.Value)
		}
	}
}

func (w *ruleWriter) condition(n *document.Node) {
	var whole []document.Field
	for _, f := range n.Fields {
		if f.Name == "paths" {
			globs, ok := asClientPaths(texts(f.Value))
			if !ok {
				whole = append(whole, f)
				continue
			}
			f.Value = list(globs)
		}
		w.field("", f.Name, f.Value)
	}
	w.object("condition", whole)
}

func (w *ruleWriter) action(n *document.Node) {
	var whole []document.Field
	for _, f := range n.Fields {
		switch f.Name {
		case "type":
			if f.Value.Text != string(impliedAction(n)) {
				whole = append(whole, f)
			}
		case "instruction":
			if !w.proseInBody {
				whole = append(whole, f)
			}
		case "parameters":
			whole = append(whole, f)
		default:
			w.field("", f.Name, f.Value)
		}
	}
	w.object("action", whole)
}

func (w *ruleWriter) object(name string, fields []document.Field) {
	if len(fields) == 0 {
		return
	}
	w.front.WriteString(name + ":\n")
	for _, f := range fields {
		w.field("  ", f.Name, f.Value)
	}
}

// field writes a field on one line, or a list with an item a line so that changes show in reviews.
func (w *ruleWriter) field(indent, name string, value *document.Node) {
	w.front.WriteString(indent + name + ":")
	if value.Kind != document.List || len(value.Items) == 0 {
		w.front.WriteString(" " + yamlValue(value) + "\n")
		return
	}
	w.front.WriteString("\n")
	for _, item := range value.Items {
		w.front.WriteString(indent + "  - " + yamlValue(item) + "\n")
	}
}

func texts(n *document.Node) []string {
	out := make([]string, len(n.Items))
	for i, item := range n.Items {
		out[i] = item.Text
	}
	return out
}

func list(items []string) *document.Node {
	n := &document.Node{Kind: document.List}
	for _, item := range items {
		n.Items = append(n.Items, &document.Node{Kind: document.String, Text: item})
	}
	return n
}

// yamlValue is a value in YAML: simple text as it is, everything else as JSON, which YAML reads the same.
func yamlValue(n *document.Node) string {
	if n.Kind == document.String && plainSafe(n.Text) {
		return n.Text
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// The tree came out of JSON, so it goes back into it.
	_ = enc.Encode(n.Value())
	return escapeInvisible(strings.TrimSuffix(b.String(), "\n"))
}

func plainSafe(s string) bool {
	if s == "" || s[0] < 'A' || s[0] > 'Z' && s[0] < 'a' || s[0] > 'z' || strings.HasSuffix(s, " ") {
		return false
	}
	for i := range len(s) {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && strings.IndexByte(" ._/-(*)", c) < 0 {
			return false
		}
	}
	kind, _ := plainKind(s)
	return kind == document.String
}

// escapeInvisible escapes what JSON may hold raw and YAML may not.
func escapeInvisible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unwanted(r) || r == '\ufeff' {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
