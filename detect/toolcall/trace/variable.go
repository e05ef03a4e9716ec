package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// SensitiveVariable adds an effect for an assignment such as "env NAME=value", if the variable matters to the guard or
// makes programs run code.
func (t *Trace) SensitiveVariable(c *Command, name string, v Value) {
	if IsSensitive(name) {
		t.VariableEffect(name, v, c.Scope, c.Span)
	}
}

// SetVariable gives a variable of the shell a single value, and adds the effect of the assignment if there is one.
func (t *Trace) SetVariable(name string, values []Value, sc *Scope, span effect.Span) {
	name = sc.Target(name)
	if IsSensitive(name) {
		t.VariableEffect(name, values[0], sc, span)
	}
	t.Keep(name, Variable{Values: values[:1]}, sc)
}

// Keep gives a variable of the shell a value. Programs inherit the variable only if it was exported before.
func (t *Trace) Keep(name string, v Variable, sc *Scope) {
	name = sc.Target(name)
	old, known := sc.Vars.Find(name)
	v.Inner = !sc.Exports && (old.Inner || !known && (t.Env.Variable == nil || t.Env.Variable(name) == ""))
	sc.Set(name, v)
}

// IsSensitive reports whether a variable matters to the guard, makes programs run code, or controls the shell's
// history.
func IsSensitive(name string) bool {
	return IsGuardVariable(name) || RunsCode(name) || name == "PATH" || IsHistoryVariable(name)
}

// VariableEffect adds the effect of setting a variable that the guard reads, or that makes programs run code.
func (t *Trace) VariableEffect(name string, v Value, sc *Scope, span effect.Span) {
	reason, event := "", effect.HiddenExecution
	switch {
	case IsGuardVariable(name):
		reason, event = "changes "+name+", which the guard depends on", effect.GuardTamper
		t.Emit(effect.Effect{Kind: effect.Opaque, Name: name, Span: span, Events: []effect.Event{event}, Reason: reason})
		return
	case IsHistoryVariable(name):
		if v.Text == "" || v.Text == "0" || v.Text == "/dev/null" {
			reason, event = "stops the shell from recording commands", effect.DefenseOff
		}
	case name == "PATH" || name == "GIT_EXEC_PATH":
		// A project can be below a temporary folder. The project's own programs cause no event here, because they are
		// analyzed when they run.
		first, _, _ := strings.Cut(v.Text, ":")
		if effect.IsTemporaryPath(first) && (t.Env.Root == "" || !strings.HasPrefix(first, t.Env.Root+"/")) {
			reason = "lets programs in " + first + " replace the usual ones"
		}
	case configuresGit(name):
		if v.Partial || v.Text != "" && v.Text != "0" && v.Text != "/dev/null" {
			reason = name + " changes git's settings, and such settings can be commands that git runs"
		}
	case Preloads(name):
		if v.Partial || !loadsNothingNew(name, v.Text) {
			reason = name + " loads " + v.Text + " into every program that is started"
		}
	case name == words.Among(name, javaVariables) && foreignAgent(v.Text) != "":
		reason = name + " loads " + foreignAgent(v.Text) + " into every program that runs on Java"
	case tracesGit(name):
		if strings.HasPrefix(v.Text, "/") && !v.Partial {
			t.Write(v, sc, span)
		}
	default:
		if script := commandIn(name, v.Text); script != "" && !v.Partial {
			t.Inside(span, func() Flow { return t.Shell(script, sc.Sub(), Nothing()) })
		}
	}
	if reason != "" {
		t.Opaque(span, reason, event)
	}
}

// goProgram returns the program that a flag in GOFLAGS runs. A flag with spaces is in quotes, as in
// "'-exec=sh -c x' -v".
func goProgram(value string) string {
	for _, name := range [...]string{"-toolexec=", "-exec=", "-vettool="} {
		if before, program, ok := strings.Cut(value, name); ok {
			before = strings.TrimSuffix(before, "-") // --exec
			if quote := before[max(0, len(before)-1):]; quote == "'" || quote == `"` {
				program, _, _ = strings.Cut(program, quote)
			}
			return program
		}
	}
	return ""
}

