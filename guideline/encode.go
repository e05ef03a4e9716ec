package guideline

import (
	"bytes"
	"encoding/json"

	"guardrails/guideline/document"
)

// Encode is the guideline in canonical JSON: fields in a fixed order, keys of free maps sorted, defaults written out,
// no trailing newline. Decoding and encoding again gives the same bytes.
func Encode(g *Guideline) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(g); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// Parse reads one guideline from JSON.
func Parse(file string, text []byte) (Guideline, error) {
	n, problems := document.ParseJSON(file, text)
	if n == nil {
		return Guideline{}, problems
	}
	d := &document.Decoder{File: file, Problems: problems}
	g := Decode(d, n, "")
	return g, d.Problems.Err()
}
