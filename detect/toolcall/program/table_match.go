package program

import (
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// matcher compares the rows of a table with the arguments of a call.
type matcher struct {
	settings
	o    flags.Options
	args []trace.Value
	// The field "whole" is set while the matcher looks for flags that make a call harmless. The matcher then ignores
	// abbreviated flags.
	whole bool
}

// isQuiet reports whether a flag such as --dry-run means that nothing happens.
func (m *matcher) isQuiet() bool {
	m.whole = true
	for rest := m.quiet; rest != ""; {
		var condition string
		if condition, rest = next(rest); m.hasFlag(condition) {
			return true
		}
	}
	return false
}

func (m *matcher) find(rows string) (Row, bool) {
	floating := -1 // where a group of rows with "..." begins
	for at := 0; at < len(rows); {
		end := at + strings.IndexByte(rows[at:], '\n') + 1
		if end == at {
			end = len(rows)
		}
		line := rows[at:end]
		row, isRow := parseRow(line)
		floats := isRow && strings.HasPrefix(row.Order, "... ")
		switch {
		case floats && floating < 0:
			floating = at
		case !floats && floating >= 0:
			if found, ok := m.findFloating(rows[floating:at]); ok {
				return found, true
			}
			floating = -1
		}
		if isRow && !floats && m.matches(row.Order, row.Outcome) {
			return row, true
		}
		at = end
	}
	if floating >= 0 {
		return m.findFloating(rows[floating:])
	}
	return Row{}, false
}

// findFloating compares a group of rows that begin with "..." with the first operands of the call, one operand after
// the other. It returns the first row that matches. A row whose outcome is "looks" is an exception: after such a row,
// findFloating continues with the next operand.
func (m *matcher) findFloating(group string) (Row, bool) {
	for i := m.from; i < min(m.within, len(m.o.Operands)); i++ {
		for line := range strings.Lines(group) {
			row, _ := parseRow(line)
			alternatives, conditions := next(row.Order[len("... "):])
			if !m.matchesPart(alternatives, m.o.Word(i)) || !m.matches(conditions, row.Outcome) {
				continue
			}
			if row.Outcome != "looks" {
				return row, true
			}
			break
		}
	}
	return Row{}, false
}

// matches() reports whether the call has the words and flags of a row.
func (m *matcher) matches(order, outcome string) bool {
	at := 0
	m.whole = outcome == "looks"
	for order != "" {
		var word string
		word, order = next(order)
		switch {
		case word == "*" && (order == "" || order[0] == '+'):
		case word == "-":
			if at < len(m.o.Operands) {
				return false
			}
		case word[0] == '+':
			if !m.hasFlag(word[1:]) {
				return false
			}
		case at >= len(m.o.Operands) || !matchesAny(word, m.word(at)):
			return false
		default:
			at++
		}
	}
	return true
}

// word() returns the text of an operand, in lower case if the table ignores the case of subcommands.
func (m *matcher) word(at int) string {
	if m.anyCase {
		return strings.ToLower(m.o.Word(at))
	}
	return m.o.Word(at)
}

// matchesPart reports whether a word, or its part after a colon or before a hyphen, matches an alternative of a
// pattern.
func (m *matcher) matchesPart(alternatives, word string) bool {
	if matchesAny(alternatives, word) {
		return true
	}
	switch {
	case m.after != "":
		return matchesAny(alternatives, word[strings.LastIndex(word, m.after)+1:])
	case m.before != "":
		part, _, _ := strings.Cut(word, m.before)
		return matchesAny(alternatives, part)
	}
	return false
}

// matchesAny reports whether a word is one of the alternatives of a pattern.
func matchesAny(alternatives, word string) bool {
	for pattern := range strings.SplitSeq(alternatives, "|") {
		if wildcard(pattern, word) {
			return true
		}
	}
	return false
}

// wildcard() reports whether a word matches a pattern. The pattern may begin or end with *.
func wildcard(pattern, word string) bool {
	if rest, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(word, rest)
	}
	if rest, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(word, rest)
	}
	return pattern == word
}

// hasFlag reports whether a condition on flags is true. The forms of a condition are:
//
//	a|b     one of these flags is given
//	a=b|c   the flag a is given with one of these values
//	a!=b|c  the flag a is given with any other value
//	~a|b    an argument contains one of these texts
func (m *matcher) hasFlag(condition string) bool {
	if texts, ok := strings.CutPrefix(condition, "~"); ok {
		return m.anyContains(texts)
	}
	if name, values, ok := strings.Cut(condition, "!="); ok {
		f, given := m.flag(name)
		return given && !IsOneOf(f.Value.Text, values)
	}
	if name, values, ok := strings.Cut(condition, "="); ok {
		f, given := m.flag(name)
		return given && matchesAny(values, f.Value.Text)
	}
	for name := range strings.SplitSeq(condition, "|") {
		if _, given := m.flag(name); given && (!m.whole || !m.hasFlag(name+"=false")) {
			return true
		}
	}
	return false
}

// flag() returns the call's first flag that has one of the names, and whether there is such a flag. While the field
// "whole" is set, the returned flag has the value of the last flag with one of these names.
func (m *matcher) flag(name string) (flags.Flag, bool) {
	f, given := m.o.Flag(name)
	if m.whole && given {
		f.Value.Text, given = m.o.LastText(name), m.o.HasWhole(name)
	}
	return f, given
}

// publishesHere reports whether a flag makes a program publish to a server on this machine.
func (m *matcher) publishesHere(t *trace.Trace) bool {
	to := m.o.LastText("repository-url publish-url")
	return to != "" && !strings.ContainsAny(to, `?#,%\@`) && len(t.Tunnels) == 0 && trace.IsLoopback(trace.HostOf(to))
}

// isForDevelopment reports whether a flag says that a call is for the environment of a developer or of tests. Examples
// are --env dev, -n dev, -k overlays/dev, -i inventories/test and -f values.dev.yaml.
func (m *matcher) isForDevelopment() bool {
	for _, f := range m.o.Flags {
		value := strings.TrimSuffix(f.Value.Text, "/")
		value = value[strings.LastIndexByte(value, '/')+1:]
		switch {
		case IsOneOf(f.Name, "f|values"):
			value = lastPart(value)
		case !IsOneOf(f.Name, "n|namespace|context|kube-context|e|env|environment|stage|s|stack|k|kustomize|i|inventory|limit"):
			continue
		}
		if IsOneOf(value, "dev|development|test|testing|local|sandbox") {
			return true
		}
	}
	return false
}

// lastPart returns the last part of a file's name, without the extension. Parts are separated by dots,
// hyphens and underscores. For values-dev.yaml, it returns dev.
func lastPart(file string) string {
	stem := strings.TrimSuffix(strings.TrimSuffix(file, ".yaml"), ".yml")
	return stem[strings.LastIndexAny(stem, ".-_")+1:]
}

// IsOneOf reports whether a word is in a list separated by |.
func IsOneOf(word, alternatives string) bool {
	for alternative := range strings.SplitSeq(alternatives, "|") {
		if alternative == word {
			return true
		}
	}
	return false
}

func (m *matcher) anyContains(texts string) bool {
	for text := range strings.SplitSeq(texts, "|") {
		for _, arg := range m.args {
			if strings.Contains(arg.Text, text) {
				return true
			}
		}
	}
	return false
}
