package hooks

import (
	"guardrails/detect/effect"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
)

// AddLoop adds the event ToolLoop to a call that an agent has made again and again. It does not add the event if the
// agent has finished another call since then, or if a prompt has come since then. It reports whether it has added the
// event.
func AddLoop(dir *private.Dir, e *wire.Event, call *effect.Analysis) bool {
	if dir == nil || e.Session == "" {
		return false
	}
	// Most sessions have no loop. For such a session, computing the hash of a large call would waste time.
	if _, found := dir.Seen(session.LoopsName(e.Session)); !found {
		return false
	}
	noted, found := dir.Seen(loopName(e))
	if !found {
		return false
	}
	for _, name := range [...]string{
		session.CallsName(e.Session, e.Agent), session.BeatName(e.Session, wire.UserPromptSubmit),
	} {
		if later, ok := dir.Seen(name); ok && later.After(noted) {
			return false
		}
	}
	if len(call.Effects) == 0 {
		call.Effects = append(call.Effects, effect.Effect{Kind: effect.Use})
	}
	call.Effects[0].Events = append(call.Effects[0].Events, effect.ToolLoop)
	return true
}

// NoteLoop records that an agent has made a call again and again.
func NoteLoop(dir *private.Dir, e *wire.Event) error {
	if err := dir.Touch(loopName(e)); err != nil {
		return err
	}
	return dir.Touch(session.LoopsName(e.Session))
}

// loopName returns the name of the file that marks a call as a part of a loop.
func loopName(e *wire.Event) string {
	return session.LoopName(e.Session, e.Agent, e.Tool+"\n"+callText(e))
}

// callText returns the command of a call, or the whole input if the call has no command. Two calls of the same command
// have the same text, even if the descriptions of the two calls differ.
func callText(e *wire.Event) string {
	if command := memberText(e.Input, "command"); command != "" {
		return command
	}
	return string(e.Input)
}
