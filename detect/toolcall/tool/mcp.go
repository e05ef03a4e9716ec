package tool

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

const (
	maxArguments     = 64 // paths, commands and addresses
	maxArgumentDepth = 12
)

// foreignCall is a call of a tool that the analysis does not know: a tool of an MCP server, or a new tool of the
// client. The names of the tool and of its arguments say what the call probably does.
type foreignCall struct {
	*toolCall
	verbs toolVerb
	// The field "order" lists the words that say what the call does.
	order nameOrder
	// The fields "server" and "tool" are the two parts of a name such as mcp__server__tool, in lower case.
	server, tool string
	// The field "hosted" is set if relative paths are paths in a repository on a server rather than on this machine.
	hosted bool
	// The field "tree" is set if the call affects folders together with everything in them.
	tree bool
	// The field "folder" is the folder in a separate argument, or "" if there is no such argument.
	folder string
	// The field "target" is the path to which the call moves or copies something, or "". The field "source" is the path of
	// that thing.
	target, source string
	// The field "words" holds the arguments of the program that the call runs, if the call gives these arguments as a
	// list.
	words []trace.Value
	// The field "checked" is the number of arguments that were analyzed.
	checked int
	// The field "effect" is the index of the call's own effect in Trace.Effects.
	effect int
}

// foreignTool adds the effects that a call probably has, judging by the names of the tool and its arguments.
func foreignTool(t *trace.Trace, call *toolCall) {
	server, tool := splitToolName(call.name)
	f := &foreignCall{
		toolCall: call, order: orderOfName(server, tool, call.args),
		server: strings.ToLower(server), tool: strings.ToLower(tool),
	}
	for _, word := range nameWords(tool) {
		f.verbs |= verbOf(word)
	}
	if f.verbs == 0 || f.verbs.has(verbWrite|verbSend) || f.tool == words.Among(f.tool, "input type paste") {
		for _, word := range nameWords(server) {
			f.verbs |= verbOf(word) & (verbRun | verbShell)
		}
	}
	if f.verbs == 0 && len(f.texts("cmd"))+len(f.texts("argv"))+len(f.texts("shell_command")) > 0 {
		f.verbs = verbRun
	}
	if f.verbs == 0 && f.programOfName() != "" && len(f.texts("command")) > 0 {
		f.verbs = verbRun
	}
	if f.schedules() {
		f.verbs |= verbRun
	}
	f.effect = len(t.Effects)
	span := effect.Span{Text: trace.Shorten(call.name)}
	e := t.Emit(effect.Effect{Kind: effect.Use, Name: trace.Shorten(tool), Span: span})
	f.noteService(e)
	f.noteName(e)
	prepare(t, f)
	f.addVerbs()
	foreignArguments(t, f, call.args, "", 0)
	foreignContainer(t, f)
	foreignAgent(t, f)
	f.innerCall(t, call.args)
}

// changesGuidelines reports whether a tool of the guard's own server changes guidelines. The server has these tools
// only if a person has enabled them. A guideline can make an exception that lets an agent use these tools.
func changesGuidelines(tool string) bool {
	verb, own := strings.CutPrefix(tool, "guardrails_")
	return own && verb == words.Among(verb, "create update delete toggle restore import")
}

// splitToolName splits a name such as mcp__server__tool into its two parts. For a name without such a prefix, the
// server is empty. Percent escapes are decoded.
func splitToolName(name string) (server, tool string) {
	name = words.UnescapePercent(name)
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", name
	}
	server, tool, ok = strings.Cut(rest, "__")
	if !ok {
		return rest, rest
	}
	return server, tool
}

// noteService adds the events of a tool that changes a service on the network rather than files on this machine.
func (f *foreignCall) noteService(e *effect.Effect) {
	if f.tool == product.HookTool {
		e.Note("calls a hook of the guard, which only the client may do", effect.GuardTamper)
	}
	git := strings.Contains(f.server, "git") || strings.Contains(f.tool, "git") || isForge(f.server)
	has := func(word string) bool { return strings.Contains(f.tool, word) }
	switch {
	case changesGuidelines(f.tool):
		e.Note("changes what the guard does ("+f.tool+")", effect.GuardTamper)
	case git && (has("push") || has("update_ref")) && f.isTrue("force"):
		e.NoteAll("overwrites a remote branch", effect.Push, effect.ForcePush)
		f.noteDefault(e)
	case git && has("push"):
		e.Note("", effect.Push)
		f.noteDefault(e)
	case git && f.merges():
		e.Note("", effect.Merge)
		if has("pull") || has("pr") || has("mr") || has("request") || f.namesBranch("main", "master") {
			e.Note("", effect.DefaultPush)
		}
	case git && (has("commit") || has("create_or_update_file") || has("delete_file")) &&
		!has("get") && !has("list") && !has("search") && !has("show"):
		e.Note("", effect.Commit)
		if has("file") {
			f.noteDefault(e)
		}
	case git && has("delete") && has("branch") && !has("protection"):
		e.Note("deletes a branch", effect.DiscardChanges)
	case f.verbs.has(verbRemove) && holdsMuch(f.tool):
		e.Note("deletes a large amount of data from a service, such as a repository or a database", effect.DestructiveOp)
	case f.runsDeployment():
		e.NoteAll("starts a deployment or changes production", effect.Deploy, effect.DevopsInvoked)
	case has("deploy") && !has("status") && !has("logs") && !f.order.looks():
		e.NoteAll("changes a running environment, judging by the tool's name", effect.Deploy, effect.DevopsInvoked)
	}
}

