package setup

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/internal/document"
)

// AddExceptions plans to add exceptions to a guardrails.yaml. It creates the file if it does not exist.
func AddExceptions(file string, list []config.Exception) (*Plan, error) {
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c := &configText{file: file, text: before}
	if err := c.parse(); err != nil {
		return nil, err
	}
	want := &document.Node{Kind: document.List}
	if have := c.root.Field("exceptions"); have != nil {
		want.Items = append(want.Items, have.Items...)
	}
	for i := range list {
		want.Items = append(want.Items, exceptionNode(&list[i]))
	}
	if c.edit("exceptions", want, "adds "+exceptionWords(len(list))) != nil {
		return nil, c.exceptionsByHand(want.Items[len(want.Items)-len(list):])
	}
	return &Plan{Changes: []Change{{Path: file, Before: before, After: c.text, Reasons: c.reasons}}}, nil
}

// exceptionsByHand returns the error for a file that cannot be edited. The error says what to write.
func (c *configText) exceptionsByHand(added []*document.Node) error {
	line := 0
	if have := c.root.Field("exceptions"); have != nil {
		line = have.Line
	}
	var items []string
	for _, item := range added {
		items = append(items, item.Text)
	}
	return document.Problem{
		File: c.file, Line: line, Path: "exceptions", Message: "cannot be edited without changing other parts of the file",
		Remedy: "add this to the list by hand: " + strings.Join(items, ", "),
	}
}

func exceptionWords(n int) string {
	if n == 1 {
		return "an exception"
	}
	return strconv.Itoa(n) + " exceptions"
}

// exceptionNode returns an exception as a node, with the text that must be written into the file.
func exceptionNode(x *config.Exception) *document.Node {
	node := &document.Node{Kind: document.Object}
	var fields []string
	add := func(name, text string, value *document.Node) {
		node.Fields = append(node.Fields, document.Field{Name: name, Value: value})
		fields = append(fields, name+": "+text)
	}
	word := func(text string) *document.Node { return &document.Node{Kind: document.String, Text: text} }
	add("guideline", x.Guideline, word(x.Guideline))
	tools := &document.Node{Kind: document.List}
	var quoted []string
	for _, tool := range x.Tools {
		tools.Items = append(tools.Items, word(tool))
		quoted = append(quoted, quotedText(tool))
	}
	add("tools", "["+strings.Join(quoted, ", ")+"]", tools)
	add("reason", quotedText(x.Reason), word(x.Reason))
	until := x.Expires.UTC().Format(time.RFC3339)
	add("expires", quotedText(until), word(until))
	node.Text = "{" + strings.Join(fields, ", ") + "}"
	return node
}

// quotedText returns a text in double quotes. Every JSON string is also a YAML string.
func quotedText(text string) string { return string(document.AppendText(nil, text)) }
