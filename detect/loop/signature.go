package loop

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"guardrails/internal/document"
)

// signature() returns a text that is the same for two calls with the same tool and input.
func signature(c *Call) string {
	if command := commandOf(c); c.Tool == "Bash" && command != "" {
		return "Bash " + strings.Join(strings.Fields(command), " ")
	}
	return c.Tool + " " + string(appendCanonical(nil, c.Input, "description"))
}

// appendCanonical appends a JSON value in a canonical form with sorted keys. The parameter "without" is the name of
// a field. appendCanonical leaves this field out of the outermost object.
func appendCanonical(to []byte, n *document.Node, without string) []byte {
	switch n.Kind {
	case document.String:
		return appendText(to, n.Text)
	case document.List:
		to = append(to, '[')
		for _, item := range n.Items {
			to = append(appendCanonical(to, item, ""), ',')
		}
		return append(to, ']')
	case document.Object:
		fields := slices.Clone(n.Fields)
		slices.SortFunc(fields, func(a, b document.Field) int { return strings.Compare(a.Name, b.Name) })
		to = append(to, '{')
		for _, f := range fields {
			if without == "" || f.Name != without {
				to = append(appendCanonical(appendText(to, f.Name), f.Value, ""), ',')
			}
		}
		return append(to, '}')
	case document.Null:
		return append(to, "null"...)
	}
	return append(to, n.Text...)
}

// appendText appends the length of a text and then the text. Because of the length, no character needs an escape.
func appendText(to []byte, text string) []byte {
	return append(append(strconv.AppendInt(to, int64(len(text)), 10), ':'), text...)
}

// result() returns a text that is the same for two calls with the same result.
func result(c *Call) string {
	if c.OK {
		return "+" + c.Outcome
	}
	return "-" + normalized(c.Error)
}

// isSilent reports whether a result is a failure without a reason. The error of such a failure is empty or has only the
// exit code, as after a search that finds nothing.
func isSilent(result string) bool {
	switch strings.TrimSuffix(result, ".") {
	case "-", "-exit code #", "-exit status #", "-exited with code #", "-command failed with exit code #",
		"-process exited with code #":
		return true
	}
	return false
}

// normalized() returns the first part of an error in lower case. It replaces what differs from run to run (ids,
// addresses and numbers) with #.
func normalized(text string) string {
	const most = 2000
	text = lowerFirst(text, most)
	out := make([]byte, 0, len(text))
	plain := 0 // the hexadecimal digits before this index are not an id
	for i := 0; i < len(text); {
		n := max(uuid(text[i:]), address(text[i:]))
		if n == 0 && i >= plain {
			digits := run(text[i:], isHex)
			if isID(text[i : i+digits]) {
				n = digits
			} else {
				plain = i + digits
			}
		}
		if n = max(n, run(text[i:], isDigit)); n > 0 {
			out = append(out, '#')
			i += n
			continue
		}
		out = append(out, text[i])
		i++
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// lowerFirst returns the first characters of a text in lower case.
func lowerFirst(text string, most int) string {
	for i := range text {
		if most == 0 {
			text = text[:i]
			break
		}
		most--
	}
	return strings.ToLower(text)
}

// address() returns the length of the address at the beginning of a text, such as 0xc0000a1, or 0.
func address(text string) int {
	if !strings.HasPrefix(text, "0x") {
		return 0
	}
	n := run(text[2:], isHex)
	if n == 0 {
		return 0
	}
	return 2 + n
}

// isID reports whether a run of hexadecimal digits looks like a hash: it is long and has letters and digits.
func isID(text string) bool {
	const shortest = 7
	return len(text) >= shortest && run(text, isDigit) < len(text) && strings.ContainsAny(text, "0123456789")
}

// uuid returns the length of the UUID at the beginning of a text, or 0.
func uuid(text string) int {
	n := 0
	for i, want := range [...]int{8, 4, 4, 4, 12} {
		if i > 0 {
			if n >= len(text) || text[n] != '-' {
				return 0
			}
			n++
		}
		if got := run(text[n:min(len(text), n+want)], isHex); got < want {
			return 0
		}
		n += want
	}
	return n
}

func run(text string, is func(byte) bool) int {
	n := 0
	for n < len(text) && text[n] < utf8.RuneSelf && is(text[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' }