// commandIn returns a shell command that has the same effects as giving this value to the variable. It returns "" if
// the variable has no effects.
func commandIn(name, value string) string {
	switch name = settingName(name); name {
	case "PS1", "PS2", "PS4":
		if !strings.Contains(value, "$(") && !strings.Contains(value, "`") {
			return ""
		}
		return ": \"" + strings.ReplaceAll(value, `"`, `\"`) + "\""
	case "MAKEFLAGS", "GNUMAKEFLAGS":
		if !strings.Contains(value, "-f") && !strings.Contains(value, "eval") {
			return ""
		}
		return "make " + value
	case "GOFLAGS":
		return goProgram(value)
	case "LESSOPEN":
		return strings.TrimLeft(value, "|-")
	case "NODE_OPTIONS", "npm_config_node_options", "BUN_OPTIONS":
		return requiredByNode(value)
	case "RUSTFLAGS":
		_, program, _ := strings.Cut(value, "linker=")
		program, _, _ = strings.Cut(program, " ")
		return program
	case words.Among(name, javaVariables):
		switch {
		case strings.Contains(value, "Error="):
			value += "\n" + strings.ReplaceAll(value, "Error=", "\n") // the command may have no quotes
		case !strings.Contains(value, "-javaagent:") && !strings.Contains(value, "-agentpath:"):
			return ""
		}
	case words.Among(name, erlangVariables):
		if !strings.Contains(value, "-eval") && !strings.Contains(value, "-run") {
			return ""
		}
	case "LESS":
		// When the program "less" starts, it runs the commands after a plus sign. The plus sign may follow other
		// options.
		_, value, _ = strings.Cut(value, "+")
		value = "+" + strings.ReplaceAll(value[max(0, strings.IndexAny(value, "!|")):], "+!", "\n")
	case "SHELL":
		if IsShell(ProgramName(value)) {
			return ""
		}
	}
	if strings.HasPrefix(name, exportedFunction) {
		return "f" + value + "; f"
	}
	for line := range strings.Lines(optionVariables) {
		if names, program, _ := strings.Cut(strings.TrimRight(line, "\n"), " = "); name == words.Among(name, names) {
			if options, ok := strings.CutSuffix(program, " ..."); ok {
				return options + " " + value
			}
			return program + " " + words.Quote(value)
		}
	}
	return value
}

// Each line of optionVariables has the names of variables and a command. The variables pass code or options to a
// program. The command has the same effect as setting such a variable. The value of the variable is appended to the
// command as one argument. If the command ends in three dots, the value replaces the dots and may be several arguments.
const optionVariables = `MAKEFILES = make -f
LUA_INIT = lua -e
PERL5DB = perl -e
VIMINIT EXINIT = vim -c
LESS = less x
TAR_OPTIONS = tar xOf x ...
FZF_DEFAULT_OPTS = fzf ...
R_PROFILE R_PROFILE_USER = Rscript
` + javaVariables + " = java ...\n" + erlangVariables + " = erl -eval\n"

// These variables contain options for programs that run on Java or Erlang.
const (
	javaVariables   = "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS GRADLE_OPTS SBT_OPTS"
	erlangVariables = "ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ELIXIR_ERL_OPTIONS"
)

// requiredByNode is for options that make Node.js load a file before the program. It returns a command that runs this
// file. It ignores a name without a path, because such a name is the name of a package.
func requiredByNode(options string) string {
	list := strings.Fields(words.Replace(options, "=", " ", `"`, "", "'", ""))
	for i, word := range list {
		if word != words.Among(word, "-r --require --import --loader --experimental-loader --preload") || i+1 == len(list) {
			continue
		}
		switch file := list[i+1]; {
		case file[0] == '.' || file[0] == '/':
			return "node " + words.Quote(file)
		case strings.HasPrefix(file, "data:"):
			_, code, _ := strings.Cut(options, "data:")
			return "node --import " + words.Quote("data:"+code) + " -e ''"
		}
	}
	return ""
}

// tracesGit reports whether git appends its messages to the file that this variable names.
func tracesGit(name string) bool { return strings.HasPrefix(name, "GIT_TRACE") }

// IsHistoryVariable reports whether a variable controls the file or the size of the history that a shell records.
func IsHistoryVariable(name string) bool {
	return name == "HISTFILE" || name == "HISTSIZE" || name == "HISTFILESIZE" || name == "SAVEHIST"
}

// RunsNoShell reports whether a command starts no shell. Variables such as HISTFILE have no effect on such a command.
func RunsNoShell(argv []Value) bool {
	for i, v := range argv {
		name := ProgramName(v.Text)
		if v.Partial || IsShell(name) || i == 0 && words.OneOf(name, "eval exec source . command builtin tmux screen script "+
			"sudo doas su env ssh xterm login") {
			return false
		}
	}
	return true
}

// IsGuardVariable reports whether the guard or the client reads a variable.
func IsGuardVariable(name string) bool {
	switch name {
	case product.VariableProject, product.VariableAgent, product.VariableClientDir, product.VariableSession,
		"CLAUDE_ENV_FILE", "CLAUDE_CODE_SIMPLE":
		return true
	}
	return strings.HasPrefix(name, product.VariablePrefix)
}

