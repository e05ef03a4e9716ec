package toolcall

import "strings"

// xargs runs a command with operands that come from its input.
func xargs(a *analyzer, c *command) flow {
	const withValue = "I i n P L l s d E a R j J S max-args max-procs replace delimiter arg-file max-lines jobs"
	start := a.innerStart(c, withValue)
	inner := append([]value{}, c.argv[start:]...)
	if len(inner) == 0 {
		return flow{taint: c.in.taint}
	}
	o := parseOptions(c.argv[1:start], withValue)
	marker := "{}"
	if vs := o.values("I i replace"); len(vs) > 0 {
		marker = vs[0].text
	}
	in := c.in
	for _, v := range o.values("a arg-file") {
		in = a.readFlow(v, c.sc, c.span)
	}
	args := inputWords(in)
	if i := indexOf(inner, ":::"); i >= 0 {
		inner, args = inner[:i], inner[i+1:]
	}
	if len(inner) == 0 && c.name == "parallel" {
		for _, v := range args {
			a.runText(c, v)
		}
		return unknown()
	}
	placed := false
	for i := range inner {
		if strings.Contains(inner[i].text, marker) {
			placed = true
		}
	}
	if placed {
		inner = substitute(inner, marker, args)
	} else {
		inner = append(inner, args...)
	}
	if c.name == "parallel" && len(inner) > 0 && strings.Contains(inner[0].text, " ") {
		return a.runText(c, joined(inner)) // parallel gives its command to a shell
	}
	return a.dispatch(inner, c.span, c.sc, streams{in: nothing()})
}

// inputWords are the words that a stream delivers: known ones, or one that stands for all.
func inputWords(in flow) []value {
	if !in.known {
		return []value{{text: "$(input)", quality: quality{partial: true, taint: in.taint}}}
	}
	var out []value
	for _, w := range strings.FieldsFunc(in.text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == 0 }) {
		if len(out) == maxFields {
			break
		}
		out = append(out, value{text: w, quality: quality{taint: in.taint, glob: strings.ContainsAny(w, "*?[")}})
	}
	return out
}

func substitute(argv []value, marker string, with []value) []value {
	first := value{text: "$(input)", quality: quality{partial: true}}
	if len(with) > 0 {
		first = with[0]
	}
	out := make([]value, 0, len(argv)+len(with))
	for _, v := range argv {
		switch {
		case v.text == marker:
			out = append(out, with...)
		case strings.Contains(v.text, marker):
			v.text = strings.ReplaceAll(v.text, marker, first.text)
			v.partial = v.partial || first.partial
			out = append(out, v)
		default:
			out = append(out, v)
		}
	}
	return out
}

// indexOf is where a word stands among arguments, or -1.
func indexOf(argv []value, word string) int {
	for i, v := range argv {
		if v.text == word {
			return i
		}
	}
	return -1
}
