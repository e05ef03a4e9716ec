package tool

// later.go judges the commands that a call writes into a file whose commands run later: scripts of package.json,
// recipes of a Makefile, steps of CI, and tasks of an editor. If the agent itself ran these commands, for example a
// deployment, a person would be asked about most of them. In such a file, only commands that can begin an attack count.

import (
	"path"
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// The type "runner" is the kind of program or service that runs the commands of a file.
type runner uint8

const (
	noRunner runner = iota
	packageRunner
	recipeRunner
	taskRunner
	ciRunner
	jenkinsRunner
	editorRunner
	cellRunner // the kernel of a notebook
	hookRunner // a program that runs commands at each commit
	// promptRunner is the client, which runs commands in its files of prompts. It also reads the files that these files
	// import. The guard does not see when the client does so.
	promptRunner
)

// runnerOf returns the runner of the commands in the file with this path.
func runnerOf(name string) runner {
	base := trace.BaseName(name)
	switch {
	case words.OneOf(base, "package.json composer.json .npmrc"):
		return packageRunner
	case base == words.Among(base, "Makefile makefile GNUmakefile justfile Justfile .justfile"):
		return recipeRunner
	case base == words.Among(base, "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml"):
		return taskRunner
	case trace.InFolder(name, ".github/workflows") || trace.InFolder(name, ".gitea/workflows") ||
		trace.InFolder(name, ".forgejo/workflows") || trace.InFolder(name, ".circleci") ||
		trace.InFolder(name, ".buildkite") || trace.InFolder(name, ".woodpecker") || trace.InFolder(name, ".semaphore") ||
		base == words.Among(base, ".gitlab-ci.yml azure-pipelines.yml bitbucket-pipelines.yml .travis.yml .drone.yml "+
			"action.yml action.yaml appveyor.yml .appveyor.yml cloudbuild.yaml buildspec.yml .woodpecker.yml"):
		return ciRunner
	case strings.HasPrefix(base, "Jenkinsfile"):
		return jenkinsRunner
	case base == words.Among(base, "lefthook.yml .lefthook.yml lefthook.yaml lefthook-local.yml .pre-commit-config.yaml"):
		return hookRunner
	case base == words.Among(base, "CLAUDE.md CLAUDE.local.md AGENTS.md"),
		strings.HasSuffix(base, ".md") && trace.InFolder(name, product.ClientFolder):
		return promptRunner
	case base == words.Among(base, "devcontainer.json .devcontainer.json"),
		base == words.Among(base, "tasks.json settings.json") && trace.InFolder(name, ".vscode"):
		return editorRunner
	}
	return noRunner
}

// countsFor reports whether an event of a command counts if a runner runs the command later.
func (r runner) countsFor(event effect.Event) bool {
	switch event {
	case effect.SecretSend, effect.ReverseShell, effect.GuardTamper:
		return true
	case effect.SecretAccess:
		return r == promptRunner
	case effect.OutsideDelete, effect.DestructiveOp, effect.ProjectDelete, effect.DeviceWrite, effect.DefenseOff,
		effect.TooLarge, effect.ResourceExhaust, effect.StartupChange, effect.HiddenExecution, effect.SystemChange,
		effect.PrivilegeGain, effect.ContainerEscape:
		return r == cellRunner
	case effect.SystemDelete, effect.PipeToShell:
		// The machines of CI are thrown away, and recipes such as "make uninstall" are judged when they run.
		switch r {
		case packageRunner, editorRunner, cellRunner, hookRunner, promptRunner:
			return true
		}
	}
	return false
}

// runsBeside reports whether the commands of a file run in the folder of this file. The other runners use the folder of
// the project.
func (r runner) runsBeside() bool {
	switch r {
	case packageRunner, recipeRunner, taskRunner, cellRunner, hookRunner:
		return true
	}
	return false
}

// allSigns lists texts. Nearly every command that can cause an event here contains one of these texts. Only commands
// that contain one are analyzed.
const allSigns = "curl wget nc socat /dev/ http rm del Remove- env secret ssh scp rsync ftp telnet openssl iwr .aws " +
	".npmrc guardrails .claude socket fetch base64 mail"

// noteLater adds the events of commands that a tool writes into a file, if the file's commands run later. The parameter
// "at" is the index of the effect that stands for the write.
func noteLater(t *trace.Trace, call *toolCall, v trace.Value, at int) {
	r := runnerOf(t.Effects[at].Path)
	if r == noRunner {
		return
	}
	w := written{at: at, runner: r, abs: t.Place(v, call.sc).Abs}
	w.before, w.after = call.changes(t, w.abs)
	noteCommands(t, w)
}

// noteLaterOfShell does the same as noteLater for the files that a shell command writes. It knows only what the command
// itself contains, for example the text of a here-document.
func noteLaterOfShell(t *trace.Trace) {
	root := &trace.Scope{Cwd: t.Env.Root}
	for i := 0; i < len(t.Effects) && len(t.Content) > 0; i++ {
		e := &t.Effects[i]
		text, ok := t.Content[e.Path]
		if !ok || e.Kind != effect.Write || e.Inert {
			continue
		}
		if e.Has(effect.StartupChange) && text.Known && text.Taint == 0 && isNewStartup(t, e.Path, text.Text) {
			e.Drop(effect.StartupChange)
			span := e.Span
			t.Within = &span
			t.Shell(text.Text, root, trace.Nothing())
			t.Within = nil
			continue
		}
		r := runnerOf(e.Path)
		if r != noRunner && text.Taint.Has(trace.FromNetwork) && isDownload(text.Text) {
			e.Note("replaces commands that run later with a download that nobody has reviewed", effect.PipeToShell)
		}
		if r == noRunner || !text.Known && text.Text == "" {
			continue
		}
		w := written{at: i, runner: r, abs: t.Place(trace.Value{Text: e.Path}, root).Abs}
		w.after = text.Text
		if t.Env.Script != nil {
			before, _ := t.Env.Script(w.abs, maxServers)
			w.before = string(before)
		}
		t.Forget(e.Path) // each file is judged once
		noteCommands(t, w)
	}
}

// isNewStartup reports whether a file is a git hook or a start-up file of a shell in a folder that the call has made with
// mktemp, and the call writes the file only once. Nobody else uses such a folder, so its commands count as commands of
// the call. The file must not define aliases or functions, which would change what later commands do.
func isNewStartup(t *trace.Trace, name, text string) bool {
	if !t.InNewFolder(name) || words.HasPart(text, "alias|(|function") ||
		!trace.InFolder(name, ".git/hooks") && !words.OneOf(trace.BaseName(name), trace.ShellStartup) {
		return false
	}
	writes := len(t.BroughtIn)
	for i := 1; i < len(t.Effects) && t.Spend(1); i++ {
		e := &t.Effects[i]
		_, inside := trace.Below(name, e.Path)
		program, _, _ := strings.Cut(t.Effects[i-1].Command, " ")
		makes := e.Path != name && words.OneOf(program, "git mkdir") // makes only the folder
		writes += words.Btoi(e.Kind == effect.Write && (inside && !makes || e.Glob || e.Unknown))
	}
	return writes == 1
}

// isDownload reports whether a text is unknown, or has a line that is unknown from its beginning.
func isDownload(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "$") && !strings.Contains(line, "=") {
			return true
		}
	}
	return text == ""
}

