package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// Limits of what is looked at in the arguments of a tool that is not the client's own.
const (
	maxArguments     = 64 // paths, commands and addresses
	maxArgumentDepth = 12
)

// foreignCall is a call of a tool of which only the names are known: a server's, or one that is new in the client.
type foreignCall struct {
	*toolCall
	verbs toolVerb
	// server and tool are the parts of mcp__server__tool in lower-case letters.
	server, tool string
	// hosted is set when the tool's relative paths lie in a repository on a server, not on this machine.
	hosted bool
	// tree is set when an argument says that folders are meant with everything in them.
	tree bool
	// words are the arguments of a program that stand in a list of their own.
	words []trace.Value
	seen  int
	// use is the index of the call's own effect.
	use int
}

// foreignTool works out by a tool's name and its arguments' names what it would do.
func foreignTool(a *trace.Trace, t *toolCall) {
	server, tool := splitToolName(t.name)
	f := &foreignCall{toolCall: t, server: strings.ToLower(server), tool: strings.ToLower(tool)}
	for _, word := range nameWords(tool) {
		f.verbs |= verbOf(word)
	}
	f.use = len(a.Effects)
	e := a.Emit(effect.Effect{Kind: effect.Use, Name: trace.Shorten(tool), Span: effect.Span{Text: trace.Shorten(t.name)}})
	f.noteService(e)
	prepare(a, f)
	f.learn()
	foreignArguments(a, f, t.args, "", 0)
}

// changesGuidelines reports whether a tool is one of the guard's own server that changes what holds. The server has them
// where a person said so, and a guideline's exception lets an agent use them.
func changesGuidelines(tool string) bool {
	verb, own := strings.CutPrefix(tool, "guardrails_")
	return own && verb == words.Among(verb, "create update delete toggle restore import")
}

// splitToolName takes mcp__server__tool apart; another name is the tool's as a whole.
func splitToolName(name string) (server, tool string) {
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

// noteService adds what a tool means to a service behind its server: these have no path on this machine.
func (f *foreignCall) noteService(e *effect.Effect) {
	if f.tool == product.HookTool {
		e.Note("calls a hook of the guard, which only the client does", effect.GuardTamper)
	}
	git := strings.Contains(f.server, "git") || strings.Contains(f.tool, "git")
	has := func(word string) bool { return strings.Contains(f.tool, word) }
	switch {
	case changesGuidelines(f.tool):
		e.Note("changes what the guard does ("+f.tool+")", effect.GuardTamper)
	case git && has("push") && f.isTrue("force"):
		e.Note("overwrites a remote branch", effect.Push, effect.ForcePush)
	case git && has("push"):
		e.Note("", effect.Push)
	case git && has("merge") && !has("get") && !has("list"):
		e.Note("", effect.Merge)
	case git && (has("commit") || has("create_or_update_file")) && !has("get") && !has("list") && !has("search") && !has("show"):
		e.Note("", effect.Commit)
	case git && has("delete") && has("branch"):
		e.Note("deletes a branch", effect.DiscardChanges)
	case f.verbs.has(verbRemove) && holdsMuch(f.tool):
		e.Note("deletes what a service holds with everything in it", effect.DestructiveOp)
	case has("deploy") && !has("get") && !has("list") && !has("status") && !has("logs"):
		e.Note("", effect.Deploy)
	}
}

// holdsMuch reports whether a tool's name says that what it deletes is more than a single entry.
func holdsMuch(tool string) bool {
	for _, word := range [...]string{
		"repo", "database", "_db", "table", "collection", "bucket", "namespace", "cluster", "project", "schema", "volume", "environment", "deployment", "instance",
		"stack", "account", "organization", "workspace", "backup", "snapshot", "all_", "_all", "server", "storage",
	} {
		if strings.Contains(tool, word) {
			return true
		}
	}
	return false
}

// prepare finds the arguments that change what the others mean.
func prepare(t *trace.Trace, f *foreignCall) {
	program := false
	for _, m := range f.args {
		name := plainName(m.Name)
		text, isText := document.Text(m.Raw)
		switch {
		case name == "recursive" && string(m.Raw) == "true":
			f.tree = true
		case isText && (name == "repo" || name == "repository" || name == "projectid") && isForge(f.server):
			f.hosted = true
		case isText && f.verbs.has(verbRun) && isWorkingFolder(name):
			goTo(t, text, f.sc)
		case f.verbs.has(verbRun) && (name == "args" || name == "arguments" || name == "argv"):
			f.words = wordList(t, m.Raw)
		case isText && (name == "program" || roleOf(name, f.verbs) == roleCommand):
			program = true
		}
	}
	if len(f.words) > 0 && !program {
		foreignWords(t, f, f.words)
	}
}

// foreignWords runs a command that is given as the list of its words.
func foreignWords(t *trace.Trace, f *foreignCall, words []trace.Value) {
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.Text + " ")
	}
	t.Dispatch(words, effect.Span{Text: trace.Shorten(strings.TrimSpace(text.String()))}, f.sc, trace.Streams{In: trace.Nothing()})
}

// isDatabase reports whether a tool speaks to a database. A query is a question in words to any other.
func (f *foreignCall) isDatabase() bool {
	names := f.server + " " + f.tool
	for _, word := range [...]string{"sql", "postgres", "database", "mariadb", "oracle", "supabase", "bigquery", "snowflake", "duckdb", "clickhouse", "redshift", "dbhub", "neon", "execute_query", "run_query"} {
		if strings.Contains(names, word) {
			return true
		}
	}
	return false
}

// isForge reports whether a server speaks for a place where repositories are kept. Only there are relative paths
// somewhere else: a file server would take no notice of an argument named repo.
func isForge(server string) bool {
	return strings.Contains(server, "github") || strings.Contains(server, "gitlab") || strings.Contains(server, "bitbucket") || strings.Contains(server, "gitea")
}

func isWorkingFolder(name string) bool {
	return name == words.Among(name, "cwd workdir workingdir workingdirectory directory dir")
}

// goTo makes a folder the one that the call runs in.
func goTo(t *trace.Trace, folder string, sc *trace.Scope) {
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
