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

// allSigns lists texts of which most commands that count have one. Only commands with such a text are analyzed.
const allSigns = "curl wget nc socat /dev/ http rm del Remove- env secret ssh scp rsync ftp telnet openssl iwr .aws " +
	".npmrc guardrails .claude socket fetch base64 mail"

// noteLater adds the events of commands that a call writes into a file, if the file's commands run later. The parameter
// at is the index of the effect of the write.
func noteLater(t *trace.Trace, call *toolCall, v trace.Value, at int, span effect.Span) {
	r := runnerOf(t.Effects[at].Path)
	if r == noRunner {
		return
	}
	abs := t.Place(v, call.sc).Abs
	before, after := call.changes(t, abs)
	if !t.Spend((len(before) + len(after)) * trace.StepsOfByte) {
		t.Effects[at].Note("writes more commands than can be analyzed", effect.TooLarge)
		return
	}
	if r == ciRunner && trustsStrangers(after) && !trustsStrangers(before) {
		t.Effects[at].Note("lets code of strangers run with the permissions of the repository", effect.PrivilegeGain)
	}
	known := map[string]bool{}
	setBefore, old := commandsIn(before, r)
	set, list := commandsIn(after, r)
	if set == setBefore {
		for _, command := range old {
			known[command] = true
		}
	}
	sc, signs := call.sc.Sub(), strings.Split(allSigns, " ")
	if r != ciRunner && r != editorRunner {
		sc.Cwd = path.Dir(abs)
	}
	for _, command := range list {
		if known[command] {
			continue
		}
		known[command] = true
		if r == editorRunner && strings.Contains(after, `"folderOpen"`) {
			t.Effects[at].Note("writes a task that runs when the folder is opened", effect.StartupChange)
		}
		if !hasSign(command, signs) {
			continue
		}
		if t.Full || len(set) > maxSet || len(set)+len(command) > trace.MaxCommandSize {
			t.Effects[at].Note("writes a command that is too large to be analyzed", effect.TooLarge)
			return
		}
		judgeLater(t, sc, r, set+command, at, span)
	}
}

func hasSign(command string, signs []string) bool {
	for _, sign := range signs {
		if strings.Contains(command, sign) {
			return true
		}
	}
	return false
}

// changes returns the text of a file before and after a call. If the file cannot be read, it returns the texts that the
// call replaces and the texts that it writes.
func (c *toolCall) changes(t *trace.Trace, abs string) (before, after string) {
	var edits []*toolCall
	all, lists := &toolCall{args: c.args}, 0
	for _, m := range c.args {
		if m.Name == "edits" {
			lists++
			list, _ := document.Members(m.Raw)
			for _, edit := range list {
				args, _ := document.Members(edit.Raw)
				all.args, edits = append(all.args, args...), append(edits, &toolCall{name: "Edit", args: args})
			}
		}
	}
	if lists == 0 {
		edits = append(edits, c)
	}
	var text []byte
	whole := t.Env.Script != nil && lists < 2
	if whole {
		text, whole = t.Env.Script(abs, maxServers)
		before = string(text)
		whole = whole || before == ""
	}
	for _, edit := range edits {
		old := edit.texts("old_string")
		if whole && t.Spend(len(text)/4) && (len(old) == 0 || strings.Contains(string(text), old[0])) {
			text, whole = edit.textAfter(text)
		} else {
			whole = false
		}
	}
	if whole {
		return before, string(text)
	}
	replaced := all.texts("old_string")
	if lists > 1 || len(replaced) > len(edits) { // the client uses only one of several texts
		replaced = nil
	}
	return strings.Join(replaced, "\n"), strings.Join(append(all.texts("content"), all.texts("new_string")...), "\n")
}

// judgeLater analyzes a command, and adds the events that count to the effect of the write. The command itself has no
// effects now. The scripts that it names are judged when they run.
func judgeLater(t *trace.Trace, sc *trace.Scope, r runner, command string, at int, span effect.Span) {
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

// trustsStrangers reports whether a workflow runs the code of pull requests with the permissions of the repository.
func trustsStrangers(text string) bool {
	if !strings.Contains(text, "pull_request_target") {
		return false
	}
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimLeft(line, " -")
		if strings.Contains(line, "write-all") || strings.Contains(line, ".head.") && !strings.HasPrefix(line, "if:") &&
			!strings.HasPrefix(line, "group:") {
			return true
		}
	}
	return false
}
