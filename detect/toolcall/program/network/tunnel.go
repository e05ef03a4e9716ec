package network

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// LinkHandler knows the programs that take the network or the boot loader away, and those that open a way in.
func LinkHandler(name string) trace.Handler {
	switch name {
	case "ip", "ifconfig", "iwconfig":
		return program.MarksWith("takes a network connection away", effect.SystemControl, "down", "flush", "del", "delete")
	case "nmcli":
		return program.MarksWith("takes a network connection away", effect.SystemControl, "off", "down", "delete")
	case words.Among(name, "grub-install update-grub grub-mkconfig efibootmgr bootctl kexec lilo"):
		return program.MarksWith("changes how the machine starts", effect.SystemChange, "*")
	case "update-initramfs", "dracut", "mkinitcpio":
		return program.MarksWith("removes the images that the machine starts from", effect.SystemChange, "-d")
	case "gio", "kioclient", "kioclient5":
		return gio
	case "ztcp":
		return program.Marks("opens a raw connection in the shell", effect.ReverseShell)
	case words.Among(name, "ngrok cloudflared localtunnel lt bore serveo"):
		return tunnel
	}
	return nil
}

// gio is the desktop's way to handle files.
func gio(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	for _, v := range o.Operands[min(1, len(o.Operands)):] {
		switch o.Word(0) {
		case "trash", "remove":
			t.Remove(v, c.Scope, c.Span, trace.Removal{Tree: true, How: "deletes"})
		case "cat", "copy":
			t.Read(v, c.Scope, c.Span)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// tunnel makes a local port, or a folder, reachable from everywhere.
func tunnel(t *trace.Trace, c *trace.Command) trace.Flow {
	for _, v := range c.Args() {
		if name, ok := strings.CutPrefix(v.Text, "file://"); ok {
			name = t.Place(trace.Value{Text: name}, c.Scope).Name
			t.Emit(effect.Effect{Kind: effect.Send, Path: name, Span: c.Span, Events: []effect.Event{effect.SecretSend}, Reason: "opens " + name + " to the network"})
		}
	}
	if trace.ArgAt(c.Argv, 1) == "tcp" && trace.ArgAt(c.Argv, 2) == "22" {
		t.Mark(c, "opens this machine's login to the network", effect.ReverseShell)
	}
	return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
}
