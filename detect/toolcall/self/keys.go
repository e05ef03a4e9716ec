package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// typeKeys is a program that types on the screen, where the client's own prompt may be.
func typeKeys(t *trace.Trace, c *trace.Command) trace.Flow {
	Typed(t, c, c.Args())
	return trace.Flow{Taint: trace.FromProgram}
}

// Typed notes that text is typed somewhere in which the guard is spoken to.
func Typed(t *trace.Trace, c *trace.Command, words []trace.Value) {
	for _, v := range words {
		if SpeaksToGuard(v.Text) || strings.Contains(strings.ToLower(v.Text), "guardrails") && namesOwnChange(v.Text) {
			t.Mark(c, "types "+trace.Shorten(v.Text)+" in the place of a person", effect.GuardTamper)
			return
		}
	}
	if SpeaksToGuard(trace.JoinArgs(append([]trace.Value{{}}, words...))) {
		t.Mark(c, "types to the guard in the place of a person", effect.GuardTamper)
	}
}

func namesOwnChange(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if changesGuard(word) && !words.OneOf(word, "audit", "token") || words.OneOf(word, "prune", "create", "revoke") {
			return true
		}
	}
	return false
}

// SendsKeys is tmux send-keys. Without a target, or with the pane of the client itself, keys that answer a dialog are the
// client's.
func SendsKeys(t *trace.Trace, c *trace.Command, args []trace.Value, otherServer bool) {
	o, keys := flags.ParseLeading(args, "t N c")
	Typed(t, c, keys)
	target := trace.FirstText(o.Values("t"))
	if len(keys) == 0 || otherServer {
		return
	}
	for _, v := range keys {
		if !answersDialog(v.Text) {
			return
		}
	}
	if target != "" && !strings.Contains(target, "TMUX_PANE") {
		if isChoice(keys[0].Text) {
			t.Opaque(c.Span, "presses "+keys[0].Text+" in the window "+trace.Shorten(target)+", where a dialog of the client may be", effect.OpaqueExecution)
		}
		return
	}
	t.Mark(c, "presses "+trace.JoinArgs(keys)+" in the client's own window", effect.GuardTamper)
}

func isChoice(key string) bool { return len(key) == 1 && key[0] >= '1' && key[0] <= '9' }

// answersDialog reports whether a key says yes to a dialog, or chooses in it.
func answersDialog(key string) bool {
	switch strings.ToLower(key) {
	case "1", "2", "3", "y", "yes", "enter", "c-m", "kpenter", "up", "down", "tab", "space", "escape":
		return true
	}
	return false
}

// ScreenCommand is screen -X: what it stuffs into a window is typed there.
func ScreenCommand(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	if operands[0].Text != "stuff" || len(operands) < 2 {
		return
	}
	Typed(t, c, operands[1:])
	v := operands[1]
	v.Text = strings.NewReplacer(`\n`, "\n", `\r`, "\n", "^M", "\n", `\015`, "\n", `\012`, "\n").Replace(v.Text)
	t.RunText(c, v)
}
