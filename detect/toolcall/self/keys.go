package self

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// typeKeys handles a program that simulates typing. Such a program may type the text into the client's prompt.
func typeKeys(t *trace.Trace, c *trace.Command) trace.Flow {
	MarkTyping(t, c, c.Args())
	return trace.Flow{Taint: trace.FromProgram}
}

// MarkTyping marks a command that simulates typing if the typed text is a command for the guard.
func MarkTyping(t *trace.Trace, c *trace.Command, words []trace.Value) {
	for _, v := range words {
		namesGuard := strings.Contains(strings.ToLower(v.Text), "guardrails")
		if SpeaksToGuard(v.Text) || namesGuard && namesOwnChange(v.Text) {
			t.Mark(c, "types "+trace.Shorten(v.Text)+" in place of a person", effect.GuardTamper)
			return
		}
	}
	if SpeaksToGuard(trace.JoinArgs(append([]trace.Value{{}}, words...))) {
		t.Mark(c, "types a command for the guard in place of a person", effect.GuardTamper)
	}
}

// namesOwnChange reports whether a text contains the name of a guardrails subcommand that changes something.
func namesOwnChange(text string) bool {
	for _, word := range strings.Fields(text) {
		if changesGuard(word) && !words.OneOf(word, "audit token ui") ||
			words.OneOf(word, "prune create revoke accept split join --rotate") {
			return true
		}
	}
	return false
}

// TmuxSendKeys analyzes the command "tmux send-keys". If the command has no target, or the target is the pane in which
// the command runs, the keys can answer a dialog of the client.
func TmuxSendKeys(t *trace.Trace, c *trace.Command, args []trace.Value, otherServer bool) {
	o, keys := flags.ParseLeading(args, "t N c")
	typed := "" // tmux types the keys one after the other
	for _, v := range keys {
		switch v.Text {
		case "Space":
			typed += " "
		case "Enter":
		default:
			typed += v.Text
		}
	}
	MarkTyping(t, c, append(keys[:len(keys):len(keys)], trace.Value{Text: typed}))
	target := trace.FirstText(o.Values("t"))
	if len(keys) == 0 || otherServer {
		return
	}
	for _, v := range keys {
		if !answersDialog(v.Text) {
			return
		}
	}
	if !isOwnPane(target) {
		if isChoice(keys[0].Text) {
			where := " in the window " + trace.Shorten(target) + ", where a dialog of the client may be"
			t.Opaque(c.Span, "presses "+keys[0].Text+where, effect.OpaqueExecution)
		}
		return
	}
	t.Mark(c, "presses "+trace.JoinArgs(keys)+" in the client's own window", effect.GuardTamper)
}

// TmuxPaste marks the command "tmux paste-buffer" if it pastes text into the pane in which the command runs. There, the
// text can answer a dialog of the client.
func TmuxPaste(t *trace.Trace, c *trace.Command) {
	if flags.FirstOf(c.Args(), "-t -dt -pt -rt") == "" || strings.Contains(trace.JoinArgs(c.Argv), "TMUX_PANE") {
		t.Mark(c, "pastes text in the client's own window", effect.GuardTamper)
	}
}

func isOwnPane(target string) bool { return target == "" || strings.Contains(target, "TMUX_PANE") }

func isChoice(key string) bool { return len(key) == 1 && key[0] >= '1' && key[0] <= '9' }

// answersDialog reports whether a key confirms or closes a dialog, or makes a choice in it.
func answersDialog(key string) bool {
	switch strings.ToLower(key) {
	case "1", "2", "3", "y", "yes", "enter", "c-m", "kpenter", "up", "down", "tab", "btab", "s-tab", "space", "escape":
		return true
	}
	return false
}

// ScreenCommand analyzes the command "screen -X stuff", which types text into a window.
func ScreenCommand(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	if operands[0].Text != "stuff" || len(operands) < 2 {
		return
	}
	MarkTyping(t, c, operands[1:])
	v := operands[1]
	v.Text = words.Replace(v.Text, `\n`, "\n", `\r`, "\n", "^M", "\n", `\015`, "\n", `\012`, "\n")
	t.RunText(c, v)
}
