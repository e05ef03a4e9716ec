package toolcall

import "mvdan.cc/sh/v3/syntax"

// unfoldBraces expands {a,b} and {1..3}; each result is the parts of one word.
func unfoldBraces(parts []syntax.WordPart) [][]syntax.WordPart {
	out := [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			for i := range out {
				out[i] = append(out[i], part)
			}
			continue
		}
		tails := braceItems(brace)
		if len(out)*len(tails) > maxFields {
			// There is no room for all combinations: each of those there are goes on with one of the items.
			for i := range out {
				out[i] = append(out[i], tails[i%len(tails)]...)
			}
			continue
		}
		var next [][]syntax.WordPart
		for _, head := range out {
			for _, tail := range tails {
				if len(next) < maxFields {
					next = append(next, append(append([]syntax.WordPart{}, head...), tail...))
				}
			}
		}
		out = next
	}
	return out
}

func braceItems(b *syntax.BraceExp) [][]syntax.WordPart {
	if b.Sequence {
		return sequenceItems(b)
	}
	var out [][]syntax.WordPart
	for _, e := range b.Elems {
		out = append(out, unfoldBraces(e.Parts)...)
	}
	return out
}

// sequenceItems unfolds {a..e} and {1..9} as far as it matters: the first and last items show what is meant.
func sequenceItems(b *syntax.BraceExp) [][]syntax.WordPart {
	from, to := b.Elems[0].Lit(), b.Elems[1].Lit()
	if len(from) == 1 && len(to) == 1 && from[0] <= to[0] && int(to[0]-from[0]) < maxFields {
		var out [][]syntax.WordPart
		for c := int(from[0]); c <= int(to[0]); c++ {
			out = append(out, []syntax.WordPart{&syntax.Lit{Value: string(rune(c))}})
		}
		return out
	}
	return [][]syntax.WordPart{{&syntax.Lit{Value: from}}, {&syntax.Lit{Value: to}}}
}
