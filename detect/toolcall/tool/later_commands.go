package tool

// later_commands.go finds the commands in files whose commands run later.

import (
	"strings"

	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// commandsIn returns the texts in a file that may be commands. The result "set" is shell code that sets the
// variables that hold all secrets. This code belongs before every command.
func commandsIn(text string, r runner) (set string, list []string) {
	if r == packageRunner || r == editorRunner {
		return "", valuesOf(text)
	}
	if r == promptRunner { // as in !`git status`
		for i, part := range strings.Split(text, "!`") {
			if command, _, ok := strings.Cut(part, "`"); ok && i > 0 {
				list = append(list, command)
			}
		}
		return "", list
	}
	if r == recipeRunner {
		text = strings.ReplaceAll(text, "$$", "$")
	}
	lines := strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n")
	var end int
	for i := 0; i < len(lines); i = end {
		line := strings.TrimRight(lines[i], " \t\r")
		command := strings.TrimLeft(line, "-@ \t")
		indent := len(line) - len(command)
		end = i + 1
		if command == "" || command[0] == '#' {
			continue
		}
		if r == jenkinsRunner {
			list = append(list, quotedTexts(command)...)
		}
		key, rest, ok := strings.Cut(command, ": ")
		deeper := r != recipeRunner // the command continues on the lines that are indented deeper
		switch {
		case ok && words.OneOf(key, "run script command before_script after_script cmd sh bash entry"):
			command = rest
		case r == ciRunner && ok && len(set) <= maxSet && valueOf(rest) == allSecrets &&
			strings.Trim(key, letters) == "":
			set += key + "=" + allSecrets + "; "
			continue
		case command[0] == '|' || command[0] == '>': // an item of a list
			indent = strings.IndexByte(line, '-')
		default:
			deeper = false
		}
		for deeper && end < len(lines) {
			inner := strings.TrimLeft(lines[end], " \r")
			if inner != "" && len(lines[end])-len(inner) <= indent {
				break
			}
			end++
		}
		separator := " "
		if strings.Trim(command, "|>+-0123456789 ") == "" {
			if strings.Contains(command, "|") {
				separator = "\n"
			}
			command = ""
		}
		command = strings.TrimSpace(command + separator + strings.Join(lines[i+1:end], separator))
		if last := len(command) - 1; last > 0 && command[0] == command[last] && strings.ContainsAny(command[:1], `"'`) {
			command = command[1:last]
		}
		list = append(list, command)
	}
	return set, list
}

// quotedTexts returns the texts between quotes in a line. In a Jenkinsfile, such a text may be a command, as in
// sh 'make'.
func quotedTexts(line string) (list []string) {
	for i := 0; i < len(line); i++ {
		if c := line[i]; c == '\'' || c == '"' {
			end := i + 1
			for end < len(line) && line[end] != c {
				if line[end] == '\\' {
					end++
				}
				end++
			}
			text := line[i+1 : min(end, len(line))]
			list = append(list, strings.ReplaceAll(text, `\"`, `"`))
			i = end
		}
	}
	return list
}

// maxSet is the maximum size in bytes of the text that sets variables.
const maxSet = 8 << 10

// valuesOf returns the texts in JSON that are values. The JSON may be a part of a document, as in an edit. If the JSON
// begins inside a text, each part between quotes counts.
func valuesOf(text string) (list []string) {
	if begin := strings.TrimSpace(text); begin != "" && strings.IndexByte("\"{[", begin[0]) < 0 {
		list = strings.Split(text, `"`)
	}
	for key := ""; ; {
		start := strings.IndexByte(text, '"')
		if start < 0 {
			return list
		}
		end := start + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			text += `"` // an edit can end inside a text
			end = len(text) - 1
		}
		value, ok := document.Text([]byte(text[start : end+1]))
		text = text[end+1:]
		if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), ":") {
			key = value
		} else if ok && !words.OneOf(key, "name description homepage url author license keywords") {
			list = append(list, value)
		}
	}
}

// allSecrets is the shell code for the value of an expression that stands for all secrets of a repository.
const allSecrets = "$(cat .env)"

// withoutExpressions replaces each expression ${{ … }} of a CI file by shell code that has a value of the same kind:
// one secret, all secrets, or something else. Expressions in single quotes are replaced too, because CI also replaces
// them.
func withoutExpressions(text string) string {
	var b strings.Builder
	var quotes words.Quotes
	for {
		before, rest, found := strings.Cut(text, "${{")
		inside, after, closed := strings.Cut(rest, "}}")
		if !found || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		quotes.Read(before)
		b.WriteString(quotes.Within(valueOf(inside)))
		text = after
	}
}

// valueOf returns the shell code for the value of an expression.
func valueOf(expression string) string {
	expression = strings.ReplaceAll(strings.ToLower(expression), " ", "")
	if strings.Contains(strings.ReplaceAll(expression, "(secrets.", "(."), "(secrets") || // as in toJSON(secrets)
		strings.Contains(expression, "secrets[") || strings.Contains(expression, "secrets.*") {
		return allSecrets
	}
	if _, name, ok := strings.Cut(expression, "secrets."); ok {
		return "$" + strings.ToUpper(name[:len(name)-len(strings.TrimLeft(name, letters))])
	}
	return "$CI_VALUE"
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
