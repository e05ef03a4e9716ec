// Package self finds commands that would change, stop or imitate the guard. Such commands concern the guard's own
// programs, server, settings and variables, and the client that calls the guard.
package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// Handler returns the handler of one of the guard's own programs, of a coding agent, or of a program that simulates
// typing. An agent may do less with these programs than a person may. Handler returns nil for any other name.
func Handler(name string) trace.Handler {
	switch name {
	case product.CLI, product.Server:
		return ownCommand
	case product.Inject, product.Subagent, product.Enforce, product.Stop:
		return hookCommand
	case "claude", "claude-code":
		return clientCommand
	case words.Among(name, "codex gemini aider opencode cursor-agent qwen crush amp"):
		return OtherAgent
	case words.Among(name, "xdotool ydotool wtype dotool dotoolc xte"):
		return typeKeys
	}
	return nil
}

// ownCommand analyzes a call of the guardrails program. An agent may use this program only to view data.
func ownCommand(t *trace.Trace, c *trace.Command) trace.Flow {
	markProject(t, c)
	OwnArguments(t, c, c.Args())
	return trace.Flow{Taint: trace.FromProgram}
}

// hookCommand marks a command that runs one of the hook programs. Hooks trust their input, so an agent could forge the
// approval of a person.
func hookCommand(t *trace.Trace, c *trace.Command) trace.Flow {
	t.Mark(c, "runs a hook of the guard, which only the client may do", effect.GuardTamper)
	return trace.Flow{Taint: trace.FromProgram}
}

// ownValues lists flags of the guardrails program. Each of these flags takes the next argument as its value.
const ownValues = "g guidelines o output agent domain action tenant event gate-type context contexts tool command " +
	"path payload input run session pack category tag search sort order page page-size version file on-conflict format " +
	"guideline actor for reason from to heads keep-days keep-entries role expires addr host store log-format instead-of day " +
	"max-files take within"

// OwnArguments analyzes the arguments of the guardrails program. A flag such as --help counts only if its value is
// true.
func OwnArguments(t *trace.Trace, c *trace.Command, args []trace.Value) {
	if len(args) > 0 && strings.Contains(args[0].Text, " ") {
		args = flags.SplitWords(args[0].Text, args[0])
	}
	o := flags.Parse(args, ownValues)
	switch verb := ownVerb(args, &o); {
	case len(o.Operands) > 0 && o.Operands[0].Partial:
		t.Mark(c, "runs an unknown command of guardrails", effect.GuardTamper)
	case verb == "call":
		if tool := o.Word(1); tool != words.Among(tool, OnlyReads) {
			t.Mark(c, "changes what the guard does (guardrails call "+tool+")", effect.GuardTamper)
		}
	case verb == "mcp" && !o.IsOn("help", "h"):
		t.Mark(c, "starts a guard server of its own, where it could call hooks as the client does", effect.GuardTamper)
	case verb == "serve" && servesOtherData(c, args):
		t.Mark(c, "starts a server of the guard with other guidelines or more rights", effect.GuardTamper)
	case verb == "audit" && movesData(c):
		t.Mark(c, "makes the guard use other records", effect.GuardTamper)
	case !changesGuard(verb), o.IsOn("help", "h"), onlyShows(verb, &o):
	default:
		t.Mark(c, "changes what the guard does (guardrails "+verb+")", effect.GuardTamper)
	}
}

// OnlyReads lists the tools of the guard's server that change nothing.
const OnlyReads = "guardrails_get_context guardrails_list guardrails_get guardrails_explain guardrails_explain_call"

// changesGuard reports whether a subcommand of guardrails can change what the guard does. It returns true for "mcp",
// because this subcommand starts a server whose caller can call every tool.
func changesGuard(verb string) bool {
	return verb == words.Among(verb,
		"allow allow-once fallback init new delete toggle restore apply import bootstrap audit token mcp trust untrust packs ui "+
			"webhooks")
}

// onlyShows reports whether a subcommand changes nothing when it has these flags and operands. It is for subcommands
// that can change the guard.
func onlyShows(verb string, o *flags.Options) bool {
	if len(o.Operands) > 1 && o.Operands[1].Partial {
		return false
	}
	switch second := o.Word(1); verb {
	case "init", "import", "bootstrap":
		return o.IsOn("dry-run")
	case "new":
		return second == "" || o.IsOn("print")
	case "fallback":
		return len(o.Operands) == 1 || len(o.Operands) == 2 && second == "status"
	case "audit":
		return second == "" || second == words.Among(second, "list export verify heads")
	case "token":
		return second == "" || second == "list"
	case "webhooks":
		return second == "" || second == words.Among(second, "list deliveries")
	case "trust":
		return len(o.Operands) == 2 && second == "list"
	case "packs":
		return second != "update" || o.IsOn("dry-run")
	}
	return false
}

// servesOtherData reports whether a command starts the server with other guidelines, or with more rights than usual. With
// -open, the server shows a code that gives the owner's rights.
func servesOtherData(c *trace.Command, args []trace.Value) bool {
	o := flags.ParseWords(args, "")
	return o.Has("store tenant admin open") || movesData(c)
}

// movesData reports whether the script has set a variable that makes a command look for the guard's data in another
// place.
func movesData(c *trace.Command) bool {
	return setsAny(c.Scope, product.MovingVariables)
}

