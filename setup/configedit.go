package setup

import (
	"reflect"
	"strings"

	"guardrails/internal/document"
)

// edit() sets a key. It tries several ways, in this order: on the key's own line, as another item below the key, in
// place of a comment with this key and value, and as a new line at the end. After each try, edit() reads the new text
// and compares the settings. It uses the first way that changes no other setting.
func (c *configText) edit(key string, want *document.Node, reason string) error {
	if strings.Count(string(c.text), "\r") != strings.Count(string(c.text), "\r\n") {
		return c.byHand(key, want) // YAML has more kinds of line ends than most editors
	}
	for _, try := range []string{
		c.onItsLine(key, want, strings.IndexByte), c.onItsLine(key, want, strings.LastIndexByte),
		c.oneMoreItem(key, want), c.uncommented(key, want), c.atTheEnd(key, want),
	} {
		next := &configText{file: c.file, text: []byte(try), reasons: append(c.reasons, reason)}
		if try == "" || next.parse() != nil || !next.changesOnly(c.root, key, want) {
			continue
		}
		*c = *next
		return nil
	}
	return c.byHand(key, want)
}

// changesOnly reports whether the new settings have the wanted value for one key, and are otherwise equal to the
// old ones.
func (c *configText) changesOnly(old *document.Node, key string, want *document.Node) bool {
	values := map[string]any{}
	for _, f := range old.Fields {
		values[f.Name] = f.Value.Value()
	}
	values[key] = want.Value()
	return reflect.DeepEqual(c.root.Value(), values)
}

// onItsLine replaces a value that is on the same line as its key: a list in brackets, an object in braces, or a word.
// The argument "bracket" is a function that finds the bracket at the end of the list or the object. The caller
// tries both the first and the last closing bracket. The first one is wrong if an item contains brackets, and the last
// one is wrong if a comment contains brackets.
func (c *configText) onItsLine(key string, want *document.Node, bracket func(string, byte) int) string {
	lines, i := c.lineOf(key)
	if i < 0 {
		return ""
	}
	head, rest, _ := strings.Cut(lines[i], ":")
	value := strings.TrimLeft(rest, " ")
	spaces := rest[:len(rest)-len(value)]
	if spaces == "" {
		spaces = " "
	}
	end := strings.IndexAny(value, " #\r\n")
	if want.Kind == document.List {
		end = bracket(value, ']') + 1
	}
	if end <= 0 {
		end = len(strings.TrimRight(value, "\r\n"))
	}
	if want.Kind == document.Object {
		end = bracket(value, '}') + 1
	}
	_, written, _ := strings.Cut(yamlLine("", want), ": ")
	if want.Kind == document.List && end > 1 {
		// Add the new items after the existing items. The text of the existing items stays the same.
		written = grown(value[:end], want.Items[len(c.root.Field(key).Items):])
	}
	lines[i] = head + ":" + spaces + written + value[end:]
	return strings.Join(lines, "")
}

// grown() returns the text of a list in brackets after items were added at its end.
func grown(list string, more []*document.Node) string {
	inner := strings.TrimRight(strings.TrimSuffix(list, "]"), " ")
	for _, item := range more {
		if inner != "[" {
			inner += ", "
		}
		inner += item.Text
	}
	return inner + "]"
}

// oneMoreItem adds items to a list with dashes. The new items come after the last item, with the same indentation.
func (c *configText) oneMoreItem(key string, want *document.Node) string {
	list := c.root.Field(key)
	if list == nil || len(list.Items) == 0 {
		return ""
	}
	lines := c.lines()
	at := list.Items[len(list.Items)-1].Line - 1
	dash := strings.IndexByte(lines[at], '-')
	if dash < 0 {
		return ""
	}
	indent := lines[at][:dash]
	var added strings.Builder
	for _, item := range want.Items[len(list.Items):] {
		added.WriteString(indent + "- " + item.Text + c.newline())
	}
	// All lines of an item except the first have more indentation than the item's dash.
	for at+1 < len(lines) && strings.HasPrefix(lines[at+1], indent+" ") {
		at++
	}
	lines[at] = c.ended(lines[at]) + added.String()
	return strings.Join(lines, "")
}

// uncommented() finds a comment that consists of the key and its value, and makes it a setting.
func (c *configText) uncommented(key string, want *document.Node) string {
	lines := c.lines()
	for i, line := range lines {
		if strings.TrimRight(line, "\r\n") == "# "+yamlLine(key, want) {
			lines[i] = strings.TrimPrefix(line, "# ")
			return strings.Join(lines, "")
		}
	}
	return ""
}

// atTheEnd adds the key as a new line at the end.
func (c *configText) atTheEnd(key string, want *document.Node) string {
	if c.root.Field(key) != nil {
		return ""
	}
	return c.ended(string(c.text)) + yamlLine(key, want) + c.newline()
}

// lineOf returns the lines of the text and the index of the line with a key. The index is -1 if no line has the key.
func (c *configText) lineOf(key string) (lines []string, i int) {
	for _, f := range c.root.Fields {
		if f.Name == key {
			return c.lines(), f.Line - 1
		}
	}
	return nil, -1
}

func (c *configText) lines() []string { return strings.SplitAfter(string(c.text), "\n") }

func (c *configText) newline() string {
	if strings.Contains(string(c.text), "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// ended() returns the text of a line with a line break at its end.
func (c *configText) ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + c.newline()
}
