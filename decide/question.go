package decide

import (
	"slices"
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// A question names what the call would do and which rule asks, because a person needs both to answer it.

// maxAsked limits how many effects a question names. maxCounted limits how many effects it counts.
const (
	maxAsked   = 3
	maxCounted = 103
)

// question() returns the text that a person reads. It names the first effects that the person must approve, and says
// how many other effects there are.
func (j *judge) question() string {
	var asked, rules []string
	for i := range j.decision.Findings {
		f := &j.decision.Findings[i]
		if f.Outcome != Ask {
			continue
		}
		if len(asked) <= maxCounted {
			asked = addOnce(asked, j.asked(f))
		}
		rules = addOnce(rules, f.Guideline.Name+" ("+f.Guideline.ID+")")
	}
	more := ""
	switch n := len(asked) - maxAsked; {
	case len(asked) > maxCounted:
		asked, more = asked[:maxAsked], " And more than "+strconv.Itoa(maxCounted-maxAsked)+" more."
	case n > 0:
		asked, more = asked[:maxAsked], " And "+strconv.Itoa(n)+" more."
	}
	label := " Rule: "
	if len(rules) > 1 {
		label = " Rules: "
	}
	return Visible(strings.Join(asked, " ") + more + label + strings.Join(rules, "; ") + "." + j.howLong())
}

func addOnce[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// asked() returns the part of the question that is about one effect.
func (j *judge) asked(f *Finding) string {
	e := j.effectOf(f)
	if f.Seen == "" {
		if files := namedFiles(f.Guideline, e); e.Has(effect.Commit) && files != "" {
			return "Commit " + files + "?"
		}
		return order(j.action(f)) + "?"
	}
	action, why := describe(e, j.call.Tool), f.Seen
	if rest, ok := strings.CutPrefix(f.Seen, "the call "); ok {
		action, why, _ = strings.Cut(strings.TrimSuffix(rest, "."), "; ")
	}
	if why == "" {
		return order(action) + "?"
	}
	return order(action) + "? " + sentence(capitalized(why))
}

func capitalized(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

const maxFiles = 5

// namedFiles lists the files of an effect that match the paths in a guideline's condition.
func namedFiles(g *guideline.Guideline, e *effect.Effect) string {
	var files []string
	for _, file := range e.Related {
		for _, text := range g.Condition.Paths {
			glob, err := pattern.CompileGlob(text)
			if err == nil && glob.MatchPath(pattern.Path{Name: file, Tree: true, Glob: strings.ContainsAny(file, "*?")}) {
				files = addOnce(files, oneLine(file))
			}
		}
	}
	if n := len(files) - maxFiles; n > 0 {
		files = append(files[:maxFiles:maxFiles], strconv.Itoa(n)+" more")
	}
	last := len(files) - 1
	if last < 1 {
		return strings.Join(files, "")
	}
	return strings.Join(files[:last], ", ") + " and " + files[last]
}

// order() turns a description of a call into an instruction: "deletes a; reads b" becomes "Delete a; read b".
func order(text string) string {
	parts := strings.Split(text, "; ")
	for i, action := range parts {
		verb, rest, _ := strings.Cut(action, " ")
		base, whole := baseForm(verb), hasSubject(action)
		switch {
		case base != "" && !whole:
			parts[i] = strings.TrimSpace(base + " " + rest)
		case i == 0 && whole:
			parts[i] = "allow a call although " + action
		case i == 0:
			parts[i] = "allow a call that " + action
		}
	}
	return capitalized(strings.Join(parts, "; "))
}

// hasSubject reports whether a description of a call is a whole sentence, such as "the command is larger than 128 KiB",
// rather than only a verb and its object. The subject of such a sentence begins with "the" or is the name of a tool.
func hasSubject(action string) bool {
	return strings.HasPrefix(action, "the ") || action != "" && action[0] <= 'Z'
}

// baseForm returns the base form of a verb: "reads" becomes "read". For any other word, it returns "".
func baseForm(verb string) string {
	switch {
	case verb == "is", verb == "has", verb == "does", !strings.HasSuffix(verb, "s"):
		return ""
	case strings.HasSuffix(verb, "ies"):
		return verb[:len(verb)-3] + "y"
	}
	for _, ending := range [...]string{"sses", "xes", "ches", "shes", "oes"} {
		if strings.HasSuffix(verb, ending) {
			return verb[:len(verb)-2]
		}
	}
	return verb[:len(verb)-1]
}
