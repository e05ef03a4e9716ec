package guideline

import "guardrails/internal/document"

// Merge returns a copy of base with the fields of another document. Each field is replaced as a whole. All problems of
// the result are added to d.
func Merge(d *document.Decoder, base *Guideline, with *document.Node) (Guideline, error) {
	text, err := Encode(base)
	if err != nil {
		return *base, err
	}
	known, problems := document.ParseJSON("", text)
	if known == nil {
		return *base, problems
	}
	// Add keeps the first of several fields with the same name, so the new fields are added first.
	merged := &document.Node{Kind: document.Object, Line: with.Line}
	for _, f := range append(with.Fields[:len(with.Fields):len(with.Fields)], known.Fields...) {
		merged.Add(f.Name, f.Line, f.Value)
	}
	return Decode(d, merged, ""), nil
}
