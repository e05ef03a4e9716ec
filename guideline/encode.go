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

// asFloat reads any number that JSON or Go code may have put into a free map.
func asFloat(v any) (float64, bool) {
	switch x := v.(type) {
	case json.Number:
		f, err := x.Float64()
		return f, err == nil
	case float64:
		return x, true
	case int:
		return float64(x), true
	}
	return 0, false
}
