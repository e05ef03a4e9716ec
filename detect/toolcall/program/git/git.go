// Package git analyzes git commands: what they commit, push, discard or rewrite, and which settings run a command.
package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler returns the handler of git or of a program that rewrites git history, or nil.
func Handler(name string) trace.Handler {
	switch name {
	case "git", "git.exe":
		return git
	case "bfg":
		return func(t *trace.Trace, c *trace.Command) trace.Flow {
			t.Mark(c, "rewrites history", effect.HistoryRewrite)
			return trace.Unknown()
		}
	}
	if h := table.Handler(name); h != nil {
		return h
	}
	if verb, ok := strings.CutPrefix(name, "git-"); ok && isGitVerb(verb) {
		return func(t *trace.Trace, c *trace.Command) trace.Flow {
			return t.RunInner(c, append([]trace.Value{{Text: "git"}, {Text: verb}}, c.Args()...))
		}
	}
	return nil
}

// gitCall is a git command whose arguments are split at its verb, such as commit or push.
type gitCall struct {
	*trace.Command
	global flags.Options // the options before the verb
	verb   string
	rest   []trace.Value
	o      flags.Options
}

func git(t *trace.Trace, c *trace.Command) trace.Flow {
	global, rest, aliases := parseGlobals(t, c)
	if len(rest) == 0 {
		return trace.Unknown()
	}
	if rest[0].Partial {
		t.Opaque(c.Span, "runs an unknown git command", effect.OpaqueExecution)
		return trace.Unknown()
	}
	verb := rest[0].Text
	if alias := aliasOf(t, c, verb, aliases); alias != "" {
		return runAlias(t, c, alias, rest[1:])
	}
	if !isGitVerb(verb) {
		external(t, c, &global, rest)
	}
	g := &gitCall{Command: c, global: global, verb: verb, rest: withAnyPath(rest[1:])}
	g.o = flags.Parse(g.rest, verbFlags(verb))
	if len(rest) < len(c.Args()) {
		addPlainForm(t, c, rest)
	}
	isTrial := g.o.HasWhole("dry-run") || words.OneOf(verb, "add stage clean mv rm prune") && g.o.HasWhole("n")
	if g.o.HasWhole("help h") && len(g.rest) == 1 || isTrial && !g.o.Has("no-dry-run") {
		return trace.Nothing()
	}
	checkTreeChanges(t, g)
	checkGuardFiles(t, g)
	noteNewBranch(t, g)
	markSkippedChecks(t, g)
	out := judgeVerb(t, g)
	t.Pathspecs = false
	forgiveOwn(t, g)
	return out
}

// withAnyPath replaces the option --pathspec-from-file with the path of the whole folder. This option names a file that
// contains a list of paths. The analysis does not read the list, so any path may be in it.
func withAnyPath(args []trace.Value) []trace.Value {
	const flag = "--pathspec-from-file"
	for i, v := range args {
		name, _, attached := strings.Cut(v.Text, "=")
		if name == "--" {
			return args
		}
		if len(name) < len("--pathspec-fr") || !strings.HasPrefix(flag, name) {
			continue
		}
		after := args[i+1:]
		if !attached && len(after) > 0 {
			after = after[1:]
		}
		return slices.Concat(args[:i], after, []trace.Value{{Text: "--"}, {Text: "."}})
	}
	return args
}

// external() analyzes the program git-VERB, which git runs if VERB is not a verb of git itself. It analyzes the program
// only if the call says where to find the program, or if the table lists the program.
func external(t *trace.Trace, c *trace.Command, global *flags.Options, rest []trace.Value) {
	name := "git-" + rest[0].Text
	folder := words.OrElse(trace.FirstText(global.Values("exec-path")), c.Scope.Vars.Get("GIT_EXEC_PATH").Scalar().Text)
	if folder != "" {
		name = folder + "/" + name
	} else if _, changed := c.Scope.Vars.Find("PATH"); !changed && table.Handler(name) == nil {
		return
	}
	t.RunInner(c, append([]trace.Value{{Text: name}}, rest[1:]...))
}

