package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// YAML returns a guideline as the text of a file. People can read and change this text. Parsing the text gives the same
// guideline.
func YAML(g *guideline.Guideline) ([]byte, error) {
	w := &yamlWriter{}
	if err := w.guideline(g, ""); err != nil {
		return nil, err
	}
	return []byte(w.out.String()), nil
}

// YAMLSet returns the text of one file with all guidelines, in the same order.
func YAMLSet(guidelines []guideline.Guideline) ([]byte, error) {
	if len(guidelines) == 0 {
		return []byte("guidelines: []\n"), nil
	}
	w := &yamlWriter{}
	w.out.WriteString("guidelines:\n")
	for i := range guidelines {
		if err := w.guideline(&guidelines[i], "  - "); err != nil {
			return nil, err
		}
	}
	return []byte(w.out.String()), nil
}

type yamlWriter struct{ out strings.Builder }

// guideline() writes the fields of a guideline. It writes the parameter "lead" before the first field. Before every
// other field, it writes as many spaces as "lead" has characters.
func (w *yamlWriter) guideline(g *guideline.Guideline, lead string) error {
	text, err := guideline.Encode(g)
	if err != nil {
		return fmt.Errorf("guideline %q cannot be written: %w", g.ID, err)
	}
	tree, problems := document.ParseJSON(g.ID, text)
	if err := problems.Err(); err != nil {
		return err
	}
	w.fields(tree, lead)
	return nil
}

func (w *yamlWriter) fields(n *document.Node, lead string) {
	indent := strings.Repeat(" ", len(lead))
	for i, f := range n.Fields {
		before := indent
		if i == 0 {
			before = lead
		}
		w.out.WriteString(before + yamlValue(&document.Node{Kind: document.String, Text: f.Name}) + ":")
		w.value(f.Value, indent)
	}
}

// value() writes the value after the name of a field. An object follows on the lines below, a list has one item per
// line, and a long text has several lines.
func (w *yamlWriter) value(n *document.Node, indent string) {
	switch {
	case n.Kind == document.Object && len(n.Fields) > 0:
		w.out.WriteByte('\n')
		w.fields(n, indent+"  ")
	case n.Kind == document.List && len(n.Items) > 0:
		w.out.WriteByte('\n')
		for _, item := range n.Items {
			w.out.WriteString(indent + "  - " + yamlValue(item) + "\n")
		}
	case n.Kind == document.String && isBlock(n.Text):
		w.block(n.Text, indent+"  ")
	default:
		w.out.WriteString(" " + yamlValue(n) + "\n")
	}
}

// isBlock reports whether YAML can write a text as a block with lines of its own. Such a text has several lines, begins
// with a letter or a similar character, and ends with at most one line break. No line of such a text ends with a space.
func isBlock(text string) bool {
	body := strings.TrimSuffix(text, "\n")
	if !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") || strings.ContainsFunc(text, unfitForBlock) {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimRightFunc(line, unicode.IsSpace) != line {
			return false
		}
	}
	return !unicode.IsSpace([]rune(body)[0])
}

func unfitForBlock(r rune) bool {
	return r != '\n' && (unwanted(r) || r == '\t' || r == '\r' || r == '\ufeff' || r == unicode.ReplacementChar)
}

func (w *yamlWriter) block(text, indent string) {
	mark := " |-\n"
	if strings.HasSuffix(text, "\n") {
		mark = " |\n"
	}
	w.out.WriteString(mark)
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line != "" {
			w.out.WriteString(indent + line)
		}
		w.out.WriteByte('\n')
	}
}

// yamlValue returns a value as YAML. It keeps simple text unchanged. For everything else it returns JSON, which is
// also valid YAML.
func yamlValue(n *document.Node) string {
	if n.Kind == document.String && plainSafe(n.Text) {
		return n.Text
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// The tree comes from JSON, so encoding it cannot fail.
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

// escapeInvisible escapes characters that JSON allows but YAML does not.
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
