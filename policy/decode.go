package policy

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"guardrails/internal/document"
)

// Parse reads the text of a policy file.
func Parse(file string, text []byte, yaml YAML) (*Set, document.Problems) {
	r := &reader{Decoder: document.Decoder{File: file}}
	return r.parse(file, text, yaml)
}

// YAML is the type of a function that reads a text in YAML. The function returns one tree for each YAML document in the
// text.
type YAML func(file string, text []byte) ([]*document.Node, document.Problems)

func (r *reader) parse(file string, text []byte, yaml YAML) (*Set, document.Problems) {
	tree, problems := oneTree(file, text, yaml, `the fields "version" and "rules"`)
	if tree == nil {
		return nil, problems
	}
	var rules []Rule
	r.Object(tree, "", []document.Spec{
		{Name: "version", Required: true, Read: func(n *document.Node, path string) {
			if n.Kind != document.Number || n.Text != "1" {
				r.Report(n, path, "is not a known version", "write 1")
			}
		}},
		{Name: "rules", Required: true, Read: func(n *document.Node, path string) { rules = r.rules(n, path) }},
	})
	r.Problems = joined(problems, r.Problems)
	return r.set(rules)
}

// oneTree reads a text that must have one document with the given fields. It returns nil if there is no tree. It can
// return both a tree and mistakes.
func oneTree(file string, text []byte, yaml YAML, fields string) (*document.Node, document.Problems) {
	if isBlank(text) {
		return nil, document.Problems{{File: file, Message: "is empty", Remedy: "write " + fields}}
	}
	trees, problems := yaml(file, text)
	switch {
	case len(trees) == 1:
		return trees[0], problems
	case len(problems) == 0:
		problems.Add(document.Problem{
			File: file, Message: "has " + strconv.Itoa(len(trees)) + " documents", Remedy: "write one, with " + fields,
		})
	}
	return nil, problems
}