// addPlainForm records the command without its global options. A pattern such as Bash(git push*) then also matches "git
// -C dir push".
func addPlainForm(t *trace.Trace, c *trace.Command, argv []trace.Value) {
	if c.Run < len(t.Effects) {
		e := &t.Effects[c.Run]
		e.Forms = append(e.Forms, "git "+trace.JoinArgs(argv))
	}
}

// parseGlobals reads git's global options. It returns these options, the arguments that begin with the verb, and the
// aliases that -c defines.
func parseGlobals(t *trace.Trace, c *trace.Command) (flags.Options, []trace.Value, map[string]string) {
	var aliases map[string]string
	o, rest := flags.ParseLeading(c.Args(), "c C config-env git-dir work-tree namespace exec-path super-prefix")
	for _, f := range o.Flags {
		switch {
		case !f.Has:
		case f.Name == "config-env":
			if key, _, _ := strings.Cut(f.Value.Text, "="); isCommandSetting(strings.ToLower(key)) {
				t.Mark(c, "makes git run what is in a variable ("+f.Value.Text+")", effect.HiddenExecution)
			}
			aliases = configArg(t, c, f.Value, aliases)
		case f.Name == "c":
			aliases = configArg(t, c, f.Value, aliases)
		case f.Name == "exec-path":
			t.SensitiveVariable(c, "GIT_EXEC_PATH", f.Value)
		case f.Name == "C":
			c.Scope = c.Scope.Sub()
			argv := []trace.Value{{Text: "cd"}, f.Value}
			shell.ChangeDir(t, &trace.Command{Name: "cd", Argv: argv, Scope: c.Scope, Run: c.Run})
		}
	}
	return o, rest, aliases
}

// aliasOf returns the text of an alias, or "" if there is none. The alias may be defined by the options of the command,
// by an earlier command of the call, or in git's settings.
func aliasOf(t *trace.Trace, c *trace.Command, name string, options map[string]string) string {
	if alias, ok := options[name]; ok {
		return alias
	}
	if isGitVerb(name) {
		return ""
	}
	if alias, ok := t.GitAliases[name]; ok {
		return alias
	}
	if t.Env.GitAlias == nil || c.Scope.Container != nil {
		return ""
	}
	t.Spend(trace.StepsOfRepository)
	return t.Env.GitAlias(c.Scope.Cwd, name)
}

func runAlias(t *trace.Trace, c *trace.Command, alias string, rest []trace.Value) trace.Flow {
	if script, ok := strings.CutPrefix(alias, "!"); ok {
		for _, v := range rest {
			script += " " + words.Quote(v.Text)
		}
		return t.Inside(c.Span, func() trace.Flow { return t.Shell(script, c.Scope.Sub(), trace.Nothing()) })
	}
	argv := append([]trace.Value{{Text: "git"}}, flags.SplitWords(alias, trace.Value{})...)
	return t.RunInner(c, append(argv, rest...))
}

// verbFlags returns the flags of a verb that take a value.
func verbFlags(verb string) string {
	switch verb {
	case "commit":
		return flags.Abbreviates + "?Su m F C c t message file author date template reuse-message reedit-message " +
			"fixup squash cleanup trailer"
	case "push":
		return flags.Abbreviates + "--force o push-option receive-pack repo exec"
	case "fetch", "ls-remote":
		return flags.Abbreviates + "o server-option upload-pack exec depth j jobs refmap filter sort"
	case "clone":
		return flags.Abbreviates + "b o c u branch origin config depth upload-pack reference template " +
			"jobs j shallow-since filter"
	case "tag", "notes":
		return flags.Abbreviates + "m F u message file local-user sort format contains points-at"
	case "cherry-pick", "revert":
		return flags.Abbreviates + "?S m X mainline strategy strategy-option"
	case words.Among(verb, "merge rebase pull"):
		return flags.Abbreviates + "?S m s X x message strategy strategy-option exec onto file F upload-pack"
	case "checkout", "switch", "worktree":
		return flags.Abbreviates + "--force b B c C orphan create force-create reason"
	case "branch":
		return flags.Abbreviates + "--set-upstream u t set-upstream-to sort format contains merged no-merged"
	case words.Among(verb, "log diff show shortlog reflog"):
		return flags.Abbreviates + "n S G L O format pretty author grep since until after before max-count output"
	case "clean":
		return flags.Abbreviates + "e exclude"
	case "grep":
		return flags.Abbreviates + "?O e f A B C m"
	case "config":
		return flags.Abbreviates + "f file blob type default"
	case "stash":
		return flags.Abbreviates + "m message"
	case "archive":
		return flags.Abbreviates + "o output prefix format remote exec"
	case "difftool":
		return flags.Abbreviates + "x t extcmd tool"
	case "instaweb":
		return flags.Abbreviates + "d httpd p port b browser m module-path"
	case "format-patch":
		return flags.Abbreviates + "o output-directory"
	case "apply":
		return flags.Abbreviates + "p C directory exclude include whitespace"
	}
	return flags.Abbreviates
}

