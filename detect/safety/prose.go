package safety

import "strings"

// The type "part" marks a piece of a text by offsets in bytes. A part that is not prose is code, a log or a quotation.
type part struct {
	start, end int
	isProse    bool
}

// readProse divides a text into prose and other parts. Fenced and inline code, quoted lines, diff hunks, stack traces,
// log lines with a time, lines with a shell prompt, and lines of JSON or markup are not prose.
func readProse(text string) []part {
	r := proseReader{text: text}
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		r.line(at, end)
		at = end
	}
	return r.parts
}

// proseReader holds what the reader of prose must remember from one line to the next.
type proseReader struct {
	text  string
	parts []part
	// fence is the sign that closes the current fenced block, or "".
	fence string
	// inHunk and inTrace are set within a diff hunk and within a stack trace.
	inHunk, inTrace bool
}

func (r *proseReader) line(start, end int) {
	line := r.text[start:end]
	trimmed := strings.TrimSpace(line)
	if r.isFenced(trimmed) || r.isDiff(line) || r.isTrace(line, trimmed) || isOther(trimmed) {
		r.add(start, end, false)
		return
	}
	r.inline(start, end)
}

// isFenced reports whether a line belongs to a fenced block, and keeps track of these blocks. The fences around a block
// belong to the block.
func (r *proseReader) isFenced(trimmed string) bool {
	if r.fence != "" {
		if strings.HasPrefix(trimmed, r.fence) && strings.Trim(trimmed, r.fence[:1]) == "" {
			r.fence = ""
		}
		return true
	}
	for _, sign := range []string{"```", "~~~"} {
		if strings.HasPrefix(trimmed, sign) {
			rest := strings.TrimLeft(trimmed, sign[:1])
			if strings.Contains(rest, sign) {
				return false // a block on one line is inline code
			}
			r.fence = trimmed[:len(trimmed)-len(rest)]
			return true
		}
	}
	return false
}

// isDiff reports whether a line belongs to a diff, and keeps track of its hunks.
func (r *proseReader) isDiff(line string) bool {
	if r.inHunk {
		if line != "" && strings.IndexByte("+- \\", line[0]) >= 0 && strings.TrimSpace(line) != "" {
			return true
		}
		r.inHunk = false
	}
	if strings.HasPrefix(line, "@@ -") {
		r.inHunk = true
		return true
	}
	return hasAnyPrefix(line, "diff --git ", "--- a/", "+++ b/", "--- /dev/null", "+++ /dev/null")
}

// isTrace reports whether a line belongs to a stack trace, and keeps track of these traces.
func (r *proseReader) isTrace(line, trimmed string) bool {
	indented := line != "" && (line[0] == ' ' || line[0] == '\t')
	if r.inTrace && trimmed != "" {
		if indented {
			return true
		}
		r.inTrace = false
		return isErrorName(trimmed)
	}
	switch {
	case hasAnyPrefix(trimmed, "Traceback (most recent call last)", "Exception in thread ", "goroutine "),
		strings.HasPrefix(trimmed, "Caused by: "):
		r.inTrace = true
		return true
	case hasAnyPrefix(trimmed, "at ") && indented && strings.ContainsAny(trimmed, "(:"), strings.HasPrefix(trimmed, "panic: "):
		return true
	}
	return strings.HasPrefix(trimmed, `File "`) && strings.Contains(trimmed, `", line `)
}