// The type "written" holds a change of a file whose commands run later.
type written struct {
	at            int // the index of the effect of the write
	runner        runner
	abs           string
	before, after string
}

// noteCommands adds the events of commands that are only in the new text of a file. The analysis treats the files that
// these commands write as existing files, but only for later commands in the text, not for the call itself.
func noteCommands(t *trace.Trace, w written) {
	defer apart(t)()
	r := w.runner
	if !t.Spend((len(w.before) + len(w.after)) * trace.StepsOfByte) {
		t.Effects[w.at].Note("writes more commands than can be analyzed", effect.TooLarge)
		return
	}
	e := &t.Effects[w.at]
	if r == ciRunner && trustsStrangers(w.after) && !trustsStrangers(w.before) {
		e.Note("lets code of strangers run with the permissions of the repository", effect.PrivilegeGain)
	}
	if r == editorRunner && approvesAll(w.after) && !approvesAll(w.before) {
		e.Note("lets the agent of an editor call tools without asking", effect.DefenseOff)
	}
	if r == ciRunner && includesStranger(w.after) && !includesStranger(w.before) {
		e.Note("lets another host decide which commands CI runs", effect.PipeToShell)
	}
	if secret := importedSecret(w.after); r == promptRunner && secret != "" && secret != importedSecret(w.before) {
		e.Note("makes the client read "+secret+", which holds secrets", effect.SecretAccess)
	}
	if strings.HasSuffix(w.abs, "/.npmrc") && trustsAnyHost(w.after) && !trustsAnyHost(w.before) {
		e.Note("lets npm install packages without transport security", effect.UntrustedSource)
	}
	known := map[string]bool{}
	setBefore, old := commandsIn(w.before, r)
	set, list := commandsIn(w.after, r)
	if set == setBefore {
		for _, command := range old {
			known[command] = true
		}
	}
	opens := strings.HasSuffix(w.abs, "tasks.json") && strings.Contains(w.after, `"folderOpen"`)
	sc, signs := &trace.Scope{Cwd: t.Env.Cwd}, strings.Split(allSigns, " ")
	if r.runsBeside() {
		sc.Cwd = path.Dir(w.abs)
	}
	for _, command := range list {
		if known[command] {
			continue
		}
		known[command] = true
		if opens {
			t.Effects[w.at].Note("writes a task that runs when the folder is opened", effect.StartupChange)
		}
		if !hasSign(command, signs) {
			continue
		}
		if t.Full || len(set) > maxSet || len(set)+len(command) > trace.MaxCommandSize {
			t.Effects[w.at].Note("writes a command that is too large to be analyzed", effect.TooLarge)
			return
		}
		judgeLater(t, sc, w, set+command)
		if r == ciRunner && !t.Effects[w.at].Has(effect.SecretSend) && !strings.Contains(command, allSecrets) &&
			strings.Contains(withoutExpressions(command), allSecrets) {
			t.Effects[w.at].Note("writes a step that prints all secrets of the repository", effect.SecretAccess)
		}
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

// changes() returns the text of a file before and after a call. If the file cannot be read, it returns the texts that
// the call replaces and the texts that it writes.
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

// apart() begins an analysis whose writes must not count as writes of the call. It returns a function that ends this
// analysis and restores the content that the call has written.
func apart(t *trace.Trace) (restore func()) {
	content := t.Content
	t.Content = trace.Clone(content)
	return func() { t.Content = content }
}

// judgeLater analyzes a command, and adds the events that count to the effect of the write. The command itself has no
// effects now. Scripts that the command would run are judged when they run.
func judgeLater(t *trace.Trace, sc *trace.Scope, w written, command string) {
	judgeEffects(t, w, func(c *trace.Command) {
		c.Scope = sc
		t.RunText(c, trace.Value{Text: withoutExpressions(command)})
	})
}

// judgeEffects does the same as judgeLater for any code that runs later. The function run() analyzes this code.
func judgeEffects(t *trace.Trace, w written, run func(*trace.Command)) {
	first, commands, script := len(t.Effects), t.Commands, t.Env.Script
	t.Env.Script = nil
	defer func() { t.Effects, t.Commands, t.Env.Script = t.Effects[:first], commands, script }()
	run(&trace.Command{Span: t.Effects[w.at].Span, Run: w.at})
	for _, e := range t.Effects[first:] {
		for _, event := range e.Events {
			if w.runner.countsFor(event) {
				t.Effects[w.at].Note("writes a command that runs later and "+e.Reason, event)
			}
		}
	}
	if t.Full {
		t.Effects[w.at].Note("writes a command that is too complex to be analyzed", effect.TooLarge)
	}
}

// noteCell adds the events of the code in a cell of a notebook. The kernel of the notebook runs the cell later.
func noteCell(t *trace.Trace, call *toolCall, v trace.Value, at int) {
	if kind := call.texts("cell_type"); slices.Contains(kind, "markdown") || slices.Contains(kind, "raw") ||
		slices.Contains(call.texts("edit_mode"), "delete") {
		return
	}
	w := written{at: at, runner: cellRunner}
	defer apart(t)()
	for _, source := range call.texts("new_source") {
		if !t.Spend(len(source) * trace.StepsOfByte) {
			return
		}
		judgeEffects(t, w, func(c *trace.Command) {
			c.Scope = &trace.Scope{Cwd: path.Dir(t.Place(v, call.sc).Abs)}
			argv := []trace.Value{{Text: "ipython"}, {Text: "-c"}, {Text: source}}
			t.Dispatch(argv, c.Span, c.Scope, trace.Streams{})
		})
	}
}

// approvesAll reports whether settings of an editor approve the calls of its agent.
func approvesAll(text string) bool {
	return strings.Contains(strings.Join(strings.Fields(text), ""), `utoApprove":true`)
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

// includesStranger reports whether a file of GitLab CI includes a file from a host that does not look like a forge.
func includesStranger(text string) bool {
	for _, address := range strings.Split(text, " remote:")[1:] {
		host := trace.HostOf(strings.TrimLeft(address, " \"'"))
		if host != "" && !strings.Contains(host, "git") {
			return true
		}
	}
	return false
}

// trustsAnyHost reports whether settings of npm turn off the check of the registry's identity.
func trustsAnyHost(text string) bool {
	return strings.Contains(words.Replace(text, " ", ""), "strict-ssl=false")
}

// importedSecret returns a file with secrets that a file of prompts imports, as in "@.env". If there is no such file, it
// returns "".
func importedSecret(text string) string {
	for _, word := range strings.Fields(text) {
		if len(word) > 1 && word[0] == '@' && strings.IndexByte("./~", word[1]) >= 0 && trace.IsSecret(word[1:]) {
			return word[1:]
		}
	}
	return ""
}
