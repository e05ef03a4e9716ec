package setup

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"guardrails/internal/document"
	"guardrails/rules"
)

type configText struct {
	file    string
	text    []byte
	root    *document.Node
	reasons []string
}

// parse() reads the text. A file with only comments and empty lines has no settings.
func (c *configText) parse() error {
	c.root = &document.Node{Kind: document.Object}
	if onlyComments(c.text) {
		return nil
	}
	docs, problems := rules.ParseYAML(c.file, c.text)
	if err := problems.Err(); err != nil {
		return err
	}
	if len(docs) != 1 || docs[0].Kind != document.Object {
		return document.Problem{
			File: c.file, Message: "must be one mapping of setting names to values",
			Remedy: "edit it yourself",
		}
	}
	c.root = docs[0]
	return nil
}

func onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

func (c *configText) strict() bool {
	n := c.root.Field("strict")
	return n != nil && n.Kind == document.Bool && n.Text == "true"
}

func (c *configText) packs() []string {
	var names []string
	if n := c.root.Field("packs"); n != nil && n.Kind == document.List {
		names = []string{}
		for _, item := range n.Items {
			names = append(names, item.Text)
		}
	}
	return names
}

// choose() enables additional packs. If the parameter "strict" is set, choose() also switches strict mode on.
func (c *configText) choose(packs []string, strict bool) error {
	var missing []string
	for _, pack := range packs {
		if !slices.Contains(c.packs(), pack) && !slices.Contains(missing, pack) {
			missing = append(missing, pack)
		}
	}
	if n := c.root.Field("packs"); n != nil && n.Kind != document.List && n.Kind != document.Null {
		return c.byHand("packs", c.withPacks(missing))
	}
	if len(missing) > 0 {
		if err := c.edit("packs", c.withPacks(missing), "enables "+packWords(missing)); err != nil {
			return err
		}
	}
	if strict && !c.strict() {
		return c.edit("strict", &document.Node{Kind: document.Bool, Text: "true"}, "makes the project strict")
	}
	return nil
}

// withPacks returns the list of packs with additional packs at the end.
func (c *configText) withPacks(more []string) *document.Node {
	list := &document.Node{Kind: document.List}
	for _, name := range append(c.packs(), more...) {
		list.Items = append(list.Items, &document.Node{Kind: document.String, Text: name})
	}
	return list
}

// byHand returns the error for an edit that this program cannot make. The error says what the user must write.
func (c *configText) byHand(key string, want *document.Node) error {
	line := 0
	if n := c.root.Field(key); n != nil {
		line = n.Line
	}
	return document.Problem{
		File: c.file, Line: line, Path: key, Message: "cannot be edited without changing other parts of the file",
		Remedy: fmt.Sprintf("write %q by hand and run the command again", yamlLine(key, want)),
	}
}

func yamlLine(key string, want *document.Node) string {
	if want.Kind == document.Object {
		return key + ": " + inBraces(want)
	}
	if want.Kind != document.List {
		return key + ": " + want.Text
	}
	var names []string
	for _, item := range want.Items {
		names = append(names, item.Text)
	}
	return key + ": [" + strings.Join(names, ", ") + "]"
}