// isErrorName reports whether a line begins with the name of an error and a colon, such as "ValueError: ".
func isErrorName(line string) bool {
	name, _, found := strings.Cut(line, ":")
	return found && !strings.Contains(name, " ") && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// isOther reports whether a line shows that it is not prose, without a look at the lines around it.
func isOther(trimmed string) bool {
	if trimmed == "" {
		return false
	}
	switch trimmed[0] {
	case '>':
		return true
	case '{', '[':
		return isJSON(trimmed) || isLog(trimmed)
	case '<':
		return len(trimmed) > 2 && trimmed[len(trimmed)-1] == '>' && (isASCIILetter(trimmed[1]) || trimmed[1] == '/' || trimmed[1] == '!')
	}
	return isPrompt(trimmed) || isLog(trimmed)
}

// isJSON reports whether a line is a JSON object or a JSON list.
func isJSON(line string) bool {
	switch last := line[len(line)-1]; {
	case line[0] == '{' && last == '}':
		return strings.Contains(line, `":`) || strings.Contains(line, `" :`) || line == "{}"
	case line[0] == '[' && last == ']':
		return strings.HasPrefix(strings.TrimSpace(line[1:]), `"`) || strings.HasPrefix(strings.TrimSpace(line[1:]), "{")
	}
	return false
}

// isPrompt reports whether a line begins with the prompt of a shell.
func isPrompt(line string) bool {
	if hasAnyPrefix(line, "$ ", "% ", "❯ ", "➜ ", "PS C:\\", "C:\\") {
		return true
	}
	before, _, found := strings.Cut(line, "$ ")
	if !found {
		before, _, found = strings.Cut(line, "# ")
	}
	return found && strings.Contains(before, "@") && strings.Contains(before, ":") && !strings.Contains(before, " ")
}

// isLog reports whether a line begins with a time. A date and a level may come before the time.
func isLog(line string) bool {
	line = strings.TrimLeft(line, "[(")
	for range 4 {
		word, rest, _ := strings.Cut(line, " ")
		if hasTime(word) {
			return true
		}
		if !isLogWord(strings.Trim(word, "[]():,")) {
			return false
		}
		line = strings.TrimLeft(rest, " [(")
	}
	return false
}

// hasTime reports whether a word contains a time with seconds, such as 12:30:05.
func hasTime(word string) bool {
	for i := 0; i+8 <= len(word); i++ {
		if isTime(word[i:i+8]) && (i == 0 || word[i-1] == 'T' || word[i-1] == '_') {
			return true
		}
	}
	return false
}

func isTime(text string) bool {
	for i := range 8 {
		if i == 2 || i == 5 {
			if text[i] != ':' {
				return false
			}
		} else if !isASCIIDigit(text[i]) {
			return false
		}
	}
	return true
}

// isLogWord reports whether a word may stand before the time of a log line: a level, a date, or the name of a month or
// a weekday.
func isLogWord(word string) bool {
	switch word {
	case "INFO", "WARN", "WARNING", "ERROR", "DEBUG", "TRACE", "FATAL", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",
		"Aug", "Sep", "Oct", "Nov", "Dec", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun":
		return true
	}
	return word != "" && strings.Trim(word, "0123456789-/.") == ""
}

// inline() divides a line of prose into parts, and adds them to r.parts. The code between backticks becomes parts of
// its own, which are not prose.
func (r *proseReader) inline(start, end int) {
	line := r.text[start:end]
	at, unclosed := 0, len(line) // the rest of the line has no closing run for this many backticks or more
	for {
		i := strings.IndexByte(line[at:], '`')
		if i < 0 {
			break
		}
		open := at + i
		after := open
		for after < len(line) && line[after] == '`' {
			after++
		}
		length := -1
		if after-open < unclosed {
			length = strings.Index(line[after:], line[open:after])
		}
		if length < 0 {
			unclosed = min(unclosed, after-open)
			r.add(start+at, start+after, true)
			at = after
			continue
		}
		r.add(start+at, start+open, true)
		at = after + length + after - open
		r.add(start+open, start+at, false)
	}
	r.add(start+at, end, true)
}

// add() appends a part to r.parts. If the last part is of the same kind, add() joins the two parts.
func (r *proseReader) add(start, end int, isProse bool) {
	if start == end {
		return
	}
	if n := len(r.parts); n > 0 && r.parts[n-1].isProse == isProse {
		r.parts[n-1].end = end
		return
	}
	r.parts = append(r.parts, part{start, end, isProse})
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

func isASCIILetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isASCIIDigit(c byte) bool { return '0' <= c && c <= '9' }
