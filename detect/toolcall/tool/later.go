package tool

// later.go judges the commands that a call writes into a file whose commands run later: scripts of package.json, recipes
// of a Makefile, steps of CI, and tasks of an editor. A person would be asked about most of these commands if the agent
// ran them itself, for example about a deployment. In such a file, only commands with which an attack begins count.

import (
	"path"
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
	taskRunner
	ciRunner
	editorRunner
)

// runnerOf returns what runs the commands of the file with this path.
func runnerOf(name string) runner {
	base := trace.BaseName(name)
	switch {
	case base == "package.json" || base == "composer.json":
		return packageRunner
	case base == words.Among(base, "Makefile makefile GNUmakefile justfile Justfile .justfile"):
		return recipeRunner
	case base == words.Among(base, "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml"):
		return taskRunner
	case trace.InFolder(name, ".github/workflows") || trace.InFolder(name, ".gitea/workflows") ||
		trace.InFolder(name, ".forgejo/workflows") || trace.InFolder(name, ".circleci") ||
		base == words.Among(base, ".gitlab-ci.yml azure-pipelines.yml bitbucket-pipelines.yml .travis.yml .drone.yml "+
			"action.yml action.yaml"):
		return ciRunner
	case base == words.Among(base, "devcontainer.json .devcontainer.json"),
		base == "tasks.json" && trace.InFolder(name, ".vscode"):
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

// signs lists texts of which most commands that count have one. Only commands with such a text are analyzed.
const signs = "curl wget nc socat /dev/ http rm del Remove- env secret ssh scp rsync ftp telnet openssl iwr .aws .npmrc " +
	"guardrails .claude socket fetch base64 mail"

// noteLater adds the events of commands that a call writes into a file, if the file's commands run later. The parameter
// at is the index of the effect of the write.
func noteLater(t *trace.Trace, call *toolCall, v trace.Value, at int, span effect.Span) {
	r := runnerOf(t.Effects[at].Path)
	if r == noRunner {
		return
	}
	abs := t.Place(v, call.sc).Abs
	before, after := call.changes(t, abs)
	if !t.Spend((len(before) + len(after)) / 4) {
		t.Effects[at].Note("writes more commands than can be analyzed", effect.TooLarge)
		return
	}
	switch {
	case r == editorRunner && startsTask(before, after):
		t.Effects[at].Note("writes a task that runs when the folder is opened", effect.StartupChange)
	case r == ciRunner && trustsStrangers(after) && !trustsStrangers(before):
		t.Effects[at].Note("lets code of strangers run with the permissions of the repository", effect.PrivilegeGain)
	}
	known := map[string]bool{}
	for _, command := range commandsIn(before, r) {
		known[command] = true
	}
	sc := call.sc.Sub()
	if r == packageRunner || r == recipeRunner || r == taskRunner {
		sc.Cwd = path.Dir(abs)
	}
	for _, command := range commandsIn(after, r) {
		if !known[command] {
			known[command] = true
			judgeLater(t, sc, r, command, at, span)
		}
	}
}

// changes returns the text of a file before and after a call. If the file cannot be read, it returns the texts that the
// call replaces and the texts that it writes.
func (c *toolCall) changes(t *trace.Trace, abs string) (before, after string) {
	edits, lists := []*toolCall{c}, 0
	for _, m := range c.args {
		if m.Name != "edits" {
			continue
		}
		if lists++; lists == 1 && c.name == "MultiEdit" {
			edits = nil
		}
		list, _ := document.Members(m.Raw)
		for _, edit := range list {
			args, _ := document.Members(edit.Raw)
			edits = append(edits, &toolCall{name: "Edit", args: args})
		}
	}
	if before, after, ok := wholeChange(t, abs, edits); ok && lists < 2 {
		return before, after
	}
	var replaced, written []string
	for _, edit := range append(edits, c) {
		old := edit.texts("old_string")
		if lists < 2 && len(old) < 2 { // the client uses only one of several texts
			replaced = append(replaced, old...)
		}
		written = append(append(written, edit.texts("content")...), edit.texts("new_string")...)
	}
	return strings.Join(replaced, "\n"), strings.Join(written, "\n")
}

// wholeChange returns the whole text of a file before and after edits. It returns false if one of these texts is unknown.
func wholeChange(t *trace.Trace, abs string, edits []*toolCall) (before, after string, ok bool) {
	if t.Env.Script == nil {
		return "", "", false
	}
	disk, there := t.Env.Script(abs, maxServers)
	if !there && len(disk) > 0 {
		return "", "", false
	}
	text := disk
	for _, edit := range edits {
		old := strings.Join(edit.texts("old_string"), "")
		if edit.name != "Write" && !strings.Contains(string(text), old) || !t.Spend(len(text)/4) {
			return "", "", false
		}
		if text, ok = edit.textAfter(text); !ok {
			return "", "", false
		}
	}
	return string(disk), string(text), len(edits) > 0
}

// judgeLater analyzes a command, and adds the events that count to the effect of the write. The command itself has no
// effects now. The scripts that it names are judged when they run.
func judgeLater(t *trace.Trace, sc *trace.Scope, r runner, command string, at int, span effect.Span) {
	if len(command) > trace.MaxCommandSize {
		t.Effects[at].Note("writes a command that is too large to be analyzed", effect.TooLarge)
		return
	}
	first, commands, script := len(t.Effects), t.Commands, t.Env.Script
	t.Env.Script = nil
	t.RunText(&trace.Command{Scope: sc, Span: span, Run: at}, trace.Value{Text: withoutExpressions(command)})
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

// startsTask reports whether a file of an editor has a new or changed task that runs when the folder is opened.
func startsTask(before, after string) bool {
	before, after = compact([]byte(before)), compact([]byte(after))
	for i, n := 0, 0; ; i, n = i+1, n+1 {
		next := strings.Index(after[i:], `"folderOpen"`)
		if next < 0 {
			return false
		}
		i += next
		start, end := taskAround(after, i)
		if n == maxTasks || !strings.Contains(before, after[start:end]) {
			return true
		}
	}
}

// These are the limits for the tasks that run when the folder is opened: their number, and the bytes on each side of
// "folderOpen" that are compared.
const (
	maxTasks = 64
	maxTask  = 16 << 10
)

// taskAround returns the beginning and the end of a task. The task contains an object with the position i, which says
// when the task runs. If a part of the task is missing, as in an edit, the task reaches to the end of the text.
func taskAround(text string, i int) (start, end int) {
	start, end = i, i
	for open := 2; start > max(0, i-maxTask) && open > 0; {
		switch start--; text[start] {
		case '{':
			open--
		case '}':
			open++
		}
	}
	for open := 2; end < min(len(text), i+maxTask) && open > 0; end++ {
		switch text[end] {
		case '}':
			open--
		case '{':
			open++
		}
	}
	return start, end
}

// trustsStrangers reports whether a workflow runs the code of pull requests with the permissions of the repository.
func trustsStrangers(text string) bool {
	if !strings.Contains(text, "pull_request_target") {
		return false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " -")
		if strings.Contains(line, "write-all") || strings.Contains(line, ".head.") && !strings.HasPrefix(line, "if:") &&
			!strings.HasPrefix(line, "group:") {
			return true
		}
	}
	return false
}
