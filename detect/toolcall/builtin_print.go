package toolcall

import "strings"

func echo(_ *analyzer, c *command) flow {
	args, escapes, newline := c.args(), false, "\n"
	for len(args) > 0 && len(args[0].text) > 1 && strings.Trim(args[0].text, "neE") == "-" {
		escapes = strings.Contains(args[0].text, "e")
		if strings.Contains(args[0].text, "n") {
			newline = ""
		}
		args = args[1:]
	}
	f := flow{known: true}
	if len(args) > 0 {
		f.text = joinAll(args)
	}
	for _, v := range args {
		f.known = f.known && !v.partial
		f.taint |= v.taint
	}
	if escapes {
		decodedText := unescapeANSI(f.text)
		if decodedText != f.text {
			f.text, f.taint = decodedText, f.taint|hiddenBy(f.text)
		}
	}
	f.text += newline
	return f
}

// hiddenBy is decoded when a text spells letters as numbers, which nobody does but to hide them.
func hiddenBy(text string) taint {
	if strings.Contains(text, `\x`) || strings.Contains(text, `\0`) || strings.Contains(text, `\1`) {
		return decoded
	}
	return 0
}

func joinAll(args []value) string {
	texts := make([]string, len(args))
	for i, v := range args {
		texts[i] = v.text
	}
	return strings.Join(texts, " ")
}

// printf fills %s, %b and %d with its arguments as far as they are known.
func printf(_ *analyzer, c *command) flow {
	args := c.args()
	if len(args) > 1 && args[0].text == "-v" {
		rest := &command{argv: args[1:], sc: c.sc}
		f := printf(nil, rest)
		c.sc.set(args[1].text, variable{values: []value{{text: f.text, quality: quality{partial: !f.known, taint: f.taint}}}})
		return nothing()
	}
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nothing()
	}
	f := flow{known: true}
	for _, v := range args {
		f.known = f.known && !v.partial
		f.taint |= v.taint
	}
	format := unescapeANSI(args[0].text)
	f.taint |= hiddenBy(args[0].text)
	var b strings.Builder
	rest := args[1:]
	for {
		used := fillFormat(&b, format, rest)
		if used == 0 || used >= len(rest) || b.Len() > 1<<16 {
			break
		}
		rest = rest[used:]
	}
	f.text = b.String()
	return f
}

// fillFormat writes the format once and returns how many arguments it took.
func fillFormat(b *strings.Builder, format string, args []value) int {
	used := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		for i < len(format)-1 && strings.IndexByte("-+ #0123456789.", format[i]) >= 0 {
			i++
		}
		if format[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if used < len(args) {
			text := args[used].text
			if format[i] == 'b' {
				text = unescapeANSI(text)
			}
			b.WriteString(text)
			used++
		}
	}
	return used
}
