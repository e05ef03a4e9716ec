package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// A script that lies on disk is read when a call runs it, and its text is analysed like that of bash -c. What it does is
// marked with the script's number, because it counts less than what the call says itself: see Trust.

// Limits of the scripts that one call runs; what is over them is not looked into.
const (
	MaxScriptSize = 64 << 10 // bytes of one script
	maxScripts    = 16       // scripts, counting every time that one is run
	maxScriptText = 256 << 10
)

// scripts are the scripts that a call runs.
type scripts struct {
	read []effect.Script
	// running are those that are being followed, the innermost last.
	running []runningScript
	runs    int
	size    int
	// closed is set once a script was too much to follow: then no other one is read.
	closed bool
}

// runningScript is a script that is being followed, by its number, which counts from one, and its target.
type runningScript struct {
	number int
	target string
}

// current is the number of the script that is being followed; 0 for the call itself.
func (s *scripts) current() int {
	if len(s.running) == 0 {
		return 0
	}
	return s.running[len(s.running)-1].number
}

// find is the number of a script that was read before, or 0.
func (s *scripts) find(path string) int {
	for i := range s.read {
		if s.read[i].Path == path {
			return i + 1
		}
	}
	return 0
}

func (s *scripts) runsAlready(script runningScript) bool {
	for _, running := range s.running {
		if running == script {
			return true
		}
	}
	return false
}

// scriptAt reads the script at a place and returns its number; 0 when it is not read. What the call itself wrote there is
// known better, and what belongs to the system an agent cannot have put there.
func (a *analyzer) scriptAt(p *place, sc *scope) int {
	s := &a.scripts
	if a.env.Script == nil || s.closed || p.partial || p.glob || p.abs == "" || p.secret || sc.box != nil || p.zone == system || p.zone == device {
		return 0
	}
	if _, written := a.content[p.name]; written {
		return 0
	}
	if n := s.find(p.abs); n > 0 {
		return n
	}
	if len(s.read) >= maxScripts {
		return 0
	}
	text, ok := a.env.Script(p.abs, MaxScriptSize)
	if !ok || len(text) > MaxScriptSize || s.size+len(text) > maxScriptText || strings.IndexByte(string(text), 0) >= 0 {
		return 0
	}
	s.size += len(text)
	s.read = append(s.read, effect.Script{Path: p.abs, Text: string(text)})
	return len(s.read)
}

// fromDisk follows the script at a place, if it can be read, and reports whether it did. The analysis is given the
// script's text and the command with an effect of its own, so that what is said of the command is the script's.
func (a *analyzer) fromDisk(c *command, p *place, analyse func(inner *command, text string)) bool {
	return a.fromDiskTarget(c, p, "", analyse)
}

// fromDiskTarget is the same for one target of a file that has several.
func (a *analyzer) fromDiskTarget(c *command, p *place, target string, analyse func(inner *command, text string)) bool {
	number := a.scriptAt(p, c.sc)
	script := runningScript{number, target}
	if number == 0 || a.scripts.runs >= maxScripts || a.scripts.runsAlready(script) {
		return false
	}
	a.scripts.runs++
	a.scripts.running = append(a.scripts.running, script)
	defer func() { a.scripts.running = a.scripts.running[:len(a.scripts.running)-1] }()
	first, commands, calling := len(a.effects), a.commands, a.calling
	inner := *c
	inner.run, a.calling = first, nil
	a.emit(effect.Effect{Kind: effect.Run, Command: a.homeless(joinArgs(c.argv)), Data: true, Span: c.span, Inert: true})
	analyse(&inner, a.scripts.read[number-1].Text)
	a.calling = calling
	if a.full {
		a.giveUpScript(first, commands)
	}
	return true
}

// giveUpScript goes on behind a script that was too much to follow: what it was seen to do stays, and the rest is as
// little known as that of a script that is not read.
func (a *analyzer) giveUpScript(first, commands int) {
	a.full, a.commands, a.scripts.closed = false, commands, true
	kept := a.effects[:first]
	for _, e := range a.effects[first:] {
		if len(e.Events) > 0 {
			kept = append(kept, e)
		}
	}
	a.effects = kept
	if len(a.effects) < MaxEffects {
		a.emit(effect.Effect{Kind: effect.Opaque, Reason: "runs a script of which the rest is not looked into", Span: a.span(0, len(a.source))})
	}
}

// settleScripts takes out of the effects of scripts what only says that something is not known: no more is known of a
// script that is not read.
func (a *analyzer) settleScripts() {
	if len(a.scripts.read) == 0 {
		return
	}
	for i := range a.effects {
		e := &a.effects[i]
		if e.Script == 0 || len(e.Events) == 0 {
			continue
		}
		e.Drop(func(event effect.Event) bool { return event == effect.OpaqueExecution || event == effect.TooLarge })
		if len(e.Events) > 0 && e.Reason != "" {
			e.Reason += ", in the script " + a.display(a.scripts.read[e.Script-1].Path)
		}
	}
}

// Trust softens what comes from scripts that stand in the project's history as they are: a person has had them before.
// Of such a script counts what no script may do, what leaves the machine, and what a guideline says of a path or command.
func Trust(a *effect.Analysis, committed func(*effect.Script) bool) {
	trusted := make([]bool, len(a.Scripts))
	for i := range a.Scripts {
		trusted[i] = committed(&a.Scripts[i])
	}
	for i := range a.Effects {
		if e := &a.Effects[i]; e.Script > 0 && trusted[e.Script-1] {
			e.Inert = true
			harmless := isForTests(e)
			e.Drop(func(event effect.Event) bool { return isEveryday(event) || harmless && event == effect.GuardTamper })
		}
	}
}

// isForTests reports whether an effect concerns a guard that a script sets up to try it: a variable of the guard's, which
// only what the script starts can see, or the settings of a project in a temporary folder.
func isForTests(e *effect.Effect) bool {
	return e.Kind == effect.Opaque && isGuardVariable(e.Name) || e.IsTemporary() && inFolder(e.Path, ".claude")
}

// isEveryday reports whether an event is what the scripts of a project are there for: building, cleaning, installing.
func isEveryday(event effect.Event) bool {
	switch event {
	case effect.DestructiveOp, effect.OutsideDelete, effect.OutsideWrite, effect.SystemChange, effect.SystemControl, effect.PermissionOpen, effect.Privilege, effect.PrivilegeGain, effect.SecretAccess, effect.PipeToShell, effect.HiddenExecution,
		effect.StartupChange, effect.DefenseOff, effect.ContainerEscape, effect.UntrustedSource, effect.DiscardChanges, effect.HistoryRewrite, effect.ComplexOp:
		return true
	}
	return false
}
