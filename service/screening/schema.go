package screening

import (
	"embed"

	"guardrails/detect/contract"
)

//go:embed *.json
var files embed.FS

// Text returns the schema of a tool as it is published.
func Text(name string) []byte {
	text, err := files.ReadFile(name + ".json")
	if err != nil {
		panic(err) // only if the name has no file
	}
	return text
}

// SchemaOf returns the schema of a tool.
func SchemaOf(name string) contract.Schema { return contract.Parse(Text(name)) }
