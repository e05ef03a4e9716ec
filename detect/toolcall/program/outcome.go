package program

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// Outcome is what an order to infrastructure comes to.
type Outcome uint8

const (
	Looks    Outcome = iota // it only shows something
	Changes                 // running infrastructure is changed
	Releases                // something new is running afterwards
	Destroys                // something is gone afterwards
	Reveals                 // a secret is printed
	Grants                  // someone may do more than before
	Opens                   // something is open to everyone
	Issues                  // something is published
)

// Judge adds the events of an outcome; what names the order for the reason.
func Judge(t *trace.Trace, c *trace.Command, o Outcome, what string) trace.Flow {
	switch o {
	case Changes:
		t.Mark(c, "changes infrastructure: "+what, effect.DevopsInvoked)
	case Releases:
		t.Mark(c, "releases to a running environment: "+what, effect.Deploy, effect.DevopsInvoked)
	case Destroys:
		t.Mark(c, "deletes infrastructure or its data: "+what, effect.DestructiveOp, effect.DevopsInvoked)
	case Reveals:
		t.Mark(c, "prints a secret: "+what, effect.SecretAccess)
		return trace.Flow{Taint: trace.FromSecret}
	case Grants:
		t.Mark(c, "gives someone lasting rights: "+what, effect.PrivilegeGain, effect.DevopsInvoked)
	case Opens:
		t.Mark(c, "opens something to everyone: "+what, effect.PermissionOpen, effect.DevopsInvoked)
	case Issues:
		t.Mark(c, "publishes: "+what, effect.Publish)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// Marks is the handler of a program every use of which means the same, unless it is asked for help.
func Marks(reason string, events ...effect.Event) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		if !flags.AsksForHelp(c) {
			t.Mark(c, reason, events...)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
}

// MarksWith is the handler of a program that means something only with one of the words as an argument. A word ending
// in = or * stands for every argument that begins so.
func MarksWith(reason string, event effect.Event, words ...string) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		if word := flags.FirstOf(c.Args(), words...); word != "" && !flags.AsksForHelp(c) {
			t.Mark(c, reason+" ("+c.Name+" "+word+")", event)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
}