func judgeVerb(t *trace.Trace, g *gitCall) trace.Flow {
	if g.verb == words.Among(g.verb, "commit tag notes merge") {
		for _, v := range g.o.Values("F file") { // the file contains the commit message
			if p := t.Place(v, g.Scope); p.Secret {
				t.Read(v, g.Scope, g.Span)
			}
		}
	}
	switch g.verb {
	case words.Among(g.verb, "commit revert cherry-pick am merge pull rebase"):
		makeCommits(t, g)
	case "push", "send-pack":
		push(t, g)
	case words.Among(g.verb, "reset checkout switch restore clean stash branch worktree rm mv tag read-tree "+
		"checkout-index submodule sparse-checkout"):
		first := len(t.Effects)
		changeTree(t, g)
		if g.verb == "rm" || g.verb == "mv" {
			stageChanges(t, first)
		}
	case words.Among(g.verb, "filter-branch filter-repo reflog gc prune update-ref replace fast-import symbolic-ref "+
		"notes repack"):
		rewriteHistory(t, g)
	case "add", "stage":
		stage(t, g)
	case "apply":
		applyPatch(t, g)
	case "config":
		config(t, g)
	case words.Among(g.verb, "clone fetch ls-remote remote init"):
		remote(t, g)
	case "bisect", "difftool", "mergetool":
		onFiles(t, g, "x extcmd")
		if len(g.rest) > 1 && g.rest[0].Text == "run" {
			t.RunInner(g.Command, g.rest[1:])
		}
	case "archive", "bundle", "format-patch":
		readHistory(t, g)
		t.RunTexts(g.Command, g.o.Values("exec"))
		t.WriteAll(g.Command, g.o.Values("o output output-directory"))
		if g.verb == "bundle" && g.o.Word(0) == "create" && len(g.o.Operands) > 1 {
			t.Write(g.o.Operands[1], g.Scope, g.Span)
		}
	case "instaweb":
		t.RunTexts(g.Command, g.o.Values("d httpd b browser"))
	case "lfs":
		if g.o.Word(0) == "migrate" && g.o.HasWhole("everything") && g.o.Word(1) != "info" {
			t.Mark(g.Command, "rewrites the history of every branch", effect.HistoryRewrite)
		}
	case "obliterate", "delete-merged-branches", "undo": // verbs of git-extras
		if g.verb != "undo" || g.o.Has("h hard") {
			t.Mark(g.Command, "loses work or history: git "+g.verb, effect.DiscardChanges)
		}
	case "town":
		if g.o.Word(0) == "ship" {
			t.MarkAll(g.Command, "merges into the default branch", effect.Merge, effect.DefaultPush)
		}
	case "svn", "p4":
		if words.OneOf(g.o.Word(0), "dcommit submit") {
			t.MarkAll(g.Command, "publishes commits", effect.Push, effect.DefaultPush)
		}
	case "credential":
		t.Mark(g.Command, "asks git for stored passwords", effect.SecretAccess)
	default:
		return readHistory(t, g)
	}
	return trace.Unknown()
}

