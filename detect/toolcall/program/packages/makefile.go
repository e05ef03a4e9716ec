package packages

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The type "makefile" holds a parsed Makefile, without includes and functions.
type makefile struct {
	vars  map[string]string
	Rules map[string]*makeRule
	first string
	// The field "computed" lists the commands in $(shell …) and after !=. The program "make" runs these commands when it
	// reads the file.
	computed []string
	// The field "expanded" counts the variables that have been expanded so far.
	expanded int
}

// makeRule is a target with its prerequisites and its recipe.
type makeRule struct {
	target string
	needs  []string
	Recipe []string
}

// Limits of the analysis of a Makefile.
const (
	MaxMakeRules = 500
	MaxMakeText  = 8 << 10 // maximum number of bytes of one expanded line
	maxMakeDepth = 8       // maximum depth of variables inside variables
	maxExpanded  = 100_000 // maximum number of expanded variables in total
)

// set() gives a variable a value. This value replaces the value in the file.
func (m *makefile) set(name, text string) { m.vars[name] = text }

// give() sets a variable to a value from the call itself.
func (m *makefile) give(sc *trace.Scope, name string, v trace.Value) {
	if name == "" || !giveVariable(sc, name, v) {
		m.set(name, v.Text)
		return
	}
	m.set(name, "$${"+name+"}")
}

// giveVariable sets a shell variable to a simple value from the call itself, with the taint FromArgument. This taint
// says that the people who reviewed the file of targets have not seen the value. giveVariable returns false for other
// values.
func giveVariable(sc *trace.Scope, name string, v trace.Value) bool {
	if strings.ContainsAny(v.Text, "$`\"'\\;|&<>(){}*?[#~\n") {
		return false
	}
	v.Taint |= trace.FromArgument
	sc.SetScalar(name, v)
	return true
}

// ParseMakefile returns the variables and rules of a Makefile.
func ParseMakefile(text string) *makefile {
	m := &makefile{vars: map[string]string{"MAKE": "make", "RM": "rm -f"}, Rules: map[string]*makeRule{}}
	var open []*makeRule
	defining := false
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch word, _, _ := strings.Cut(trimmed, " "); {
		case strings.HasPrefix(line, "\t"):
			for _, rule := range open {
				rule.Recipe = append(rule.Recipe, trimmed)
			}
		case trimmed == "" || trimmed[0] == '#':
		case word == "define" || word == "endef":
			defining = word == "define"
		case defining, words.OneOf(word, "include -include sinclude ifeq ifneq ifdef ifndef else endif unexport vpath"):
		default:
			open = m.line(trimmed, open)
		}
	}
	return m
}

// line() reads an assignment or the head of a rule. It returns the rules that get the recipe lines below this line.
func (m *makefile) line(line string, open []*makeRule) []*makeRule {
	for _, word := range [...]string{"export ", "override ", "private "} {
		line = strings.TrimPrefix(line, word)
	}
	if _, rest, ok := strings.Cut(line, "$(shell "); ok {
		m.computed = append(m.computed, rest[:closingBracket(rest)])
	}
	equals, colon := strings.IndexByte(line, '='), strings.IndexByte(line, ':')
	if equals > 0 && (colon < 0 || equals < colon || strings.Trim(line[colon:equals], ":") == "") {
		m.assign(line[:equals], strings.TrimSpace(line[equals+1:]))
		return open
	}
	if colon <= 0 || equals > colon {
		return nil
	}
	return m.rule(line[:colon], strings.TrimLeft(line[colon:], ":"))
}

func (m *makefile) assign(left, text string) {
	name := strings.TrimSpace(strings.TrimRight(left, ":?+!"))
	switch old, had := m.vars[name]; {
	case strings.HasSuffix(left, "!"):
		m.computed = append(m.computed, text)
	case strings.HasSuffix(left, "?") && had:
	case strings.HasSuffix(left, "+"):
		m.vars[name] = strings.TrimSpace(old + " " + text)
	default:
		m.vars[name] = text
	}
}

func (m *makefile) rule(targets, rest string) []*makeRule {
	needs, recipe, inline := strings.Cut(rest, ";")
	var out []*makeRule
	for _, name := range strings.Fields(m.Expand(targets, nil)) {
		rule := m.Rules[name]
		if rule == nil {
			if len(m.Rules) >= MaxMakeRules {
				break
			}
			rule = &makeRule{target: name}
			m.Rules[name] = rule
		}
		if m.first == "" && name[0] != '.' && !strings.Contains(name, "%") {
			m.first = name
		}
		rule.needs = append(rule.needs, strings.Fields(m.Expand(needs, nil))...)
		if inline {
			rule.Recipe = append(rule.Recipe, strings.TrimSpace(recipe))
		}
		out = append(out, rule)
	}
	return out
}

// Needed is a method that returns the rules of a target and of all its prerequisites. If the target has no rule, the
// rule .DEFAULT is used.
func (m *makefile) Needed(name string) []*makeRule {
	if m.Rules[name] == nil {
		name = ".DEFAULT"
	}
	var out []*makeRule
	seen := map[string]bool{}
	var follow func(name string)
	follow = func(name string) {
		rule := m.Rules[name]
		if rule == nil || seen[name] || len(out) >= MaxMakeRules {
			return
		}
		seen[name] = true
		for _, need := range rule.needs {
			follow(need)
		}
		out = append(out, rule)
	}
	follow(name)
	return out
}

// Expand returns a line in the form in which the program "make" passes the line to the shell. Unknown values become
// shell variables.
func (m *makefile) Expand(line string, rule *makeRule) string {
	var b strings.Builder
	m.write(&b, line, rule, 0)
	return b.String()
}

func (m *makefile) write(b *strings.Builder, line string, rule *makeRule, depth int) {
	for i := 0; i < len(line) && b.Len() < MaxMakeText; i++ {
		if line[i] != '$' || i+1 == len(line) {
			b.WriteByte(line[i])
			continue
		}
		i++
		switch c := line[i]; c {
		case '$':
			b.WriteByte('$')
		case '(', '{':
			end := closingBracket(line[i+1:])
			m.reference(b, line[i+1:i+1+end], rule, depth)
			i += 1 + end
		default:
			b.WriteString(rule.automatic(c))
		}
	}
}

// closingBracket returns the position of the closing bracket in a text. The opening bracket is just before the text.
func closingBracket(text string) int {
	open := 1
	for i := range len(text) {
		switch text[i] {
		case '(', '{':
			open++
		case ')', '}':
			if open--; open == 0 {
				return i
			}
		}
	}
	return len(text)
}

func (m *makefile) reference(b *strings.Builder, name string, rule *makeRule, depth int) {
	text, ok := m.vars[name]
	m.expanded++
	switch {
	case m.expanded > maxExpanded:
	case ok && depth < maxMakeDepth:
		m.write(b, text, rule, depth+1)
	case strings.HasPrefix(name, "shell "):
		b.WriteString("$(")
		m.write(b, name[len("shell "):], rule, depth+1)
		b.WriteString(")")
	case len(name) == 1:
		b.WriteString(rule.automatic(name[0]))
	case name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "":
		b.WriteString("${" + name + "}")
	default:
		b.WriteString("${computed_by_make}")
	}
}

// automatic() returns the value of an automatic variable: $@, $< or $^.
func (r *makeRule) automatic(name byte) string {
	switch {
	case r != nil && name == '@':
		return r.target
	case r != nil && name == '<' && len(r.needs) > 0:
		return r.needs[0]
	case r != nil && name == '^':
		return strings.Join(r.needs, " ")
	}
	return "${computed_by_make}"
}
