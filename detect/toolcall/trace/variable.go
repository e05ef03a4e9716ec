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
	if IsGuardVariable(name) || RunsCode(name) || name == "PATH" {
		t.VariableEffect(name, v, c.Scope, c.Span)
	}
}

// VariableEffect adds the effect of setting a variable that the guard reads, or that makes programs run code.
func (t *Trace) VariableEffect(name string, v Value, sc *Scope, span effect.Span) {
	if IsGuardVariable(name) {
		t.Emit(effect.Effect{
			Kind: effect.Opaque, Name: name, Span: span, Events: []effect.Event{effect.GuardTamper},
			Reason: "changes " + name + ", which the guard depends on",
		})
		return
	}
	if IsHistoryVariable(name) {
		if v.Text == "" || v.Text == "0" || v.Text == "/dev/null" {
			t.Opaque(span, "stops the shell from recording commands", effect.DefenseOff)
		}
		return
	}
	if name == "PATH" || name == "GIT_EXEC_PATH" {
		// A project can be below a temporary folder. Its own programs are read when they run.
		first, _, _ := strings.Cut(v.Text, ":")
		if effect.IsTemporaryPath(first) && (t.Env.Root == "" || !strings.HasPrefix(first, t.Env.Root+"/")) {
			t.Opaque(span, "lets programs in "+first+" replace the usual ones", effect.HiddenExecution)
		}
		return
	}
	if configuresGit(name) {
		if v.Text == "/dev/null" || v.Text == "" && !v.Partial {
			return
		}
		t.Opaque(span, name+" changes git's settings, and such settings can be commands that git runs", effect.HiddenExecution)
		return
	}
	if Preloads(name) {
		if v.Text == "" && !v.Partial {
			return
		}
		t.Opaque(span, name+" loads "+v.Text+" into every program that is started", effect.HiddenExecution)
		return
	}
	if tracesGit(name) {
		if strings.HasPrefix(v.Text, "/") && !v.Partial {
			t.Write(v, sc, span)
		}
		return
	}
	if script := commandIn(name, v.Text); script != "" && !v.Partial {
		t.Inside(span, func() Flow { return t.Shell(script, sc.Sub(), Nothing()) })
	}
}

// commandIn returns a shell command with the same effects that programs have because of a variable with this value. It
// returns "" if the variable has no effects.
func commandIn(name, value string) string {
	switch name {
	case "PS1", "PS2", "PS4":
		if !strings.Contains(value, "$(") && !strings.Contains(value, "`") {
			return ""
		}
		return ": \"" + strings.ReplaceAll(value, `"`, `\"`) + "\""
	case "MAKEFILES":
		return "make -f " + words.Quote(value)
	case "MAKEFLAGS", "GNUMAKEFLAGS":
		if !strings.Contains(value, "-f") && !strings.Contains(value, "eval") {
			return ""
		}
		return "make " + value
	case "LUA_INIT":
		return "lua -e " + words.Quote(value)
	case "TAR_OPTIONS":
		return "tar tf x " + value
	case "PERL5DB":
		return "perl -e " + words.Quote(value)
	case "GOFLAGS":
		_, program, _ := strings.Cut(value, "-toolexec=")
		return program
	case "NODE_OPTIONS":
		return requiredByNode(value)
	case "SHELL":
		if IsShell(ProgramName(value)) {
			return ""
		}
	}
	if strings.HasPrefix(name, exportedFunction) {
		return "f" + value + "; f"
	}
	return value
}

// requiredByNode returns a command that runs the file that the options of Node.js load before the program. A name
// without a path is a package.
func requiredByNode(options string) string {
	list := strings.Fields(strings.NewReplacer("=", " ", `"`, "", "'", "").Replace(options))
	for i, word := range list {
		if word != words.Among(word, "-r --require --import --loader --experimental-loader") || i+1 == len(list) {
			continue
		}
		if file := list[i+1]; file[0] == '.' || file[0] == '/' {
			return "node " + words.Quote(file)
		}
	}
	return ""
}

// tracesGit reports whether git appends its messages to the file in this variable.
func tracesGit(name string) bool { return strings.HasPrefix(name, "GIT_TRACE") }

// IsHistoryVariable reports whether a variable controls the file or the size of the history that a shell records.
func IsHistoryVariable(name string) bool {
	return name == "HISTFILE" || name == "HISTSIZE" || name == "HISTFILESIZE" || name == "SAVEHIST"
}

// IsGuardVariable reports whether a variable is one that the guard or the client reads.
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
	if name == words.Among(name, "GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS "+
		"SSH_ASKPASS PAGER EDITOR VISUAL PROMPT_COMMAND BROWSER LESSOPEN LESSCLOSE GIT_SSH GIT_PROXY_COMMAND SUDO_ASKPASS "+
		"MANPAGER PSQL_PAGER KUBE_EDITOR SYSTEMD_EDITOR FCEDIT HGEDITOR SVN_EDITOR RSYNC_RSH CVS_RSH CC CXX MAKEFLAGS "+
		"GNUMAKEFLAGS MAKEFILES RUSTC RUSTC_WRAPPER npm_config_script_shell SHELL PS1 PS2 PS4 PERL5DB GOFLAGS NODE_OPTIONS "+
		"LUA_INIT TAR_OPTIONS GIT_EXEC_PATH") {
		return true
	}
	for _, ending := range [...]string{"_PAGER", "_EDITOR", "_BROWSER", "_COMMAND", "_SSH", "_WRAPPER"} {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return Preloads(name) || configuresGit(name) || tracesGit(name) || strings.HasPrefix(name, exportedFunction)
}

// exportedFunction begins the name of a variable that defines a function in every bash that inherits it. Two percent
// signs end the name, and the value is the body with its parentheses.
const exportedFunction = "BASH_FUNC_"

// configuresGit reports whether a variable changes the configuration of git. It ignores GIT_CONFIG_VALUE_0 and similar
// variables, because git ignores them too if GIT_CONFIG_COUNT is not set.
func configuresGit(name string) bool {
	return name == words.Among(name, "GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM "+
		"GIT_TEMPLATE_DIR") ||
		strings.HasPrefix(name, "GIT_CONFIG_KEY_")
}

// Preloads reports whether a variable makes programs load code when they start.
func Preloads(name string) bool {
	return name == words.Among(name, "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV PERL5OPT PYTHONSTARTUP RUBYOPT")
}