// readHistory analyzes verbs such as show, diff and log, which may print a secret from the history.
func readHistory(t *trace.Trace, g *gitCall) trace.Flow {
	if g.verb == "rev-parse" && g.o.HasWhole("show-toplevel") && g.Scope.Cwd == t.Env.Cwd && !g.Scope.CwdUnknown {
		return trace.Flow{Text: t.Env.Root, Known: t.Env.Root != ""}
	}
	if isPath := g.o.Has("git-path"); g.verb == "rev-parse" && !g.Scope.CwdUnknown &&
		(isPath || g.o.Has("git-dir git-common-dir absolute-git-dir")) {
		folder := strings.TrimPrefix(t.Env.Root+"/.git", "/.git")
		if isPath {
			folder += "/" + g.o.Word(0)
		}
		return trace.Flow{Text: folder, Known: t.Env.Root != ""}
	}
	out := trace.Flow{Taint: trace.FromProgram}
	if g.verb == "ls-files" && !g.o.Has("o others i ignored d deleted") || g.o.Has("name-only") {
		out.Taint |= trace.FromFile // the output is a list of the project's files
	}
	if g.verb == "grep" {
		onFiles(t, g, "O open-files-in-pager")
	}
	for i, v := range g.o.Operands {
		name := v.Text
		if g.verb == "grep" && i == 0 && !g.o.Has("e f") {
			continue
		}
		if i := strings.LastIndexByte(name, ':'); i >= 0 && g.verb != "grep" {
			name = name[i+1:]
		}
		if strings.ContainsAny(name, " ") || !strings.ContainsAny(name, "./") || !trace.IsSecret(name) {
			continue
		}
		if (g.verb == words.Among(g.verb, "show diff cat-file blame annotate grep archive stash") || g.o.Has("p patch u")) &&
			!g.o.HasWhole("stat name-only name-status shortstat quiet") {
			v.Text = name
			t.Read(v, g.Scope, g.Span)
			out.Taint |= trace.FromSecret
		}
	}
	t.WriteAll(g.Command, g.o.Values("output export-marks"))
	if g.verb == "diff" && !g.o.Has("cached staged") && !slices.ContainsFunc(g.o.Operands, isRevisionRange) {
		if out.Taint |= trace.FromChanges; g.o.HasWhole("R") {
			out.Taint ^= trace.FromChanges | trace.FromReversal
		}
	}
	return out
}

// isRevisionRange reports whether an operand of "git diff" names two revisions.
func isRevisionRange(v trace.Value) bool { return strings.Contains(v.Text, "..") }

// stage() records what "git add" stages. Staged secrets are likely to be committed and pushed. With --force, git also
// stages the secrets in a folder that git otherwise ignores.
func stage(t *trace.Trace, g *gitCall) {
	t.Stages = max(t.Stages, g.addStaging())
	force, paths := g.o.Has("f force"), g.o.Operands
	if force && len(paths) == 0 && g.o.Has("A all") {
		paths = []trace.Value{{Text: "."}}
	}
	for _, v := range paths {
		p := t.Place(v, g.Scope)
		e := p.Effect(effect.Read, g.Span)
		if p.Secret || force && t.SendsSecret(g.Command, &p) != 0 {
			e.Note("adds "+p.Name+", which holds secrets, to git", effect.SecretAccess)
		}
		t.Emit(e)
		t.Staged = append(t.Staged, p.Name)
		if isWholeProject(p.Name) {
			t.Stages = newToo
		}
	}
}

// applyPatch adds the changes that a patch makes to files.
func applyPatch(t *trace.Trace, g *gitCall) {
	if g.o.HasWhole("check stat numstat summary") {
		return
	}
	patches := g.o.Operands
	if len(patches) == 0 {
		patches = []trace.Value{{Text: "-"}}
	}
	for _, v := range patches {
		in := g.In
		if v.Text != "-" {
			in = t.ReadFlow(v, g.Scope, g.Span)
		}
		if !g.o.Has("cached") {
			files.MarkDiscards(t, g.Command, in, g.o.Has("R reverse"))
		}
		files.DiffTargets(t, g.Command, in, trace.FirstText(g.o.Values("directory")))
	}
}
