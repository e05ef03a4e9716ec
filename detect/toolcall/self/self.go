// Package self finds commands that would change, stop or imitate the guard: its own programs, server, settings and
// variables, and the client that calls it.
package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// Handler knows this product's own command line and the client's: what a person may type there an agent may not.
func Handler(name string) trace.Handler {
	switch name {
	case product.CLI, product.Server:
		return ownCommand
	case product.Inject, product.Subagent, product.Enforce, product.Stop:
		return hookCommand
	case "claude", "claude-code":
		return clientCommand
	case words.Among(name, "codex gemini aider opencode goose cursor-agent qwen crush"):
		return otherAgent
	case words.Among(name, "xdotool ydotool wtype dotool dotoolc xte"):
		return typeKeys
	}
	return nil
}

// ownCommand lets an agent look, and no more.
func ownCommand(t *trace.Trace, c *trace.Command) trace.Flow {
	OwnVerb(t, c, c.Args())
	return trace.Flow{Taint: trace.FromProgram}
}

// hookCommand is a hook's program: what stands on its stdin it takes for the client's word, such as that a person said yes.
func hookCommand(t *trace.Trace, c *trace.Command) trace.Flow {
	t.Mark(c, "runs a hook of the guard, which only the client does", effect.GuardTamper)
	return trace.Flow{Taint: trace.FromProgram}
}

// ownValues are the flags of the command line that take the next argument.
const ownValues = "g guidelines o output agent domain action tenant event gate-type context contexts tool command path payload input run session " +
	"pack category tag search sort order page page-size version file on-conflict format guideline actor from to heads keep-days keep-entries " +
	"role expires addr host store log-format"

// OwnVerb judges the arguments of the command line. What a flag is set to counts, not that it stands there.
func OwnVerb(t *trace.Trace, c *trace.Command, args []trace.Value) {
	if len(args) > 0 && strings.Contains(args[0].Text, " ") {
		args = flags.SplitWords(args[0].Text, args[0])
	}
	o := flags.Parse(args, ownValues)
	switch verb := ownWord(args, &o); {
	case len(o.Operands) > 0 && o.Operands[0].Partial:
		t.Mark(c, "runs a command of guardrails that is not known", effect.GuardTamper)
	case verb == "call":
		if tool := o.Word(1); tool != "guardrails_get_context" && tool != "" {
			t.Mark(c, "changes what the guard does (guardrails call "+tool+")", effect.GuardTamper)
		}
	case verb == "mcp" && !o.IsOn("help", "h"):
		t.Mark(c, "starts the guard's server for itself, where it could call hooks as the client does", effect.GuardTamper)
	case verb == "serve" && startsOwn(c, args):
		t.Mark(c, "starts a server of the guard with guidelines of its own", effect.GuardTamper)
	case verb == "audit" && movesData(c):
		t.Mark(c, "takes the guard's records elsewhere", effect.GuardTamper)
	case !changesGuard(verb), o.IsOn("help", "h"), onlyShows(verb, &o):
	default:
		t.Mark(c, "changes what the guard does (guardrails "+verb+")", effect.GuardTamper)
	}
}

// changesGuard reports whether a command can change what the guard does. Who starts mcp can call every tool of it.
func changesGuard(verb string) bool {
	return verb == words.Among(verb, "allow-once fallback init delete toggle restore apply import bootstrap audit token mcp")
}

// onlyShows reports whether a command that can change something is asked to show something here.
func onlyShows(verb string, o *flags.Options) bool {
	if len(o.Operands) > 1 && o.Operands[1].Partial {
		return false
	}
	switch second := o.Word(1); verb {
	case "init", "import", "bootstrap":
		return o.IsOn("dry-run")
	case "fallback":
		return len(o.Operands) == 1 || len(o.Operands) == 2 && second == "status"
	case "audit":
		return second == "" || second == words.Among(second, "list export verify")
	case "token":
		return second == "" || second == "list"
	}
	return false
}

// startsOwn reports whether a server is started with other guidelines than it would have, or with more rights.
func startsOwn(c *trace.Command, args []trace.Value) bool {
	o := flags.ParseWords(args, "")
	return o.Has("store tenant admin") || movesData(c)
}

// movesData reports whether a command is given another place for the guard's data.
func movesData(c *trace.Command) bool {
	for name := range c.Scope.Vars {
		if LeadsToGuard(name) || words.OneOf(name, "XDG_DATA_HOME", "XDG_CONFIG_HOME", "ELASTICSEARCH_URL") {
			return true
		}
	}
	return false
}

// ownWord is the command among the arguments. A flag before it that belongs to the command may take the next argument or
// not: then any argument that is a command which changes something is taken for it.
func ownWord(args []trace.Value, o *flags.Options) string {
	if len(args) == 0 || !strings.HasPrefix(args[0].Text, "-") || strings.HasPrefix(args[0].Text, "-o") || strings.HasPrefix(args[0].Text, "--output") {
		return o.Word(0)
	}
	for _, v := range args {
		if changesGuard(v.Text) {
			return v.Text
		}
	}
	return o.Word(0)
}

// SoundsOwn finds the commands that only people may give by their words, whatever the program is called that they are
// given to: it may be a copy.
func SoundsOwn(t *trace.Trace, c *trace.Command) {
	switch o := flags.Parse(c.Args(), ownValues); o.Word(0) {
	case "allow-once":
		if len(o.Operands) < 2 || o.IsOn("help", "h") {
			return
		}
	case "init":
		if !o.IsOn("uninstall") {
			return
		}
	default:
		return
	}
	t.Mark(c, "gives "+c.Argv[0].Text+" a command of guardrails that only people may give", effect.GuardTamper)
}

// OwnSource takes go run of the guard's own source for the guard itself.
func OwnSource(t *trace.Trace, c *trace.Command, source string) {
	name, _, _ := strings.Cut(trace.BaseName(strings.TrimRight(source, "/")), "@")
	if !trace.IsOwnName(name) {
		return
	}
	for i, v := range c.Argv {
		if v.Text == source {
			t.Again(c, append([]trace.Value{{Text: name}}, c.Argv[i+1:]...))
			return
		}
	}
}

// MeansGuard reports whether a pattern of names takes in the guard's: guard, or guardrail[s].
func MeansGuard(pattern string) bool {
	const shortest = 5
	plain := strings.NewReplacer("[", "", "]", "", "^", "", "$", "", ".*", "", "\\", "").Replace(strings.ToLower(pattern))
	const name = product.CLI
	start := min(len(plain), len(name))
	if len(plain) >= shortest && plain[:start] == name[:start] {
		return true
	}
	const all = product.Enforce + " " + product.Inject + " " + product.Subagent + " " + product.Stop + " " + product.Server
	return len(plain) > shortest+1 && strings.Contains(all, plain)
}

// SettingNames adds to a builtin that sets the variables which it is given the names of those that the guard needs.
func SettingNames(h trace.Handler) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		for i, v := range c.Args() {
			if trace.IsGuardVariable(v.Text) && (c.Name != "printf" || i == 1 && c.Argv[1].Text == "-v") {
				t.Mark(c, "changes "+v.Text+", which the guard depends on", effect.GuardTamper)
			}
		}
		return h(t, c)
	}
}
