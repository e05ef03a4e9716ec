package lint

import (
	"strings"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
	"guardrails/rules"
)

// subject is a guideline with its patterns made ready.
type subject struct {
	*rules.Source
	fields  guideline.Fields
	paths   []pathPattern
	allowed []toolPattern
	denied  []toolPattern
}

func newSubject(source *rules.Source) *subject {
	s := &subject{Source: source, fields: fieldsOf(&source.Condition)}
	for _, p := range source.Condition.Paths {
		s.paths = append(s.paths, newPathPattern(p))
	}
	s.allowed = toolPatterns(source.Action.ToolsAllowed)
	s.denied = toolPatterns(source.Action.ToolsDenied)
	return s
}

func fieldsOf(c *guideline.Condition) guideline.Fields {
	var set guideline.Fields
	add := func(isSet bool, field guideline.Fields) {
		if isSet {
			set |= field
		}
	}
	add(len(c.Agents) > 0, guideline.FieldAgent)
	add(len(c.Domains) > 0, guideline.FieldDomain)
	add(len(c.Actions) > 0, guideline.FieldAction)
	add(len(c.Paths) > 0, guideline.FieldPaths)
	add(len(c.Events) > 0, guideline.FieldEvent)
	add(len(c.GateTypes) > 0, guideline.FieldGateType)
	add(len(c.Custom) > 0, guideline.FieldMetadata)
	return set
}

// named reports whether the condition rests on what a tool call does and not only on who is at work.
func (s *subject) named() bool { return s.fields.Has(guideline.FieldPaths | guideline.FieldEvent) }

// precedes reports whether a guideline has its say before another.
func (s *subject) precedes(other *subject) bool {
	if s.Priority != other.Priority {
		return s.Priority > other.Priority
	}
	return s.ID < other.ID
}

// pathPattern is a glob with the text before its first wildcard, by which globs can be compared.
type pathPattern struct {
	text string
	glob *pattern.Glob
	head string
	// open is set when nothing but stars follow the head, plain when nothing follows.
	open, plain bool
}

func newPathPattern(text string) pathPattern {
	p := pathPattern{text: text}
	// What does not compile is no guideline and has been reported where it was read.
	p.glob, _ = pattern.CompileGlob(text)
	p.head, p.open, p.plain = headOf(text)
	return p
}

// headOf cuts a pattern at its first wildcard.
func headOf(text string) (head string, open, plain bool) {
	i := strings.IndexAny(text, "*?[{")
	if i < 0 {
		return text, false, true
	}
	return text[:i], strings.Trim(text[i:], "*") == "", false
}

// covers reports whether the pattern certainly matches whatever the other one does; it errs towards no.
func (p *pathPattern) covers(other *pathPattern) bool {
	switch {
	case p.text == other.text:
		return true
	case p.glob == nil:
		return false
	case other.plain:
		return p.glob.MatchPath(pattern.Path{Name: other.text})
	case pattern.IsRooted(other.text) != pattern.IsRooted(p.text) && p.head != "":
		return false
	default:
		return p.open && strings.HasPrefix(other.head, p.head)
	}
}

// meets reports whether some path could match both patterns; it errs towards yes.
func (p *pathPattern) meets(other *pathPattern) bool {
	if p.plain && other.plain {
		return p.text == other.text
	}
	return strings.HasPrefix(p.head, other.head) || strings.HasPrefix(other.head, p.head)
}

// toolPattern is a tool pattern with what stands in its parentheses.
type toolPattern struct {
	*pattern.Tool
	inside string
	path   pathPattern
}

func toolPatterns(texts []string) []toolPattern {
	var out []toolPattern
	for _, text := range texts {
		compiled, err := pattern.CompileTool(text)
		if err != nil {
			continue
		}
		_, inside, _ := strings.Cut(text, "(")
		p := toolPattern{Tool: compiled, inside: strings.TrimSpace(strings.TrimSuffix(inside, ")"))}
		if p.Spec == pattern.PathSpec {
			p.path = newPathPattern(p.asPath())
		}
		out = append(out, p)
	}
	return out
}

// asPath is the path as the tool pattern means it: ./ is the project's root, // the system's, and a folder everything
// in it.
func (p *toolPattern) asPath() string {
	text := strings.TrimPrefix(p.inside, "./")
	if strings.HasPrefix(text, "//") {
		text = text[1:]
	}
	if strings.HasSuffix(text, "/") {
		text += "*"
	}
	return text
}

// takesAll reports whether a denied pattern leaves nothing of what an allowed one gives. A bare star does not: it
// closes what is not allowed.
func (p *toolPattern) takesAll(allowed *toolPattern) bool {
	switch {
	case p.Everything():
		return false
	case p.String() == allowed.String():
		return true
	case p.Spec == pattern.NoSpec:
		return p.MatchTool(allowed.Name)
	case p.Spec != allowed.Spec || p.Family() != allowed.Family() || p.Family() == pattern.NoFamily && p.Name != allowed.Name:
		return false
	case p.Spec == pattern.PathSpec:
		return p.path.covers(&allowed.path)
	default:
		return p.coversWords(allowed)
	}
}

// coversWords compares what stands in the parentheses of two patterns that are no paths.
func (p *toolPattern) coversWords(allowed *toolPattern) bool {
	head, open, _ := headOf(p.inside)
	allowedHead, _, plain := headOf(allowed.inside)
	if plain {
		return p.MatchCommand(allowed.inside) || p.MatchName(allowed.inside)
	}
	// "git:*" also means what follows after a space.
	return open && strings.HasPrefix(strings.Replace(allowedHead, ":", " ", 1), strings.Replace(head, ":", " ", 1))
}
