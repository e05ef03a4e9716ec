package toolcall

import (
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/internal/product"
)

// guardHandler knows this product's own command line and the client's: what a person may type there an agent may not.
func guardHandler(name string) handler {
	switch name {
	case "guardrails", "guardrails-server":
		return ownCommand
	case among(name, "guardrails-inject guardrails-enforce guardrails-subagent guardrails-stop"):
		return hookCommand
	case "claude", "claude-code":
		return clientCommand
	case among(name, "codex gemini aider opencode goose cursor-agent qwen crush"):
		return otherAgent
	case among(name, "xdotool ydotool wtype dotool dotoolc xte"):
		return typeKeys
	}
	return nil
}

// isOwnName reports whether a file is called as one of the product's programs.
func isOwnName(name string) bool {
	return product.IsOwnProgram(programName(name))
}

// ownCommand lets an agent look, and no more.
func ownCommand(a *analyzer, c *command) flow {
	a.ownVerb(c, c.args())
	return flow{taint: fromProgram}
}

// hookCommand is a hook's program: what stands on its stdin it takes for the client's word, such as that a person said yes.
func hookCommand(a *analyzer, c *command) flow {
	a.mark(c, "runs a hook of the guard, which only the client does", effect.GuardTamper)
	return flow{taint: fromProgram}
}

// ownValues are the flags of the command line that take the next argument.
const ownValues = "g guidelines o output agent domain action tenant event gate-type context contexts tool command path payload input run session " +
	"pack category tag search sort order page page-size version file on-conflict format guideline actor from to heads keep-days keep-entries " +
	"role expires addr host store log-format"

// ownVerb judges the arguments of the command line. What a flag is set to counts, not that it stands there.
func (a *analyzer) ownVerb(c *command, args []value) {
	if len(args) > 0 && strings.Contains(args[0].text, " ") {
		args = splitWords(args[0].text, args[0])
	}
	o := parseOptions(args, ownValues)
	switch verb := ownWord(args, &o); {
	case len(o.operands) > 0 && o.operands[0].partial:
		a.mark(c, "runs a command of guardrails that is not known", effect.GuardTamper)
	case verb == "call":
		if tool := o.word(1); tool != "guardrails_get_context" && tool != "" {
			a.mark(c, "changes what the guard does (guardrails call "+tool+")", effect.GuardTamper)
		}
	case verb == "mcp" && !o.isOn("help", "h"):
		a.mark(c, "starts the guard's server for itself, where it could call hooks as the client does", effect.GuardTamper)
	case verb == "serve" && startsOwn(c, args):
		a.mark(c, "starts a server of the guard with guidelines of its own", effect.GuardTamper)
	case verb == "audit" && movesData(c):
		a.mark(c, "takes the guard's records elsewhere", effect.GuardTamper)
	case !changesGuard(verb), o.isOn("help", "h"), onlyShows(verb, &o):
	default:
		a.mark(c, "changes what the guard does (guardrails "+verb+")", effect.GuardTamper)
	}
}

// changesGuard reports whether a command can change what the guard does. Who starts mcp can call every tool of it.
func changesGuard(verb string) bool {
	return verb == among(verb, "allow-once fallback init delete toggle restore apply import bootstrap audit token mcp")
}

// onlyShows reports whether a command that can change something is asked to show something here.
func onlyShows(verb string, o *options) bool {
	if len(o.operands) > 1 && o.operands[1].partial {
		return false
	}
	switch second := o.word(1); verb {
	case "init", "import", "bootstrap":
		return o.isOn("dry-run")
	case "fallback":
		return len(o.operands) == 1 || len(o.operands) == 2 && second == "status"
	case "audit":
		return second == "" || second == among(second, "list export verify")
	case "token":
		return second == "" || second == "list"
	}
	return false
}

