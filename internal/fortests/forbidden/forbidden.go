// Package forbidden makes values that a JSON schema forbids. Tests use it to check that a server refuses such values.
package forbidden

import (
	"slices"
	"strings"
)

// Value is a document with one forbidden value in it, and the path of this value.
type Value struct {
	Path      string
	Forbidden any
	Document  any
}

// Values returns a document for each limit and type of a schema. Each document has one value that the schema forbids: a
// list that is too long, a text that is too long or too short, a number that is too large or too small, or a value of
// another type. The argument "named" has the schemas that other schemas refer to by their names.
func Values(schema map[string]any, named map[string]map[string]any) (out []Value) {
	schemas(named).over(schema, "", 0, func(v Value) { out = append(out, v) })
	return out
}

type schemas map[string]map[string]any

// maxDepth says how many levels of nested fields Values follows.
const maxDepth = 5

// over() calls found() for each value that a schema forbids, with the path of the field.
func (s schemas) over(schema map[string]any, at string, depth int, found func(Value)) {
	if depth > maxDepth {
		return
	}
	for _, value := range s.ofOtherTypes(schema) {
		found(Value{at, value, value})
	}
	for _, choice := range s.choices(schema) {
		s.overOne(choice, at, depth, found)
	}
}

// choices() returns the schemas that a schema stands for: the schema itself, the schema to which it refers, or the
// alternatives of which one must match.
func (s schemas) choices(schema map[string]any) (out []map[string]any) {
	if name, is := schema["$ref"].(string); is {
		return s.choices(s[strings.TrimPrefix(name, "#/components/schemas/")])
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		choices, _ := schema[key].([]any)
		for _, choice := range choices {
			out = append(out, s.choices(choice.(map[string]any))...)
		}
	}
	if len(out) == 0 {
		out = append(out, schema)
	}
	return out
}

// overOne does the same as over() for a schema that is neither a reference nor a choice.
func (s schemas) overOne(schema map[string]any, at string, depth int, found func(Value)) {
	for _, value := range s.tooMuch(schema) {
		found(Value{at, value, value})
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, inner := range properties {
		s.over(inner.(map[string]any), strings.TrimPrefix(at+"."+name, "."), depth+1, func(v Value) {
			found(Value{v.Path, v.Forbidden, map[string]any{name: v.Document}})
		})
	}
	if items, is := schema["items"].(map[string]any); is {
		s.over(items, at+"[0]", depth+1, func(v Value) { found(Value{v.Path, v.Forbidden, []any{v.Document}}) })
	}
}

// tooMuch returns values that are just over the limits of a schema.
func (s schemas) tooMuch(schema map[string]any) (out []any) {
	if n, is := schema["maxItems"].(float64); is {
		items, _ := schema["items"].(map[string]any)
		out = append(out, slices.Repeat([]any{s.sample(items)}, int(n)+1))
	}
	if n, is := schema["minItems"].(float64); is && n > 0 {
		out = append(out, []any{})
	}
	if n, is := schema["maxLength"].(float64); is {
		out = append(out, strings.Repeat("x", int(n)+1))
	}
	if n, is := schema["minLength"].(float64); is && n > 0 {
		out = append(out, "")
	}
	if n, is := schema["maximum"].(float64); is {
		out = append(out, n+1)
	}
	if n, is := schema["minimum"].(float64); is {
		out = append(out, n-1)
	}
	return out
}

// ofOtherTypes returns a value of each type that a schema does not allow. If the schema has a list of allowed texts, one
// of the values is another text.
func (s schemas) ofOtherTypes(schema map[string]any) (out []any) {
	allowed := map[string]bool{}
	for _, choice := range s.choices(schema) {
		texts, _ := choice["enum"].([]any)
		types, isList := choice["type"].([]any)
		switch {
		case len(texts) > 0:
			out = append(out, "no such choice")
			allowed["string"] = true
			allowed["null"] = allowed["null"] || slices.Contains(texts, nil)
		case isList:
			for _, one := range types {
				allowed[one.(string)] = true
			}
		case choice["type"] == nil:
			return nil // every type is allowed
		default:
			allowed[choice["type"].(string)] = true
		}
	}
	for kind, value := range map[string]any{
		"null": nil, "boolean": true, "number": 1.5, "string": "x", "array": []any{}, "object": map[string]any{},
	} {
		if !allowed[kind] {
			out = append(out, value)
		}
	}
	return out
}

// sample() returns a value of the type that a schema describes.
func (s schemas) sample(schema map[string]any) any {
	if name, is := schema["$ref"].(string); is {
		return s.sample(s[strings.TrimPrefix(name, "#/components/schemas/")])
	}
	if schema["type"] == "string" {
		return "x"
	}
	return map[string]any{}
}
