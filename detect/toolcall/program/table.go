package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Table describes a family of programs in a text. A line without indentation contains the names of programs. The
// indented lines below that line are settings and rows. A row has a subcommand (with its arguments or flags) and the
// outcome of that subcommand:
//
//	kubectl oc
//		values  n namespace f filename      flags that take a value (a spec of the package named flags)
//		quiet   help dry-run!=none          flags with which nothing happens
//		delete|drain           destroys     a subcommand and its outcome
//		apply +force|prune     destroys     a subcommand with one of these flags
//		scale +replicas=0      destroys     a subcommand with a flag that has this value
//		allow +~0.0.0.0/0      opens        a subcommand with this text in any argument
//		rollout status         looks        a subcommand of two words
//		exec                   code exec    the function Code("exec") decides
//		rm                     marks destructive_op deletes stored passwords
//		*                      unlisted     every other subcommand
//
// The first row that matches decides. A word may begin or end with *, and "-" means that no more words follow. A row
// that begins with "..." matches if its word is among the first few operands of the call. The other settings are:
//
//	leading o output   flags that take a value before the subcommand; "values" applies only after the subcommand
//	within 3           rows with "..." look at the first three operands
//	from 1             rows with "..." skip the first operand
//	after :            rows with "..." also match the part of an operand after a colon
//	before -           rows with "..." also match the part of an operand before a hyphen
//	words              -flag and --flag are the same flag
//	letters any        subcommands may be in capital letters
//	prints network     the program prints what it receives from the network
//
// If the reason of a row ends with a colon, the program's name and the subcommand are appended to the reason. Only the
// part of Text that describes the called program is parsed.
type Table struct {
	Text string
	// Code returns the function for the name that follows the word "code" in a row, or nil.
	Code func(name string) Code
}