// merges() reports whether a call to a forge merges something. "merge_request" is only the name that GitLab uses for a
// pull request.
func (f *foreignCall) merges() bool {
	verb := words.Replace(f.tool, "merge_request", "", "mergerequest", "")
	request := verb != f.tool
	return (strings.Contains(verb, "merge") || request && strings.Contains(verb, "accept")) &&
		!strings.Contains(verb, "get") && !strings.Contains(verb, "list")
}

// noteDefault adds the event for a change of the default branch if the call names that branch.
func (f *foreignCall) noteDefault(e *effect.Effect) {
	if f.namesBranch("main", "master") {
		e.Note("", effect.DefaultPush)
	}
}

// namesBranch reports whether the call names one of the given branches.
func (f *foreignCall) namesBranch(branches ...string) bool {
	for _, argument := range [...]string{"branch", "base", "target_branch"} {
		for _, text := range f.texts(argument) {
			if slices.Contains(branches, strings.TrimPrefix(text, "refs/heads/")) {
				return true
			}
		}
	}
	return false
}

// holdsMuch reports whether the name of a tool suggests that the tool works on something with many entries, such as a
// database.
func holdsMuch(tool string) bool {
	for _, word := range [...]string{
		"repo", "database", "_db", "table", "collection", "bucket", "namespace", "cluster", "project", "schema", "volume",
		"environment", "_vm", "machine", "deployment", "instance", "stack", "account", "organization", "workspace", "backup", "snapshot",
		"all_", "_all", "server", "storage", "droplet", "worker", "pg_reset",
	} {
		if strings.Contains(tool, word) {
			return true
		}
	}
	return false
}

// prepare() evaluates the arguments on which the meaning of the other arguments depends.
func prepare(t *trace.Trace, f *foreignCall) {
	program := false
	var order []trace.Value
	for _, m := range f.args {
		name := plainName(m.Name)
		text, isText := document.Text(m.Raw)
		switch {
		case name == "recursive" && string(m.Raw) == "true":
			f.tree = true
		case isText && (name == "repo" || name == "repository" || name == "projectid") && isForge(f.server):
			f.hosted = true
		case isText && f.verbs.has(verbRun) && isWorkingFolder(name):
			changeFolder(t, text, f.sc)
		case isText && (isWorkingFolder(name) || name == words.Among(name, "folder parent parentpath basedir base root")):
			f.folder = text
		case name == words.Among(name, orderNames) && f.program() != "":
			order = append(order, wordList(t, m.Raw)...)
		case name == words.Among(name, "args arguments argv") && (f.verbs.has(verbRun) || t.Find(f.tool) != nil):
			f.words = wordList(t, m.Raw)
		case isText && roleOf(name, f.verbs) == roleTarget:
			f.target = text
		case isText && roleOf(name, f.verbs) == roleSource:
			f.source = text
		case isText && (name == "program" || roleOf(name, f.verbs) == roleCommand):
			program = true
		}
	}
	if list := slices.Concat(order, f.words); len(list) > 0 && !program {
		foreignWords(t, f, list)
	}
}

// orderNames lists names of arguments. If a tool has the name of a program, these arguments are the words of a command
// of that program. The words are in the order of the arguments in the call. An example is the tool kubectl with the
// arguments {"verb":"delete","resource":"namespace","name":"prod"}.
const orderNames = "subcommand subcmd action target task verb resource resourcetype resourcename name flags options"

// program() returns the name of the tool if this is also the name of a program. Otherwise, it returns "".
func (f *foreignCall) program() string {
	if f.tool == words.Among(f.tool, "gcloud aws az kubectl helm terraform docker gh git make just npm cargo") {
		return f.tool
	}
	return ""
}

// foreignWords analyzes a command that the call gives as a list of words.
func foreignWords(t *trace.Trace, f *foreignCall, list []trace.Value) {
	name := f.tool
	if t.Find(name) == nil {
		name = f.programOfName()
	}
	if name != "" && (name == f.tool && !verbOf(name).has(verbShell) || t.Find(list[0].Text) == nil) {
		list = append([]trace.Value{{Text: name}}, list...)
	}
	text := ""
	for _, w := range list[:min(len(list), trace.SpanText)] {
		text += w.Text + " "
	}
	span := effect.Span{Text: trace.Shorten(strings.TrimSpace(text))}
	t.Dispatch(list, span, f.sc, trace.Streams{In: trace.Nothing()})
}

// isDatabase reports whether a tool works with a database. In the call of any other tool, the argument "query" is a
// text to search for.
func (f *foreignCall) isDatabase() bool {
	names := " " + f.server + " " + f.tool
	for _, word := range [...]string{
		"sql", "cypher", "postgres", "database", "mariadb", "oracle", "supabase", "bigquery", "snowflake", "duckdb", "clickhouse",
		"redshift", " db", "neon", "execute_query", "run_query",
	} {
		if strings.Contains(names, word) {
			return true
		}
	}
	return false
}

// isForge reports whether a server gives access to hosted repositories. In a call of such a server, the argument "repo"
// means that relative paths are not on this machine. In a call of any other server, this argument says nothing about
// the paths, because a server for local files would ignore it.
func isForge(server string) bool {
	return words.HasPart(server, "github|gitlab|bitbucket|gitea|forgejo")
}

func isWorkingFolder(name string) bool {
	return name == words.Among(name, "cwd workdir workingdir workingdirectory directory dir")
}

func changeFolder(t *trace.Trace, folder string, sc *trace.Scope) {
	v, ok := pathArgument(t, "cwd", folder)
	if !ok {
		return
	}
	if p := t.Place(v, sc); p.Abs != "" {
		env := *t.Env
		env.Cwd, sc.Cwd = p.Abs, p.Abs
		t.Env = &env
	}
}
