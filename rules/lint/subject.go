package lint

import (
	"strings"

	"guardrails/guideline"
	"guardrails/guideline/pattern"
	"guardrails/internal/document"
	"guardrails/rules"
)

// The type "subject" is a guideline with its compiled patterns.
type subject struct {
	*rules.Source
	fields  guideline.Fields
	paths   []pathPattern
	allowed []toolPattern
	denied  []toolPattern
	asked   []toolPattern
}

func newSubject(source *rules.Source) *subject {
	s := &subject{Source: source, fields: fieldsOf(&source.Condition)}
	for _, p := range source.Condition.Paths {
		s.paths = append(s.paths, newPathPattern(p))
	}
	s.allowed = toolPatterns("action.tools_allowed", source.Action.ToolsAllowed)
	s.denied = toolPatterns("action.tools_denied", source.Action.ToolsDenied)
	s.asked = toolPatterns("action.tools_asked", source.Action.ToolsAsked)
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

// dependsOnCall reports whether the condition depends on what a tool call does, and not only on the task.
func (s *subject) dependsOnCall() bool {
	return s.fields.Has(guideline.FieldPaths | guideline.FieldEvent)
}

func (s *subject) precedes(other *subject) bool {
	if s.Priority != other.Priority {
		return s.Priority > other.Priority
	}
	return s.ID < other.ID
}

// pathPattern is a glob. Its head, the text before the first wildcard, is used to compare it with other globs.
type pathPattern struct {
	text string
	glob *pattern.Glob
	head string
	// The field "open" is set if only stars follow the head. The field "plain" is set if nothing follows the head.
	open, plain bool
}

func newPathPattern(text string) pathPattern {
	p := pathPattern{text: text}
	// A pattern that does not compile has already been reported when the file was read.
	p.glob, _ = pattern.CompileGlob(text)
	p.head, p.open, p.plain = headOf(text)
	return p
}

// headOf returns the text of a pattern before its first wildcard.
func headOf(text string) (head string, open, plain bool) {
	i := strings.IndexAny(text, "*?[{")
	if i < 0 {
		return text, false, true
	}
	return text[:i], strings.Trim(text[i:], "*") == "", false
}

// coversPattern reports whether the pattern certainly matches every path that the other pattern matches.
func (p *pathPattern) coversPattern(other *pathPattern) bool {
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

// mayMeet reports whether some path may match both patterns.
func (p *pathPattern) mayMeet(other *pathPattern) bool {
	if p.plain && other.plain {
		return p.text == other.text
	}
	return strings.HasPrefix(p.head, other.head) || strings.HasPrefix(other.head, p.head)
}

// toolPattern is a tool pattern. The field "inside" is the text in the pattern's parentheses.
type toolPattern struct {
	*pattern.Tool
	// The field "field" is the path of the field that has the pattern, such as action.tools_denied[0].
	field  string
	inside string
	path   pathPattern
}

func toolPatterns(field string, texts []string) []toolPattern {
	var out []toolPattern
	for i, text := range texts {
		compiled, err := pattern.CompileTool(text)
		if err != nil {
			continue
		}
		_, inside, _ := strings.Cut(text, "(")
		p := toolPattern{
			Tool: compiled, field: document.Index(field, i),
			inside: strings.TrimSpace(strings.TrimSuffix(inside, ")")),
		}
		if p.Spec == pattern.PathSpec {
			p.path = newPathPattern(p.asPath())
		}
		out = append(out, p)
	}
	return out
}

// asPath returns a tool pattern as a glob. In a tool pattern, ./ means the project's root, // means the root of the
// file system, and a folder means everything in it.
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

// deniesAllOf reports whether the denied pattern p covers everything that an allowed pattern covers. It returns
// false for a plain "*", which denies only tools that no allow list names.
func (p *toolPattern) deniesAllOf(allowed *toolPattern) bool {
	switch {
	case p.Everything():
		return false
	case p.String() == allowed.String():
		return true
	case p.Spec == pattern.NoSpec:
		return p.MatchTool(allowed.Name)
	case p.Spec != allowed.Spec || p.Family() != allowed.Family() || p.Family() == pattern.NoFamily &&
		p.Name != allowed.Name:
		return false
	case p.Spec == pattern.PathSpec:
		return p.path.coversPattern(&allowed.path)
	default:
		return p.coversWords(allowed)
	}
}

// coversWords does the work of deniesAllOf() for patterns that are not paths.
func (p *toolPattern) coversWords(allowed *toolPattern) bool {
	head, open, _ := headOf(p.inside)
	allowedHead, _, plain := headOf(allowed.inside)
	if plain {
		return p.MatchCommand(allowed.inside) || p.MatchName(allowed.inside)
	}
	// The pattern "git:*" also matches "git" followed by a space and arguments.
	return open && strings.HasPrefix(strings.Replace(allowedHead, ":", " ", 1), strings.Replace(head, ":", " ", 1))
}
