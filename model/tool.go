package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// Tool is a tool that the model must use. Its arguments are the answer. The answer must have all fields of the tool,
// and no other fields.
type Tool struct {
	Name, About string
	Fields      []Field
}

// Field is an argument of a tool: true or false, or a text.
type Field struct {
	Name, About string
	// IsFlag is set if the argument is true or false.
	IsFlag bool
	// Texts are the texts that are allowed. If Texts is empty, every text is allowed. The field "Most" is the largest
	// number of characters; 0 means no limit.
	Texts []string
	Most  int
	// OrNull is set if the argument can be null.
	OrNull bool
}

// schema() returns the JSON Schema of the arguments.
func (t *Tool) schema() map[string]any {
	fields := map[string]any{}
	var names []string
	for i := range t.Fields {
		names = append(names, t.Fields[i].Name)
		fields[t.Fields[i].Name] = t.Fields[i].schema()
	}
	return map[string]any{"type": "object", "additionalProperties": false, "required": names, "properties": fields}
}

func (f *Field) schema() map[string]any {
	out := map[string]any{"type": "string", "description": f.About}
	if f.IsFlag {
		out["type"] = "boolean"
	}
	if f.Most > 0 {
		out["maxLength"] = f.Most
	}
	allowed := []any{}
	for _, text := range f.Texts {
		allowed = append(allowed, text)
	}
	if f.OrNull {
		out["type"] = []any{out["type"], "null"}
		allowed = append(allowed, nil)
	}
	if len(f.Texts) > 0 {
		out["enum"] = allowed
	}
	return out
}

// check() returns an error if the arguments do not match the schema.
func (t *Tool) check(input []byte) error {
	d := json.NewDecoder(bytes.NewReader(input))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return errors.New("the arguments are not an object")
	}
	seen := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return errors.New("the arguments are not JSON")
		}
		i := slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == name })
		var value any
		switch err := d.Decode(&value); {
		case err != nil:
			return errors.New("the arguments are not JSON")
		case i < 0:
			return errors.New("the arguments have an unknown field")
		case seen[t.Fields[i].Name]:
			return fmt.Errorf("the field %s comes twice", t.Fields[i].Name)
		case !t.Fields[i].accepts(value):
			return fmt.Errorf("the field %s has a value that is not allowed", t.Fields[i].Name)
		}
		seen[t.Fields[i].Name] = true
	}
	if _, err := d.Token(); err != nil {
		return errors.New("the arguments are not JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is text after the arguments")
	}
	if len(seen) < len(t.Fields) {
		return errors.New("the arguments are not complete")
	}
	return nil
}

func (f *Field) accepts(value any) bool {
	switch v := value.(type) {
	case nil:
		return f.OrNull
	case bool:
		return f.IsFlag
	case string:
		return !f.IsFlag && (len(f.Texts) == 0 || slices.Contains(f.Texts, v)) &&
			(f.Most == 0 || utf8.RuneCountInString(v) <= f.Most)
	}
	return false
}
