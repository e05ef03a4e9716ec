package guideline

import "guardrails/internal/document"

// Merge returns a copy of the guideline "base" in which the fields of another document replace the fields of base. It
// adds all problems of the result to d.
func Merge(d *document.Decoder, base *Guideline, with *document.Node) (Guideline, error) {
	text, err := Encode(base)
	if err != nil {
		return *base, err
	}
	known, problems := document.ParseJSON("", text)
	if known == nil {
		return *base, problems
	}
	// Node.Add ignores a field whose name exists already, so add the new fields first.
	merged := &document.Node{Kind: document.Object, Line: with.Line}
	for _, f := range append(with.Fields[:len(with.Fields):len(with.Fields)], known.Fields...) {
		merged.Add(f.Name, f.Line, f.Value)
	}
	return Decode(d, merged, ""), nil
}
