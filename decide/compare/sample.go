package compare

import (
	"strings"

	"guardrails/detect/toolcall"
	"guardrails/guideline/pattern"
)

// samplePath returns a path that matches a pattern, or "" if it finds none.
func samplePath(text string) string {
	glob, err := pattern.CompileGlob(text)
	if err != nil {
		return ""
	}
	if path := plain(text, "x"); glob.Match(path) {
		return path
	}
	return ""
}

// plain() removes the wildcards from a pattern. It replaces each group of alternatives with the first alternative, and
// each star with the text in filler.
func plain(pattern, filler string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*':
			if i == 0 || pattern[i-1] != '*' {
				b.WriteString(filler)
			}
		case '?':
			b.WriteByte('x')
		case '[':
			end := strings.IndexByte(pattern[i:], ']')
			if end < 2 || pattern[i+1] == '!' {
				b.WriteByte('x')
			} else {
				b.WriteByte(pattern[i+1])
			}
			i += max(end, 0)
		case '{':
			end := strings.IndexByte(pattern[i:], '}')
			first, _, several := strings.Cut(pattern[i+1:max(i+end, i+1)], ",")
			if !several {
				b.WriteByte(c)
				continue
			}
			b.WriteString(plain(first, filler))
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// sampleCall returns a call that matches a tool pattern. If it finds none, the result "tool" is empty.
func sampleCall(text string) (tool string, input []byte) {
	p, err := pattern.CompileTool(text)
	if err != nil {
		return "", nil
	}
	_, spec, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	tool = plain(p.Name, "x")
	switch p.Spec {
	case pattern.PathSpec:
		if path := samplePath(spec); path != "" {
			return tool, object(toolcall.PathArgument(tool), path)
		}
		return "", nil
	case pattern.CommandSpec:
		return tool, object("command", sampleCommand(spec))
	case pattern.HostSpec:
		return tool, object("url", "https://"+plain(strings.TrimPrefix(spec, "domain:"), "x")+"/")
	case pattern.NameSpec:
		return tool, object("subagent_type", plain(spec, "x"))
	}
	return sampleUse(tool)
}

// sampleCommand returns a command that matches a pattern. For the pattern "npm test:*", it returns "npm test".
func sampleCommand(spec string) string {
	command := strings.Join(strings.Fields(plain(strings.TrimSuffix(spec, ":*"), "")), " ")
	if command == "" {
		return "make"
	}
	return command
}

// sampleUse returns a call that matches a pattern without parentheses. Such a pattern is the name of a tool.
func sampleUse(tool string) (string, []byte) {
	switch pattern.FamilyOf(tool) {
	case pattern.ReadFamily, pattern.WriteFamily:
		return tool, object(toolcall.PathArgument(tool), "x")
	case pattern.CommandFamily:
		return tool, object("command", "make")
	case pattern.FetchFamily:
		return tool, object("url", "https://example.com/")
	}
	if strings.HasPrefix(tool, "mcp__") && strings.Count(tool, "__") == 1 {
		tool += "__x"
	}
	return tool, []byte("{}")
}
