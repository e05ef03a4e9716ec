package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// linkHandler knows the programs that take the network or the boot loader away, and those that open a way in.
func linkHandler(name string) handler {
	switch name {
	case "ip", "ifconfig", "iwconfig":
		return marksWith("takes a network connection away", effect.SystemControl, "down", "flush", "del", "delete")
	case "nmcli":
		return marksWith("takes a network connection away", effect.SystemControl, "off", "down", "delete")
	case among(name, "grub-install update-grub grub-mkconfig efibootmgr bootctl kexec lilo"):
		return marksWith("changes how the machine starts", effect.SystemChange, "*")
	case "update-initramfs", "dracut", "mkinitcpio":
		return marksWith("removes the images that the machine starts from", effect.SystemChange, "-d")
	case "gio", "kioclient", "kioclient5":
		return gio
	case "ztcp":
		return marks("opens a raw connection in the shell", effect.ReverseShell)
	case among(name, "ngrok cloudflared localtunnel lt bore serveo"):
		return tunnel
	}
	return nil
}

// gio is the desktop's way to handle files.
func gio(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	for _, v := range o.operands[min(1, len(o.operands)):] {
		switch o.word(0) {
		case "trash", "remove":
			a.remove(v, c.sc, c.span, removal{tree: true, how: "deletes"})
		case "cat", "copy":
			a.read(v, c.sc, c.span)
		}
	}
	return flow{taint: fromProgram}
}

// tunnel makes a local port, or a folder, reachable from everywhere.
func tunnel(a *analyzer, c *command) flow {
	for _, v := range c.args() {
		if name, ok := strings.CutPrefix(v.text, "file://"); ok {
			name = a.place(value{text: name}, c.sc).name
			a.emit(effect.Effect{Kind: effect.Send, Path: name, Span: c.span, Events: []effect.Event{effect.SecretSend}, Reason: "opens " + name + " to the network"})
		}
	}
	if argAt(c.argv, 1) == "tcp" && argAt(c.argv, 2) == "22" {
		a.mark(c, "opens this machine's login to the network", effect.ReverseShell)
	}
	return flow{taint: fromProgram | fromNetwork}
}
