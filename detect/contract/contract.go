// Package contract contains the published JSON Schemas of the detectors, and calls a detector by the name of its tool.
//
// Each schema is a file of this folder. A schema describes the input, the output and the problems of a detector. The
// schema also has examples. A test runs the examples.
package contract

import (
	"embed"
	"encoding/json"
	"fmt"

	"guardrails/detect/loop"
	"guardrails/detect/talk"
	"guardrails/internal/document"
)

//go:embed *.json
var files embed.FS

// The names of the tools.
const (
	Rumination = "check_rumination"
	Hyperfocus = "check_hyperfocus"
	Sycophancy = "check_sycophancy"
	ToolLoop   = "check_tool_loop"
)

// Names returns the names of all tools.
func Names() []string { return []string{Rumination, Hyperfocus, Sycophancy, ToolLoop} }

// Schema is the part of a schema that a transport, such as MCP, publishes.
type Schema struct {
	Title       string
	Description string
	Properties  struct{ Input, Output json.RawMessage }
}

// Text returns the schema of a tool as it is published.
func Text(name string) []byte {
	text, err := files.ReadFile(name + ".json")
	if err != nil {
		panic(err) // this happens only for a name that is not in Names
	}
	return text
}

// SchemaOf returns the schema of a tool.
func SchemaOf(name string) Schema { return Parse(Text(name)) }

// Parse returns the parts of a published schema.
func Parse(text []byte) Schema {
	var s Schema
	if err := json.Unmarshal(text, &s); err != nil {
		panic(err) // every test of a package fails if the schema of the package is invalid
	}
	return s
}

// Call calls a tool with an input in JSON. If the input is invalid, the error has the type advice.Problems.
func Call(name string, input []byte) (any, error) {
	switch name {
	case Rumination:
		return call(input, talk.DecodeRumination, talk.CheckRumination)
	case Hyperfocus:
		return call(input, talk.DecodeHyperfocus, talk.CheckHyperfocus)
	case Sycophancy:
		return call(input, talk.DecodeSycophancy, talk.CheckSycophancy)
	case ToolLoop:
		return call(input, loop.Decode, loop.Check)
	}
	return nil, fmt.Errorf("there is no detector %s", document.Excerpt(name))
}

func call[I, O any](input []byte, decode func([]byte) (I, error), check func(*I) *O) (any, error) {
	in, err := decode(input)
	if err != nil {
		return nil, err
	}
	return check(&in), nil
}
