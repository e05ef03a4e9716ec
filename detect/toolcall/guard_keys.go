package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// typeKeys is a program that types on the screen, where the client's own prompt may be.
func typeKeys(a *analyzer, c *command) flow {
	a.typed(c, c.args())
	return flow{taint: fromProgram}
}

// typed notes that text is typed somewhere in which the guard is spoken to.
func (a *analyzer) typed(c *command, words []value) {
	for _, v := range words {
		if speaksToGuard(v.text) || strings.Contains(strings.ToLower(v.text), "guardrails") && namesOwnChange(v.text) {
			a.mark(c, "types "+shorten(v.text)+" in the place of a person", effect.GuardTamper)
			return
		}
	}
	if speaksToGuard(joinArgs(append([]value{{}}, words...))) {
		a.mark(c, "types to the guard in the place of a person", effect.GuardTamper)
	}
}

func namesOwnChange(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if changesGuard(word) && !oneOf(word, "audit", "token") || oneOf(word, "prune", "create", "revoke") {
			return true
		}
	}
	return false
}

// sendsKeys is tmux send-keys. Without a target, or with the pane of the client itself, keys that answer a dialog are the
// client's.
func (a *analyzer) sendsKeys(c *command, args []value, otherServer bool) {
	o, keys := leadingOptions(args, "t N c")
	a.typed(c, keys)
	target := firstText(o.values("t"))
	if len(keys) == 0 || otherServer {
		return
	}
	for _, v := range keys {
		if !answersDialog(v.text) {
			return
		}
	}
	if target != "" && !strings.Contains(target, "TMUX_PANE") {
		if isChoice(keys[0].text) {
			a.opaque(c.span, "presses "+keys[0].text+" in the window "+shorten(target)+", where a dialog of the client may be", effect.OpaqueExecution)
		}
		return
	}
	a.mark(c, "presses "+joinArgs(keys)+" in the client's own window", effect.GuardTamper)
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

// screenCommand is screen -X: what it stuffs into a window is typed there.
func (a *analyzer) screenCommand(c *command, operands []value) {
	if operands[0].text != "stuff" || len(operands) < 2 {
		return
	}
	a.typed(c, operands[1:])
	v := operands[1]
	v.text = strings.NewReplacer(`\n`, "\n", `\r`, "\n", "^M", "\n", `\015`, "\n", `\012`, "\n").Replace(v.text)
	a.runText(c, v)
}