// startsOwn reports whether a server is started with other guidelines than it would have, or with more rights.
func startsOwn(c *command, args []value) bool {
	o := parseWords(args, "")
	return o.has("store tenant admin") || movesData(c)
}

// movesData reports whether a command is given another place for the guard's data.
func movesData(c *command) bool {
	for name := range c.sc.vars {
		if leadsToGuard(name) || oneOf(name, "XDG_DATA_HOME", "XDG_CONFIG_HOME", "ELASTICSEARCH_URL") {
			return true
		}
	}
	return false
}

// ownWord is the command among the arguments. A flag before it that belongs to the command may take the next argument or
// not: then any argument that is a command which changes something is taken for it.
func ownWord(args []value, o *options) string {
	if len(args) == 0 || !strings.HasPrefix(args[0].text, "-") || strings.HasPrefix(args[0].text, "-o") || strings.HasPrefix(args[0].text, "--output") {
		return o.word(0)
	}
	for _, v := range args {
		if changesGuard(v.text) {
			return v.text
		}
	}
	return o.word(0)
}

// isOn reports whether a switch is on: the last that is said of it counts, and --dry-run=false is off.
func (o *options) isOn(names ...string) bool {
	on := false
	for _, f := range o.flags {
		name, said, has := strings.Cut(strings.TrimPrefix(f.name, "-"), "=")
		if f.has {
			said, has = f.value.text, true
		}
		for _, n := range names {
			if name == n {
				set, err := strconv.ParseBool(said)
				on = !has || err == nil && set
			}
		}
	}
	return on
}

// soundsOwn finds the commands that only people may give by their words, whatever the program is called that they are
// given to: it may be a copy.
func (a *analyzer) soundsOwn(c *command) {
	switch o := parseOptions(c.args(), ownValues); o.word(0) {
	case "allow-once":
		if len(o.operands) < 2 || o.isOn("help", "h") {
			return
		}
	case "init":
		if !o.isOn("uninstall") {
			return
		}
	default:
		return
	}
	a.mark(c, "gives "+c.argv[0].text+" a command of guardrails that only people may give", effect.GuardTamper)
}

// globbedOwn judges a command word such as ~/.local/bin/g*s, which may stand for one of the product's programs.
func (a *analyzer) globbedOwn(c *command) {
	if p := a.place(c.argv[0], c.sc); p.program || mayMeanOwn(baseName(c.argv[0].text)) {
		a.ownVerb(c, c.args())
	}
}

// ownSource takes go run of the guard's own source for the guard itself.
func (a *analyzer) ownSource(c *command, source string) {
	name, _, _ := strings.Cut(baseName(strings.TrimRight(source, "/")), "@")
	if !isOwnName(name) {
		return
	}
	for i, v := range c.argv {
		if v.text == source {
			a.again(c, append([]value{{text: name}}, c.argv[i+1:]...))
			return
		}
	}
}

// meansGuard reports whether a pattern of names takes in the guard's: guard, or guardrail[s].
func meansGuard(pattern string) bool {
	const shortest = 5
	plain := strings.NewReplacer("[", "", "]", "", "^", "", "$", "", ".*", "", "\\", "").Replace(strings.ToLower(pattern))
	const name = "guardrails"
	start := min(len(plain), len(name))
	if len(plain) >= shortest && plain[:start] == name[:start] {
		return true
	}
	const all = "guardrails-enforce guardrails-inject guardrails-subagent guardrails-stop"
	return len(plain) > shortest+1 && strings.Contains(all, plain)
}

// settingNames adds to a builtin that sets the variables which it is given the names of those that the guard needs.
func settingNames(h handler) handler {
	return func(a *analyzer, c *command) flow {
		for i, v := range c.args() {
			if isGuardVariable(v.text) && (c.name != "printf" || i == 1 && c.argv[1].text == "-v") {
				a.mark(c, "changes "+v.text+", which the guard depends on", effect.GuardTamper)
			}
		}
		return h(a, c)
	}
}
