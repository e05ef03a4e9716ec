package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
)

// sensitiveAssignment notes an assignment that changes what later commands run or that the guard depends on.
func (a *analyzer) sensitiveAssignment(name string, as *syntax.Assign, sc *scope) {
	if !isGuardVariable(name) && !runsCode(name) && name != "PATH" && !isHistoryVariable(name) {
		return
	}
	v := a.single(as.Value, sc)
	span := a.spanOf(as.Pos(), as.End())
	a.variableEffect(name, v, sc, span)
}

// sensitiveVariable is the same for env NAME=value.
func (a *analyzer) sensitiveVariable(c *command, name string, v value) {
	if isGuardVariable(name) || runsCode(name) || name == "PATH" {
		a.variableEffect(name, v, c.sc, c.span)
	}
}

func (a *analyzer) variableEffect(name string, v value, sc *scope, span effect.Span) {
	if isGuardVariable(name) {
		a.emit(effect.Effect{Kind: effect.Opaque, Name: name, Span: span, Reason: "changes " + name + ", which the guard depends on", Events: []effect.Event{effect.GuardTamper}})
		return
	}
	if isHistoryVariable(name) {
		if v.text == "" || v.text == "0" || v.text == "/dev/null" {
			a.opaque(span, "stops the shell from recording commands", effect.DefenseOff)
		}
		return
	}
	if name == "PATH" {
		if first, _, _ := strings.Cut(v.text, ":"); effect.IsTemporaryPath(first) {
			a.opaque(span, "lets programs in "+first+" stand in for the usual ones", effect.HiddenExecution)
		}
		return
	}
	if configuresGit(name) {
		a.opaque(span, name+" gives git settings, of which some are commands that git runs", effect.HiddenExecution)
		return
	}
	if preloads(name) {
		a.opaque(span, name+" loads "+v.text+" into every program that is started", effect.HiddenExecution)
		return
	}
	if v.text != "" && !v.partial {
		a.inside(span, func() flow { return a.script(v.text, sc.sub(), nothing()) })
	}
}

// isHistoryVariable reports whether a variable says where and how much a shell records.
func isHistoryVariable(name string) bool {
	return name == "HISTFILE" || name == "HISTSIZE" || name == "HISTFILESIZE" || name == "SAVEHIST"
}

func isGuardVariable(name string) bool {
	if name == among(name, "CLAUDE_PROJECT_DIR CLAUDE_INSTANCE_ID CLAUDE_CONFIG_DIR CLAUDE_CODE_SESSION_ID CLAUDE_ENV_FILE "+
		"CLAUDE_CODE_SIMPLE") {
		return true
	}
	return strings.HasPrefix(name, "GUARDRAILS_")
}

// setsVariables notes among a command's arguments the names of variables that the guard needs: NAME, or NAME=value.
func (a *analyzer) setsVariables(c *command, args []value) {
	for _, v := range args {
		if name, _, _ := strings.Cut(v.text, "="); isGuardVariable(name) {
			a.mark(c, "changes "+name+", which the guard depends on", effect.GuardTamper)
		}
	}
}

// runsCode reports whether a variable's value is a command that other programs run.
func runsCode(name string) bool {
	if name == among(name, "GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS SSH_ASKPASS "+
		"PAGER EDITOR VISUAL PROMPT_COMMAND BROWSER LESSOPEN") {
		return true
	}
	return preloads(name) || configuresGit(name)
}

// configuresGit reports whether a variable carries settings of git by itself. What GIT_CONFIG_VALUE_0 means is known
// only with its key, so that the count alone is enough to ask.
func configuresGit(name string) bool {
	return name == "GIT_CONFIG_COUNT" || name == "GIT_CONFIG_PARAMETERS" || strings.HasPrefix(name, "GIT_CONFIG_KEY_")
}

func preloads(name string) bool {
	return name == among(name, "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV PERL5OPT PYTHONSTARTUP RUBYOPT")
}