// SetsVariables marks a command if one of its arguments, NAME or NAME=value, names a variable of the guard.
func (t *Trace) SetsVariables(c *Command, args []Value) {
	for _, v := range args {
		if name, _, _ := strings.Cut(v.Text, "="); IsGuardVariable(name) {
			t.Mark(c, "changes "+name+", which the guard depends on", effect.GuardTamper)
		}
	}
}

// RunsCode reports whether other programs run code because of the value of this variable.
func RunsCode(name string) bool {
	if name = settingName(name); name == words.Among(name, "GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS "+
		"SSH_ASKPASS PAGER EDITOR VISUAL PROMPT_COMMAND BROWSER LESSOPEN LESSCLOSE GIT_SSH GIT_PROXY_COMMAND SUDO_ASKPASS "+
		"MANPAGER PSQL_PAGER KUBECTL_EXTERNAL_DIFF BORG_PASSCOMMAND BORG_RSH KUBE_EDITOR SYSTEMD_EDITOR FCEDIT HGEDITOR SVN_EDITOR RSYNC_RSH CVS_RSH CC CXX MAKEFLAGS "+
		"GNUMAKEFLAGS MAKEFILES RUSTC RUSTC_WRAPPER npm_config_script_shell SHELL PS1 PS2 PS4 PERL5DB GOFLAGS NODE_OPTIONS "+
		"LUA_INIT TAR_OPTIONS GIT_EXEC_PATH VIMINIT EXINIT LESS FZF_DEFAULT_OPTS RSYNC_CONNECT_PROG R_PROFILE R_PROFILE_USER "+
		"RUSTFLAGS BUN_OPTIONS npm_config_node_options "+javaVariables+" "+erlangVariables) ||
		strings.HasPrefix(name, "CARGO_TARGET_") && strings.HasSuffix(name, "_RUNNER") {
		return true
	}
	for _, ending := range [...]string{"_PAGER", "_EDITOR", "_BROWSER", "_COMMAND", "_SSH", "_WRAPPER", "_LAUNCHER"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return Preloads(name) || configuresGit(name) || tracesGit(name) || strings.HasPrefix(name, exportedFunction)
}

// foreignAgent returns the first Java option that loads a native library by its path, loads a Java agent from a
// temporary folder, or names a file with more options. If there is none, it returns "".
func foreignAgent(options string) string {
	for _, option := range strings.Fields(strings.ReplaceAll(strings.ReplaceAll(options, "'", ""), `"`, "")) {
		kind, path, _ := strings.Cut(option, ":")
		library, _, _ := strings.Cut(path, "=")
		if option[0] == '@' || kind == "-javaagent" && effect.IsTemporaryPath(path) ||
			words.OneOf(kind, "-agentlib -agentpath") && strings.IndexByte(library, '/') >= 0 {
			return option
		}
	}
	return ""
}

// settingName returns the name of a variable. For a setting of npm, it returns the name in lower case, because the case
// of such a name does not matter.
func settingName(name string) string {
	if lower := strings.ToLower(name); strings.HasPrefix(lower, "npm_config_") {
		return lower
	}
	return name
}

// exportedFunction is the beginning of the name of a variable that defines a function in every bash that inherits the
// variable. The name ends with two percent signs. The value of the variable is "()" and the body of the function.
const exportedFunction = "BASH_FUNC_"

// configuresGit reports whether a variable changes the configuration of git. It ignores GIT_CONFIG_VALUE_0 and similar
// variables, because the name of the setting is in GIT_CONFIG_KEY_0.
func configuresGit(name string) bool {
	return name == words.Among(name, "GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM "+
		"GIT_TEMPLATE_DIR") ||
		strings.HasPrefix(name, "GIT_CONFIG_KEY_")
}

// Preloads reports whether a variable makes programs load additional code when they start.
func Preloads(name string) bool {
	return name == words.Among(name, "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV PERL5OPT PYTHONSTARTUP RUBYOPT "+
		"GCONV_PATH DOTNET_STARTUP_HOOKS")
}

// loadsNothingNew reports whether a variable with this value makes programs load nothing, or only libraries of the
// system.
func loadsNothingNew(name, value string) bool {
	switch name {
	case "RUBYOPT":
		// In RUBYOPT, the options -r and -I can follow other options in the same word. The hyphen before the options
		// may be missing.
		value = strings.ReplaceAll(strings.ReplaceAll(value, "-W:no-deprecated", ""), "-W:no-experimental", "")
		return !strings.ContainsAny(value, "rI")
	case "LD_PRELOAD":
		// A library without a path can be in a folder of LD_LIBRARY_PATH.
		for _, library := range strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ':' }) {
			if !strings.HasPrefix(library, "/usr/lib/") || strings.Contains(library, "..") {
				return false
			}
		}
		return true
	}
	return value == ""
}
