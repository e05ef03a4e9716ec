package guideline

import "guardrails/internal/document"

// Merge gives a guideline the fields that with has, each of them whole; the others stay as they are. Whatever is wrong with
// the guideline that comes of it is collected in d.
func Merge(d *document.Decoder, base *Guideline, with *document.Node) (Guideline, error) {
	text, err := Encode(base)
	if err != nil {
		return *base, err
	}
	known, problems := document.ParseJSON("", text)
	if known == nil {
		return *base, problems
	}
	// Of fields of one name the first counts.
	merged := &document.Node{Kind: document.Object, Line: with.Line}
	for _, f := range append(with.Fields[:len(with.Fields):len(with.Fields)], known.Fields...) {
		merged.Add(f.Name, f.Line, f.Value)
	}
	return Decode(d, merged, ""), nil
}
