package tool

// later_commands.go finds the commands in files whose commands run later.

import (
	"strings"

	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// commandsIn returns the texts in a file that may be commands with one of the signs.
func commandsIn(text string, r runner) (list []string) {
	switch r {
	case packageRunner, editorRunner:
		list = valuesOf(text)
	case recipeRunner:
		text = strings.ReplaceAll(strings.ReplaceAll(text, "$$", "$"), "\\\n", " ")
		for line := range strings.Lines(text) {
			list = append(list, strings.TrimLeft(strings.TrimSpace(line), "-@ "))
		}
	default:
		return stepsIn(text)
	}
	return withSigns(list, "")
}

// withSigns returns the commands that have one of the signs, each after the text before.
func withSigns(list []string, before string) (out []string) {
	for _, command := range list {
		if hasSign(command) && command[0] != '#' {
			out = append(out, before+command)
		}
	}
	return out
}

func hasSign(command string) bool {
	for sign := range strings.SplitSeq(signs, " ") {
		if strings.Contains(command, sign) {
			return true
		}
	}
	return false
}

// stepsIn returns the commands in a YAML file of CI. The lines of a block are one command. Variables that hold all
// secrets are set before every command.
func stepsIn(text string) []string {
	var list []string
	variables := ""
	lines := strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n")
	for len(lines) > 0 {
		line := strings.TrimRight(lines[0], " \t\r")
		lines = lines[1:]
		command := strings.TrimLeft(line, "- ")
		indent := len(line) - len(command)
		key, rest, ok := strings.Cut(command, ": ")
		switch {
		case ok && words.OneOf(key, "run script command before_script after_script cmd sh bash"):
			command = strings.TrimLeft(rest, " ")
		case ok && isName(key) && valueOf(rest) == allSecrets && strings.HasPrefix(strings.TrimLeft(rest, " \"'"), "${{"):
			variables += key + "=" + allSecrets + "; "
			continue
		case strings.HasPrefix(command, "|") || strings.HasPrefix(command, ">"): // a list item that is a block
			indent = len(line) - len(strings.TrimLeft(line, " "))
		default:
			list = append(list, unquoted(command))
			continue
		}
		separator, isBlock := " ", strings.Trim(command, "|>+-0123456789") == ""
		if strings.HasPrefix(command, "|") && isBlock {
			separator = "\n"
		}
		if isBlock {
			command = ""
		}
		var b strings.Builder
		b.WriteString(unquoted(command))
		for len(lines) > 0 {
			inner := strings.TrimSpace(lines[0])
			if inner != "" && len(lines[0])-len(strings.TrimLeft(lines[0], " ")) <= indent {
				break
			}
			lines = lines[1:]
			if inner != "" && inner[0] != '#' {
				if b.Len() > 0 {
					b.WriteString(separator)
				}
				b.WriteString(inner)
			}
		}
		list = append(list, unquoted(b.String()))
	}
	return withSigns(list, variables)
}

// unquoted removes the quotes around a text.
func unquoted(text string) string {
	if last := len(text) - 1; last > 0 && text[0] == text[last] && (text[0] == '\'' || text[0] == '"') {
		return text[1:last]
	}
	return text
}

// valuesOf returns the texts in JSON that are values. The JSON may be a part of a document, as in an edit. If it begins
// inside a text, each part between quotes counts.
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

// allSecrets is the shell code for the value of an expression that has all secrets of a repository.
const allSecrets = "$(cat .env)"

// withoutExpressions replaces each expression ${{ … }} of a CI file by shell code that has a value of the same kind: one
// secret, all secrets, or something else. CI replaces expressions in single quotes too.
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
	expression = words.Replace(strings.ToLower(expression), " ", "", "\t", "", "\n", "")
	for _, part := range strings.Split(expression, "(secrets")[1:] {
		if !strings.HasPrefix(part, ".") { // as in toJSON(secrets)
			return allSecrets
		}
	}
	if strings.Contains(expression, "secrets[") || strings.Contains(expression, "secrets.*") {
		return allSecrets
	}
	if _, name, ok := strings.Cut(expression, "secrets."); ok {
		return "$" + strings.ToUpper(name[:len(name)-len(strings.TrimLeft(name, letters))])
	}
	return "$CI_VALUE"
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

func isName(text string) bool { return strings.Trim(text, letters) == "" }