// Code analyzes a call that needs more than the outcome of a row.
type Code func(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow

// Row is a row of a table: a subcommand (Order) and its outcome. Order and Outcome are written as in the table.
type Row struct {
	Order   string `json:"order"`
	Outcome string `json:"outcome"`
}

// Events returns the events of the row's outcome. The events that a Code function adds are not included.
func (r *Row) Events() []effect.Event {
	name, rest := next(r.Outcome)
	if name == "marks" {
		var out []effect.Event
		list, _ := next(rest)
		for _, event := range strings.Split(list, ",") {
			out = append(out, effect.Event(event))
		}
		return out
	}
	o, _ := outcomeOf(name)
	return outcomes[o].events
}

// Handler returns the handler of a program, or nil if the table does not list the program.
func (b *Table) Handler(name string) trace.Handler {
	rows := b.rowsOf(name)
	if rows == "" {
		return nil
	}
	return func(t *trace.Trace, c *trace.Command) trace.Flow { return b.judge(rows, t, c) }
}

// Rows returns the rows about a program, without the settings. It returns nothing if the table does not list the
// program.
func (b *Table) Rows(name string) []Row {
	var out []Row
	for line := range strings.Lines(b.rowsOf(name)) {
		if r, ok := parseRow(line); ok {
			out = append(out, r)
		}
	}
	return out
}

// rowsOf returns the indented lines below the line that contains the name of a program.
func (b *Table) rowsOf(name string) string {
	if name == "" || strings.IndexByte(name, ' ') >= 0 {
		return ""
	}
	for at := 0; ; at++ {
		next := strings.Index(b.Text[at:], name)
		if next < 0 {
			return ""
		}
		at += next
		if !isWord(b.Text, at, at+len(name)) {
			continue
		}
		start := strings.LastIndexByte(b.Text[:at], '\n') + 1
		end := at + strings.IndexByte(b.Text[at:], '\n')
		if b.Text[start] != '\t' && words.Among(name, b.Text[start:end]) == name {
			return unpack(indented(b.Text[end+1:]), pairs)
		}
	}
}

// The constant "pairs" is empty here. For the hook programs, which must be small, scripts/lean packs the rows and
// gives this constant a text.
const pairs = ""

// unpack() returns rows as they are in the source. In packed rows, each byte with a value of at least 128 stands for
// two bytes of the parameter "pairs".
func unpack(rows, pairs string) string {
	if pairs == "" {
		return rows
	}
	out := make([]byte, 0, 2*len(rows))
	for i := range len(rows) {
		out = appendUnpacked(out, rows[i], pairs)
	}
	return string(out)
}

func appendUnpacked(out []byte, c byte, pairs string) []byte {
	if c < 128 {
		return append(out, c)
	}
	at := 2 * int(c-128)
	return appendUnpacked(appendUnpacked(out, pairs[at], pairs), pairs[at+1], pairs)
}

// isWord reports whether the text between two offsets of a table is a whole word.
func isWord(text string, from, to int) bool {
	return (from == 0 || text[from-1] <= ' ') && to < len(text) && text[to] <= ' '
}

// indented() returns the indented lines at the beginning of a text.
func indented(text string) string {
	end := 0
	for end < len(text) && text[end] == '\t' {
		line := strings.IndexByte(text[end:], '\n')
		if line < 0 {
			return text
		}
		end += line + 1
	}
	return text[:end]
}

// The type "settings" holds the indented lines about a program that are not rows, such as "values" and "quiet".
type settings struct {
	_                                     [0]func() // makes == on settings an error; see trace.Place
	leading, values, quiet, after, before string
	from, within                          int
	words, network, anyCase               bool
}

// set() parses a line and reports whether the line is a setting.
func (s *settings) set(line string) bool {
	name, rest := next(line)
	switch name {
	case "values":
		if s.values != "" {
			rest = s.values + " " + rest
		}
		s.values = rest
	case "leading":
		s.leading = rest
	case "quiet":
		s.quiet = rest
	case "after":
		s.after = rest
	case "before":
		s.before = rest
	case "within":
		s.within = int(rest[0] - '0')
	case "from":
		s.from = int(rest[0] - '0')
	case "words":
		s.words = true
	case "letters":
		s.anyCase = rest == "any"
	case "prints":
		s.network = rest == "network"
	default:
		return false
	}
	return true
}

// next() splits a line into its first word and the rest.
func next(line string) (word, rest string) {
	line = strings.Trim(line, " \t\n")
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.Trim(line[end:], " \t")
}

// parseRow splits a row into the subcommand and the outcome. It returns false if the line is not a row but a
// setting.
func parseRow(line string) (Row, bool) {
	var s settings
	if s.set(line) {
		return Row{}, false
	}
	line = strings.Trim(line, " \t\n")
	for rest := line; rest != ""; {
		var word string
		from := len(line) - len(rest)
		word, rest = next(rest)
		if _, known := outcomeOf(word); known {
			return Row{Order: strings.TrimRight(line[:from], " \t"), Outcome: line[from:]}, true
		}
	}
	return Row{Order: line}, true
}

// outcomeOf returns the outcome with the given name. It also reports whether the second part of a row may begin with
// that name. The second part may also begin with "code", "marks" or "unlisted". For these words, which are not names of
// outcomes, outcomeOf returns Looks and true.
func outcomeOf(name string) (Outcome, bool) {
	switch name {
	case "unlisted", "code", "marks":
		return Looks, true
	}
	for o := range outcomes {
		if outcomes[o].name == name {
			return Outcome(o), true
		}
	}
	return Looks, false
}

// judge() finds the row that matches a call, and adds the events of this row.
func (b *Table) judge(rows string, t *trace.Trace, c *trace.Command) trace.Flow {
	if !t.Spend(len(rows) / 2) {
		return trace.Unknown()
	}
	var s settings
	for line := range strings.Lines(rows) {
		s.set(line)
	}
	m := matcher{settings: s, args: c.Args(), o: s.parse(c.Args())}
	if m.isQuiet() {
		return trace.Flow{Taint: trace.FromProgram}
	}
	row, found := m.find(rows)
	if !found {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if t.OnRow != nil {
		t.OnRow(c.Name, row.Order, m.o.Operands)
	}
	name, rest := next(row.Outcome)
	if name == "publishes" && m.publishesHere(t) && !t.Detours(c) {
		return s.output()
	}
	switch name {
	case "code":
		return b.Code(rest)(t, c, &m.o)
	case "unlisted":
		ByWords(t, c)
		return s.output()
	case "marks":
		_, reason := next(rest)
		if strings.HasSuffix(reason, ":") {
			reason += " " + orderOf(c, &m.o)
		}
		t.MarkAll(c, reason, row.Events()...)
		return s.output()
	}
	outcome, _ := outcomeOf(name)
	if (outcome == Releases || outcome == Changes) && m.isForDevelopment() {
		if outcome == Releases {
			t.Mark(c, "", effect.Deploy)
		}
		return s.output()
	}
	flow := Judge(t, c, outcome, orderOf(c, &m.o))
	if outcome == Looks {
		return s.output()
	}
	return flow
}

func (s *settings) parse(args []trace.Value) flags.Options {
	switch {
	case s.words:
		return flags.ParseWords(args, s.values)
	case s.leading == "":
		return flags.Parse(args, s.values)
	}
	before, rest := flags.ParseLeading(args, s.leading)
	o := flags.Parse(rest, s.values)
	o.Flags = append(before.Flags, o.Flags...)
	return o
}

// orderOf returns a text for reasons. The text consists of the name of a program and the first words of its call.
func orderOf(c *trace.Command, o *flags.Options) string {
	return strings.TrimRight(c.Name+" "+o.Order(), " ")
}

// output() returns what is known about the output of a program.
func (s *settings) output() trace.Flow {
	if s.network {
		return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
	}
	return trace.Flow{Taint: trace.FromProgram}
}