// ownVerb returns the subcommand in the arguments. If the first argument is a flag, the second argument may be the
// value of this flag. In that case, ownVerb returns the first argument that is a subcommand which can change the guard.
// If there is no such argument, ownVerb returns the first operand.
func ownVerb(args []trace.Value, o *flags.Options) string {
	if len(args) == 0 || !strings.HasPrefix(args[0].Text, "-") ||
		strings.HasPrefix(args[0].Text, "-o") || strings.HasPrefix(args[0].Text, "--output") {
		return o.Word(0)
	}
	for _, v := range args {
		if changesGuard(v.Text) {
			return v.Text
		}
	}
	return o.Word(0)
}

// MarkOwnCommand marks a command whose arguments look like the arguments of a guardrails subcommand that only people
// may run. The name of the program does not matter, because the program may be a renamed copy of the guard.
func MarkOwnCommand(t *trace.Trace, c *trace.Command) {
	for _, v := range c.Args() {
		if runsGuard(v.Text) {
			t.Mark(c, "gives "+c.Name+" a command of guardrails that only people may run", effect.GuardTamper)
			return
		}
	}
	switch o := flags.Parse(c.Args(), ownValues); o.Word(0) {
	case "allow-once":
		if len(o.Operands) < 2 || o.IsOn("help", "h") {
			return
		}
	case "init":
		if !o.IsOn("uninstall") {
			return
		}
	case "trust", "untrust":
		if !strings.Contains(c.Argv[0].Text, "/") || c.Name == "mise" || o.IsOn("help", "h") {
			return // other programs have commands with these names
		}
	default:
		return
	}
	t.Mark(c, "gives "+c.Argv[0].Text+" a command of guardrails that only people may run", effect.GuardTamper)
}

// runsGuard reports whether a text contains a guardrails command that changes something. The command must be in a place
// where a command can begin. An unknown program that gets such a text may type it into a terminal or run it.
func runsGuard(text string) bool {
	begins, own := true, false // begins: a command may begin here; own: the previous word is the name guardrails
	for _, word := range strings.Fields(text) {
		if own && changesGuard(strings.TrimRight(word, "\"');\\n")) {
			return true
		}
		name := strings.TrimLeft(word, "\"'(;&|")
		own = (begins || name != word) && trace.IsOwnName(trace.BaseName(name))
		begins = strings.TrimRight(word, "(;&|") != word
	}
	return false
}

// OwnSource treats a command such as "go run" as a call of the guard if the command runs the guard's own source code.
func OwnSource(t *trace.Trace, c *trace.Command, source string) {
	name, _, _ := strings.Cut(trace.BaseName(strings.TrimRight(source, "/")), "@")
	if !trace.IsOwnName(name) {
		return
	}
	for i, v := range c.Argv {
		if v.Text == source {
			t.RunInner(c, append([]trace.Value{{Text: name}}, c.Argv[i+1:]...))
			return
		}
	}
}

// MarkInstall marks a command that installs a program with the name of one of the guard's programs from another
// computer. The parameter "folder" is the folder in which the command installs programs. The parameter is empty if the
// folder is not known.
func MarkInstall(t *trace.Trace, c *trace.Command, source string, folder trace.Value) {
	name, _, remote := strings.Cut(trace.BaseName(source), "@")
	switch {
	case !trace.IsOwnName(name):
	case remote:
		t.Mark(c, "installs another build of the guard", effect.GuardTamper)
	case folder.Text != "":
		folder.Text += "/" + name
		t.Write(folder, c.Scope, c.Span)
	}
}

// MayMatchGuard reports whether a pattern such as "guard" or "guardrail[s]" may match the name of one of the guard's
// processes.
func MayMatchGuard(pattern string) bool {
	const shortest = 5
	plain := withoutClasses(words.Replace(strings.ToLower(pattern), "^", "", "$", "", ".*", "", `\.`, "/", "\\", ""))
	if len(plain)-strings.Count(plain, ".") < shortest-1 {
		return false
	}
	const name, client = product.CLI, "claude"
	start := min(len(plain), len(name))
	if len(plain) >= shortest && matches(name[:start], plain[:start]) {
		return true
	}
	if len(plain) > shortest-2 && matches(client, plain) {
		return true
	}
	const hooksAndServer = product.Enforce + " " + product.Inject + " " + product.Subagent + " " + product.Stop + " " +
		product.Server
	return len(plain) > shortest+1 && matches(hooksAndServer, plain)
}

// withoutClasses replaces each class of a regular expression, such as [a-z], by a dot. It replaces a class of a single
// character by that character.
func withoutClasses(pattern string) string {
	var out []byte
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if size := strings.IndexByte(pattern[i:], ']'); c == '[' && size > 0 {
			c = '.'
			if size == len("[x") {
				c = pattern[i+1]
			}
			i += size
		}
		out = append(out, c)
	}
	return string(out)
}

// matches() reports whether a text contains a pattern in which a dot stands for any character.
func matches(text, pattern string) bool {
	for ; len(text) >= len(pattern); text = text[1:] {
		i := 0
		for i < len(pattern) && (pattern[i] == text[i] || pattern[i] == '.') {
			i++
		}
		if i == len(pattern) {
			return true
		}
	}
	return false
}
