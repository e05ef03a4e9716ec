package toolcall

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
)

// transformed is what a filter makes of known text, where that is simple, and whether it decodes.
func (a *analyzer) transformed(c *command, o options, in flow) flow {
	switch c.name {
	case among(c.name, "cat less more bat batcat pv view"):
		if len(c.argv) == 1 || in.from() != "" || in.known {
			return in
		}
	case "rev":
		in.taint |= decoded
		if in.known {
			in.text = mapLines(in.text, reverse)
		}
		return in
	case "tac":
		return in
	case "tr":
		return translate(o, in)
	case "xxd", "od", "hexdump":
		if o.has("r revert") {
			return decodeHex(in)
		}
	case "head", "tail":
		if in.taint.has(endless) && c.name == "tail" {
			a.mark(c, "keeps what never ends in memory", effect.ResourceExhaust)
		}
		in.taint &^= endless
		if in.known && strings.Count(in.text, "\n") <= 1 {
			return in
		}
	}
	return flow{taint: in.taint | fromProgram, file: in.file}
}

func mapLines(text string, f func(string) string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = f(lines[i])
	}
	return strings.Join(lines, "\n")
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// translate is tr: rotations and deletions of known text are carried out, because that is how a command is hidden.
func translate(o options, in flow) flow {
	if !in.known {
		return flow{taint: in.taint | fromProgram, file: in.file}
	}
	from, to := unfoldRanges(o.word(0)), unfoldRanges(o.word(1))
	var b strings.Builder
	for _, r := range in.text {
		i := slices.Index(from, r)
		switch {
		case i < 0:
			b.WriteRune(r)
		case o.has("d delete") || len(to) == 0:
		default:
			b.WriteRune(to[min(i, len(to)-1)])
		}
	}
	t := in.taint
	if b.String() != in.text && len(from) > 1 {
		t |= decoded
	}
	return flow{text: b.String(), known: true, taint: t}
}

func unfoldRanges(s string) []rune {
	s = strings.NewReplacer("[:lower:]", "a-z", "[:upper:]", "A-Z", "[:digit:]", "0-9", "[:space:]", " \t\n", `\n`, "\n", `\t`, "\t").Replace(s)
	r := []rune(s)
	var out []rune
	for i := 0; i < len(r); i++ {
		if i+2 < len(r) && r[i+1] == '-' && r[i] <= r[i+2] && r[i+2]-r[i] < 128 {
			for x := r[i]; x <= r[i+2]; x++ {
				out = append(out, x)
			}
			i += 2
			continue
		}
		out = append(out, r[i])
	}
	return out
}

func decodeHex(in flow) flow {
	f := flow{taint: in.taint | decoded}
	if in.known {
		f.text, f.known = fromHex(in.text)
	}
	return f
}

// baseCode is base64 and base32.
func baseCode(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "w b i o wrap input output")
	a.filterOutputs(c, &o, nil)
	in := c.in
	for _, v := range o.operands {
		in = a.readFlow(v, c.sc, c.span)
	}
	if !o.has("d D decode") && c.name != "uudecode" {
		return flow{taint: in.taint | fromProgram}
	}
	f := flow{taint: in.taint | decoded}
	if in.known {
		f.text, f.known = fromBase64(in.text)
	}
	return f
}
