package trace

import (
	"strings"

	"guardrails/detect/effect"
)

// A script that lies on disk is read when a call runs it, and its text is analysed like that of bash -c. What it does is
// marked with the script's number, because it counts less than what the call says itself: see Trust.

// Limits of the scripts that one call runs; what is over them is not looked into.
const (
	MaxScriptSize = 64 << 10 // bytes of one script
	MaxScripts    = 16       // scripts, counting every time that one is run
	maxScriptText = 256 << 10
)

// scripts are the scripts that a call runs.
type scripts struct {
	Read []effect.Script
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

// Current is the number of the script that is being followed; 0 for the call itself.
func (s *scripts) Current() int {
	if len(s.running) == 0 {
		return 0
	}
	return s.running[len(s.running)-1].number
}

// find is the number of a script that was read before, or 0.
func (s *scripts) find(path string) int {
	for i := range s.Read {
		if s.Read[i].Path == path {
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

// ScriptAt reads the script at a place and returns its number; 0 when it is not read. What the call itself wrote there is
// known better, and what belongs to the system an agent cannot have put there.
func (t *Trace) ScriptAt(p *Place, sc *Scope) int {
	s := &t.Scripts
	if t.Env.Script == nil || s.closed || p.Partial || p.Glob || p.Abs == "" || p.Secret || sc.Container != nil || p.Zone == System || p.Zone == Device {
		return 0
	}
	if _, written := t.Content[p.Name]; written {
		return 0
	}
	if n := s.find(p.Abs); n > 0 {
		return n
	}
	if len(s.Read) >= MaxScripts {
		return 0
	}
	text, ok := t.Env.Script(p.Abs, MaxScriptSize)
	if !ok || len(text) > MaxScriptSize || s.size+len(text) > maxScriptText || strings.IndexByte(string(text), 0) >= 0 {
		return 0
	}
	s.size += len(text)
	s.Read = append(s.Read, effect.Script{Path: p.Abs, Text: string(text)})
	return len(s.Read)
}

// FromDisk follows the script at a place, if it can be read, and reports whether it did. The analysis is given the
// script's text and the command with an effect of its own, so that what is said of the command is the script's.
func (t *Trace) FromDisk(c *Command, p *Place, analyse func(inner *Command, text string)) bool {
	return t.FromDiskTarget(c, p, "", analyse)
}

// FromDiskTarget is the same for one target of a file that has several.
func (t *Trace) FromDiskTarget(c *Command, p *Place, target string, analyse func(inner *Command, text string)) bool {
	number := t.ScriptAt(p, c.Scope)
	script := runningScript{number, target}
	if number == 0 || t.Scripts.runs >= MaxScripts || t.Scripts.runsAlready(script) {
		return false
	}
	t.Scripts.runs++
	t.Scripts.running = append(t.Scripts.running, script)
	defer func() { t.Scripts.running = t.Scripts.running[:len(t.Scripts.running)-1] }()
	first, commands, calling := len(t.Effects), t.Commands, t.Calling
	inner := *c
	inner.Run, t.Calling = first, nil
	t.Emit(effect.Effect{Kind: effect.Run, Command: t.homeless(JoinArgs(c.Argv)), Data: true, Span: c.Span, Inert: true})
	analyse(&inner, t.Scripts.Read[number-1].Text)
	t.Calling = calling
	if t.Full {
		t.giveUpScript(first, commands)
	}
	return true
}

// giveUpScript goes on behind a script that was too much to follow: what it was seen to do stays, and the rest is as
// little known as that of a script that is not read.
func (t *Trace) giveUpScript(first, commands int) {
	t.Full, t.Commands, t.Scripts.closed = false, commands, true
	kept := t.Effects[:first]
	for _, e := range t.Effects[first:] {
		if len(e.Events) > 0 {
			kept = append(kept, e)
		}
	}
	t.Effects = kept
	if len(t.Effects) < MaxEffects {
		t.Emit(effect.Effect{Kind: effect.Opaque, Reason: "runs a script of which the rest is not looked into", Span: t.Span(0, len(t.Source))})
	}
}

// settleScripts takes out of the effects of scripts what only says that something is not known: no more is known of a
// script that is not read.
func (t *Trace) settleScripts() {
	if len(t.Scripts.Read) == 0 {
		return
	}
	for i := range t.Effects {
		e := &t.Effects[i]
		if e.Script == 0 || len(e.Events) == 0 {
			continue
		}
		e.Drop(func(event effect.Event) bool { return event == effect.OpaqueExecution || event == effect.TooLarge })
		if len(e.Events) > 0 && e.Reason != "" {
			e.Reason += ", in the script " + t.display(t.Scripts.Read[e.Script-1].Path)
		}
	}
}
