package tool

// later.go judges the commands that a call writes into a file whose commands run later: scripts of package.json, recipes
// of a Makefile, steps of CI, and tasks of an editor. A person would be asked about most of these commands if the agent
// ran them itself, for example about a deployment. In such a file, only commands with which an attack begins count.

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
	case base == words.Among(base, "Makefile makefile GNUmakefile justfile Justfile .justfile Taskfile.yml"):
		return recipeRunner
	case trace.InFolder(path, ".github/workflows") || trace.InFolder(path, ".gitea/workflows") ||
		trace.InFolder(path, ".circleci") || base == words.Among(base, ".gitlab-ci.yml azure-pipelines.yml "+
		"bitbucket-pipelines.yml .travis.yml .drone.yml action.yml"):
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

// signs lists texts of which every command that counts has one. Only commands with such a text are analyzed.
const signs = "curl wget nc socat /dev/ http rm del Remove- env secret .ssh .aws .npmrc guardrails .claude socket fetch " +
	"base64 mail"

// noteLater adds the events of commands that a call writes into a file, if the file's commands run later. The parameter
// at is the index of the effect of the write.
func noteLater(t *trace.Trace, call *toolCall, at int, span effect.Span) {
	path := t.Effects[at].Path
	r := runnerOf(path)
	if r == noRunner {
		return
	}
	before, texts := call.changes()
	if call.name == "Write" && t.Env.Script != nil {
		known, _ := t.Env.Script(t.Place(trace.Value{Text: path}, &trace.Scope{Cwd: t.Env.Root}).Abs, maxServers)
		before = string(known)
	}
	for _, text := range texts {
		if !t.Spend(len(text) / 4) {
			t.Effects[at].Note("writes more commands than can be analyzed", effect.TooLarge)
			return
		}
		switch {
		case r == editorRunner && strings.Contains(text, `"folderOpen"`):
			t.Effects[at].Note("writes a task that runs when the folder is opened", effect.StartupChange)
		case r == ciRunner && strings.Contains(text, "pull_request_target") &&
			(strings.Contains(text, ".head.") || strings.Contains(text, "write-all")):
			t.Effects[at].Note("lets code of strangers run with the permissions of the repository", effect.PrivilegeGain)
		}
		for _, command := range commandsIn(text, r) {
			if hasSign(command) && !strings.Contains(before, command) {
				judgeLater(t, call, r, command, at, span)
			}
		}
	}
}

// changes returns the texts that a call replaces, as one text, and the texts that it writes.
func (c *toolCall) changes() (before string, texts []string) {
	texts = append(c.texts("content"), c.texts("new_string")...)
	replaced := c.texts("old_string")
	for _, m := range c.args {
		if m.Name != "edits" {
			continue
		}
		list, _ := document.Members(m.Raw)
		for _, edit := range list {
			args, _ := document.Members(edit.Raw)
			inner := &toolCall{args: args}
			replaced, texts = append(replaced, inner.texts("old_string")...), append(texts, inner.texts("new_string")...)
		}
	}
	return strings.Join(replaced, "\n"), texts
}

func hasSign(command string) bool {
	for sign := range strings.SplitSeq(signs, " ") {
		if strings.Contains(command, sign) {
			return true
		}
	}
	return false
}

// judgeLater analyzes a command, and adds the events that count to the effect of the write. The command itself has no
// effects now. The scripts that it names are judged when they run.
func judgeLater(t *trace.Trace, call *toolCall, r runner, command string, at int, span effect.Span) {
	first, commands, script := len(t.Effects), t.Commands, t.Env.Script
	t.Env.Script = nil
	t.RunText(&trace.Command{Scope: call.sc.Sub(), Span: span, Run: at}, trace.Value{Text: withoutExpressions(command)})
	for _, e := range t.Effects[first:] {
		for _, event := range e.Events {
			if r.countsFor(event) {
				t.Effects[at].Note("writes a command that runs later and "+e.Reason, event)
			}
		}
	}
	if t.Full {
		t.Effects[at].Note("writes a command that is too complex to be analyzed", effect.TooLarge)
	}
	t.Effects, t.Commands, t.Env.Script = t.Effects[:first], commands, script
}

// commandsIn returns the texts in a file that may be commands.
func commandsIn(text string, r runner) (list []string) {
	if r == packageRunner || r == editorRunner {
		return valuesOf(text)
	}
	if r == recipeRunner {
		text = strings.ReplaceAll(text, "$$", "$")
	}
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-@ ")
		if key, rest, ok := strings.Cut(line, ": "); ok && words.OneOf(key, "run script command before_script after_script cmd") {
			line = strings.TrimLeft(rest, "|> ")
			if last := len(line) - 1; last > 0 && line[0] == line[last] && (line[0] == '\'' || line[0] == '"') {
				line = line[1:last]
			}
		}
		if line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
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
			return list
		}
		value, ok := document.Text([]byte(text[start : end+1]))
		text = text[end+1:]
		if strings.HasPrefix(strings.TrimLeft(text, " "), ":") {
			key = value
		} else if ok && !words.OneOf(key, "name description homepage url author license keywords") {
			list = append(list, value)
		}
	}
}

// withoutExpressions replaces each expression ${{ … }} of a CI file by shell code that has a value of the same kind: one
// secret, all secrets, or something else.
func withoutExpressions(line string) string {
	before, rest, found := strings.Cut(line, "${{")
	inside, after, closed := strings.Cut(rest, "}}")
	if !found || !closed {
		return line
	}
	value := "$CI_VALUE"
	inside = strings.TrimSpace(inside)
	if name, ok := strings.CutPrefix(inside, "secrets."); ok && strings.Trim(strings.ToUpper(name), letters) == "" {
		value = "$" + name
	} else if strings.Contains(inside, "secrets") {
		value = "$(cat .env)"
	}
	if strings.HasSuffix(before, "'") && strings.HasPrefix(after, "'") { // CI replaces expressions in single quotes too
		before, after = before[:len(before)-1], after[1:]
	}
	return before + value + withoutExpressions(after)
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