// isBlank reports whether a text has only comments and empty lines.
func isBlank(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// joined() returns the mistakes in the YAML of a text and the mistakes in the values of the text. If the YAML of a line
// has a mistake, the values in this line are unknown. So joined() leaves out the mistakes in these values.
func joined(yaml, values document.Problems) document.Problems {
	out := yaml
	for _, p := range values {
		if !slices.ContainsFunc(yaml, func(y document.Problem) bool { return y.Line == p.Line }) {
			out.Add(p)
		}
	}
	return out
}

// decodeRules reads a list of rules. The list is not in a policy file, so the other fields of a policy file are missing.
// The parameter "limit" is the maximum total size of all regular expressions, or 0 if there is no limit. The result
// "size" is their total size.
func decodeRules(file string, n *document.Node, limit int) (set *Set, size int, problems document.Problems) {
	r := &reader{Decoder: document.Decoder{File: file}, limit: limit}
	set, problems = r.set(r.rules(n, "rules"))
	return set, r.size, problems
}

// The limits of a policy file.
const (
	mostRules        = 10000
	mostActions      = 10
	mostConditions   = 100
	mostTexts        = 100
	deepest          = 8
	longestTag       = 200
	longestPattern   = 1000
	longestEventName = 200
	defaultPriority  = 50
	highestPriority  = 100
)

// The type "reader" reads rules from a tree.
type reader struct {
	document.Decoder
	// The field "used" has names from the conditions of rules: the names in fields that allow any text. Lint checks
	// these names.
	used []usedName
	// The field "limit" is the maximum total size of all regular expressions, or 0 if there is no limit. The field
	// "size" is the total size so far.
	limit, size int
}

func (r *reader) set(rules []Rule) (*Set, document.Problems) {
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return newSet(rules), nil
}

// items() returns the items of a list. It reports a problem unless the number of items is between the parameters "low"
// and "high".
func (r *reader) items(n *document.Node, path string, low, high int) []*document.Node {
	if !r.Expect(n, path, document.List) {
		return nil
	}
	if len(n.Items) < low || len(n.Items) > high {
		r.Report(n, path, "has "+strconv.Itoa(len(n.Items))+" items", "write "+strconv.Itoa(low)+" to "+strconv.Itoa(high))
	}
	return n.Items
}

func (r *reader) rules(n *document.Node, path string) []Rule {
	items := r.items(n, path, 0, mostRules)
	rules := make([]Rule, 0, len(items))
	lines := map[string]int{}
	for i, item := range items {
		at := document.Index(path, i)
		rule := r.rule(item, at)
		if first, twice := lines[rule.Name]; twice && rule.Name != "" {
			r.Report(item, at+".name", document.Excerpt(rule.Name)+" is also the name of the rule at line "+strconv.Itoa(first),
				"give each rule a name of its own")
		}
		lines[rule.Name] = item.Line
		rules = append(rules, rule)
	}
	return rules
}

func (r *reader) rule(n *document.Node, path string) Rule {
	rule := Rule{enabled: true, priority: defaultPriority}
	r.Object(n, path, []document.Spec{
		{Name: "name", Required: true, Read: func(n *document.Node, path string) { rule.Name = r.slug(n, path) }},
		{Name: "priority", Read: func(n *document.Node, path string) { rule.priority = r.Int(n, path, 0, highestPriority) }},
		{Name: "enabled", Read: func(n *document.Node, path string) { rule.enabled = r.Bool(n, path) }},
		{Name: "when", Read: func(n *document.Node, path string) { rule.when = r.when(n, path) }},
		{Name: "actions", Required: true, Read: func(n *document.Node, path string) { rule.actions = r.actions(n, path) }},
	})
	return rule
}

func (r *reader) slug(n *document.Node, path string) string {
	name := r.String(n, path, false)
	if name != "" && !isSlug(name) {
		r.Report(n, path, document.Excerpt(name)+" is not a name", "use up to 100 small letters, digits, _ and -")
		return ""
	}
	if name == "" && n.Kind == document.String {
		r.Report(n, path, "is empty", "write a name")
	}
	return name
}

func isSlug(name string) bool {
	return len(name) <= 100 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// text() reads a text. The parameter "longest" is the maximum number of characters.
func (r *reader) text(n *document.Node, path string, longest int) string {
	text := r.String(n, path, false)
	if length := len([]rune(text)); length > longest {
		r.Report(n, path, "has "+strconv.Itoa(length)+" characters", "use at most "+strconv.Itoa(longest))
	}
	if text == "" && n.Kind == document.String {
		r.Report(n, path, "is empty", "write a text")
	}
	return text
}

func (r *reader) actions(n *document.Node, path string) []action {
	items := r.items(n, path, 1, mostActions)
	list := make([]action, 0, len(items))
	for i, item := range items {
		list = append(list, r.action(item, document.Index(path, i)))
	}
	return list
}

func (r *reader) action(n *document.Node, path string) action {
	var a action
	kind := document.Spec{Name: "type", Required: true, Read: func(n *document.Node, path string) {
		a.kind = r.Choice(n, path, ActionKinds())
	}}
	switch n.LookupText("type") {
	case OverrideSafety:
		r.Object(n, path, []document.Spec{kind, {Name: "action", Required: true, Read: func(n *document.Node, path string) {
			a.verdict = r.Choice(n, path, verdicts())
		}}})
	case FireEvent:
		r.Object(n, path, []document.Spec{
			kind,
			{Name: "event", Required: true, Read: func(n *document.Node, path string) { a.event = r.event(n, path) }},
			{Name: "cooldown", Read: func(n *document.Node, path string) { a.cooldown = r.cooldown(n, path) }},
		})
	case Annotate:
		r.Object(n, path, []document.Spec{
			kind,
			{Name: "tag", Required: true, Read: func(n *document.Node, path string) { a.tag = r.text(n, path, longestTag) }},
			{Name: "detail", Read: func(n *document.Node, path string) { a.detail = r.text(n, path, longestTag) }},
		})
	case Stop:
		r.Object(n, path, []document.Spec{kind})
	default:
		r.onlyKind(n, path, kind)
	}
	return a
}

// onlyKind reports an action whose type is missing or unknown. The type decides which other fields there must be, so
// onlyKind does not check those fields.
func (r *reader) onlyKind(n *document.Node, path string, kind document.Spec) {
	if t := n.Field("type"); t != nil {
		kind.Read(t, document.Join(path, "type"))
		return
	}
	skip := func(*document.Node, string) {}
	specs := []document.Spec{kind}
	for _, name := range []string{"action", "event", "cooldown", "tag", "detail"} {
		specs = append(specs, document.Spec{Name: name, Read: skip})
	}
	r.Object(n, path, specs)
}

// event() reads the name of an event: words of small letters, digits and _ that are joined by dots. A rule cannot fire
// guardrails' own events.
func (r *reader) event(n *document.Node, path string) string {
	name := r.String(n, path, false)
	if n.Kind != document.String {
		return ""
	}
	if !isEvent(name) {
		r.Report(n, path, document.Excerpt(name)+" is not the name of an event",
			"write two or more words of small letters, digits and _, and join them with dots")
		return ""
	}
	if strings.HasPrefix(name, "safety.") || strings.HasPrefix(name, "webhook.") {
		r.Report(n, path, document.Excerpt(name)+" is an event of guardrails itself", "use another first word")
	}
	return name
}

func isEvent(name string) bool {
	parts := strings.Split(name, ".")
	for _, part := range parts {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return false
		}
	}
	return len(parts) > 1 && len(name) <= longestEventName
}

func (r *reader) cooldown(n *document.Node, path string) time.Duration {
	d, ok := readDuration(n.Text)
	switch {
	case n.Kind != document.String && n.Kind != document.Number:
		r.String(n, path, false)
	case !ok:
		r.Report(n, path, document.Excerpt(n.Text)+" is not a duration", "write a whole number and s, m, h or d, for example 30m")
	}
	return d
}

func (r *reader) pattern(n *document.Node, path string) *regexp.Regexp {
	before := len(r.Problems)
	text := r.text(n, path, longestPattern)
	if len(r.Problems) > before {
		return nil
	}
	if !r.fits(text) {
		r.Report(n, path, "makes the regular expressions too large", "use fewer repetitions, or send fewer rules at once")
		return nil
	}
	p, err := regexp.Compile(text)
	if err != nil {
		r.Report(n, path, strings.TrimPrefix(err.Error(), "error parsing regexp: "), "write a regular expression of Go (RE2)")
	}
	return p
}
