package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Outcome is the effect of a subcommand, such as deleting infrastructure.
type Outcome uint8

// The outcomes of subcommands.
const (
	Looks     Outcome = iota // only shows something
	Changes                  // changes running infrastructure
	Releases                 // releases or starts something
	Destroys                 // deletes something
	Reveals                  // prints a secret
	Grants                   // gives someone more rights
	Opens                    // opens something to everyone
	Publishes                // publishes something
	Tests                    // runs tests
)

// The variable "outcomes" lists the name, the reason and the events of each outcome. The rows of the tables use
// these names.
var outcomes = [...]struct { //nolint:gochecknoglobals // a constant table
	name, reason string
	events       []effect.Event
}{
	Looks:    {name: "looks"},
	Changes:  {"changes", "changes infrastructure: ", []effect.Event{effect.DevopsInvoked}},
	Releases: {"releases", "releases to a running environment: ", []effect.Event{effect.Deploy, effect.DevopsInvoked}},
	Destroys: {
		"destroys", "deletes infrastructure or its data: ",
		[]effect.Event{effect.DestructiveOp, effect.DevopsInvoked},
	},
	Reveals: {"reveals", "prints a secret: ", []effect.Event{effect.SecretAccess}},
	Grants:  {"grants", "gives someone lasting rights: ", []effect.Event{effect.PrivilegeGain, effect.DevopsInvoked}},
	Opens: {
		"opens", "gives everyone access to something: ",
		[]effect.Event{effect.PermissionOpen, effect.DevopsInvoked},
	},
	Publishes: {"publishes", "publishes: ", []effect.Event{effect.Publish}},
	Tests:     {"tests", "", []effect.Event{effect.TestRun}},
}

// Judge adds the events of an outcome to a command. The reason shows the parameter "order", which is the
// subcommand.
func Judge(t *trace.Trace, c *trace.Command, o Outcome, order string) trace.Flow {
	if o == Tests {
		t.MarkTest(c)
		return trace.Flow{Taint: trace.FromProgram}
	}
	meaning := &outcomes[o]
	reason := meaning.reason
	if reason != "" {
		reason += order
	}
	t.MarkAll(c, reason, meaning.events...)
	if o == Reveals {
		return trace.Flow{Taint: trace.FromSecret}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// RunWithSecrets analyzes a command that another program runs with secrets in its environment.
func RunWithSecrets(t *trace.Trace, c *trace.Command, inner []trace.Value) trace.Flow {
	return MarkEnviron(t, c, t.RunInner(c, inner))
}

// MarkEnviron marks a command that prints an environment with secrets. It ignores direnv, which sets ordinary
// variables.
func MarkEnviron(t *trace.Trace, c *trace.Command, out trace.Flow) trace.Flow {
	if out.Taint.Has(trace.FromEnviron) && c.Name != "direnv" {
		t.Mark(c, "prints the environment, which holds secrets", effect.SecretAccess)
	}
	return out
}

// EditorPrints reports whether a variable such as EDITOR names a program that may print files, as in "EDITOR=cat sops
// x.yaml". It returns false only for the known editors, without options or with options that are known to be harmless.
func EditorPrints(s *trace.Scope) bool {
	for _, name := range [...]string{"EDITOR", "VISUAL", "SOPS_EDITOR"} {
		for i, word := range strings.Fields(s.Exported(name).Text) {
			known := "--wait -w -n -nw -t -f"
			if i == 0 {
				known, word = editors, strings.TrimPrefix(word, "/usr/bin/")
			}
			if !words.OneOf(word, known) {
				return true
			}
		}
	}
	return false
}

// The constant "editors" lists the editors that show a file on the screen and print nothing.
const editors = "vim vi nvim nano emacs emacsclient code codium cursor zed subl mate micro hx ed pico gvim mvim gedit idea"

// EditsSecrets judges a subcommand that decrypts secrets and opens them in an editor.
func EditsSecrets(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if EditorPrints(c.Scope) {
		return Judge(t, c, Reveals, c.Name+" "+o.Order())
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// Marks is a function that returns the handler of a program whose calls have the same events, whatever their arguments
// are. Calls that only ask for help have no events.
func Marks(reason string, events ...effect.Event) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		if !flags.AsksForHelp(c) {
			t.MarkAll(c, reason, events...)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
}

// MarksWith returns the handler of a program. The handler adds the event to a call if flags.FirstOf finds a word of the
// list in its arguments. The handler ignores calls for help and calls with --dry-run.
func MarksWith(reason string, event effect.Event, list string) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		if word := flags.FirstOf(c.Args(), list); word != "" && !flags.AsksForHelp(c) &&
			flags.FirstOf(c.Args(), "--dry-run") == "" {
			t.Mark(c, reason+" ("+c.Name+" "+word+")", event)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
}
