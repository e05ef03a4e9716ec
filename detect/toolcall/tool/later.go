package tool

// later.go judges the commands that a call writes into a file whose commands run later: scripts of package.json, recipes
// of a Makefile, steps of CI, and tasks of an editor. Most of these commands would be asked about if the agent ran them
// itself, for example a deployment. Only commands with which an attacker would start count here.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// runner is what runs the commands of a file.
type runner uint8

const (
	noRunner runner = iota
	packageRunner
	recipeRunner
	ciRunner
	editorRunner
)

// runnerOf returns what runs the commands of the file with a path.
func runnerOf(path string) runner {
	base := trace.BaseName(path)
	switch {
	case base == "package.json" || base == "composer.json":
		return packageRunner
	case base == words.Among(base, "Makefile makefile GNUmakefile justfile Justfile"):
		return recipeRunner
	case trace.InFolder(path, ".github/workflows") || trace.InFolder(path, ".circleci") ||
		base == words.Among(base, ".gitlab-ci.yml azure-pipelines.yml bitbucket-pipelines.yml .travis.yml .drone.yml"):
		return ciRunner
	case base == "devcontainer.json" || base == "tasks.json" && trace.InFolder(path, ".vscode"):
		return editorRunner
	}
	return noRunner
}

// countsFor reports whether an event of a command counts if a runner runs the command later.
func (r runner) countsFor(event effect.Event) bool {
	switch event {
	case effect.SecretSend, effect.ReverseShell, effect.GuardTamper:
		return true
	case effect.SystemDelete, effect.PipeToShell:
		// The machines of CI are thrown away, and recipes such as "make uninstall" are judged when they run.
		return r == packageRunner || r == editorRunner
	}
	return false
}

// maxLater is the maximum number of bytes of new text that are judged.
const maxLater = 16 << 10

// noteLater adds the events of commands that a call writes into a file, if the file's commands run later.
func noteLater(t *trace.Trace, call *toolCall, span effect.Span) {
	at := len(t.Effects) - 1
	r := runnerOf(t.Effects[at].Path)
	if r == noRunner {
		return
	}
	for _, text := range append(call.texts("content"), call.texts("new_string")...) {
		text = text[:min(len(text), maxLater)]
		switch {
		case r == editorRunner && strings.Contains(text, `"folderOpen"`):
			t.Effects[at].Note("writes a task that runs when the folder is opened", effect.StartupChange)
		case r == ciRunner && strings.Contains(text, "pull_request_target") &&
			(strings.Contains(text, ".head.") || strings.Contains(text, "write-all")):
			t.Effects[at].Note("gives code of strangers the rights of the repository", effect.PrivilegeGain)
		}
		for _, command := range commandsIn(text, r) {
			judgeLater(t, call, r, command, at, span)
		}
	}
}

// judgeLater analyzes a command, and adds the events that count to the effect of the write. The command itself has no
// effects now.
func judgeLater(t *trace.Trace, call *toolCall, r runner, command string, at int, span effect.Span) {
	first, commands := len(t.Effects), t.Commands
	t.RunText(&trace.Command{Scope: call.sc.Sub(), Span: span, Run: at}, trace.Value{Text: command})
	for _, e := range t.Effects[first:] {
		for _, event := range e.Events {
			if r.countsFor(event) {
				t.Effects[at].Note("writes a command that runs later and "+e.Reason, event)
			}
		}
	}
	t.Effects, t.Commands = t.Effects[:first], commands
}

// commandsIn returns the texts in a file that may be commands.
func commandsIn(text string, r runner) (list []string) {
	if r == packageRunner || r == editorRunner {
		return valuesOf(text)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-@ ")
		if key, rest, ok := strings.Cut(line, ": "); ok && words.OneOf(key, "run script command before_script after_script") {
			line = strings.Trim(rest, `'" |>`)
		}
		if line != "" && line[0] != '#' {
			list = append(list, withoutExpressions(line))
		}
	}
	return list
}

// valuesOf returns the texts in JSON that are values. The JSON may be a part of a document, as in an edit.
func valuesOf(text string) (list []string) {
	for {
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
			return list
		}
		value, ok := document.Text([]byte(text[start : end+1]))
		text = text[end+1:]
		if ok && strings.Contains(value, " ") && !strings.HasPrefix(strings.TrimLeft(text, " "), ":") {
			list = append(list, value)
		}
	}
}

// withoutExpressions replaces each expression ${{ … }} of a CI file by shell code that has a value of the same kind: all
// secrets, a key, or something else.
func withoutExpressions(line string) string {
	before, rest, found := strings.Cut(line, "${{")
	inside, after, closed := strings.Cut(rest, "}}")
	if !found || !closed {
		return line
	}
	value := "$CI_TOKEN"
	inside = strings.ToLower(strings.TrimSpace(inside))
	switch {
	case strings.HasPrefix(inside, "tojson(secrets"):
		value = "$(cat .env)"
	case strings.HasPrefix(inside, "secrets.") && (strings.HasSuffix(inside, "_key") || strings.HasSuffix(inside, "password")):
		value = "$AWS_SECRET_ACCESS_KEY"
	}
	if strings.HasSuffix(before, "'") && strings.HasPrefix(after, "'") { // CI replaces expressions in single quotes too
		before, after = before[:len(before)-1], after[1:]
	}
	return before + value + withoutExpressions(after)
}
