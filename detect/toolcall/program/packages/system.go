package packages

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// systemPackageHandler returns the handler of an operating system's package manager, or nil.
func systemPackageHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "apt apt-get aptitude dnf yum microdnf zypper apk snap choco winget port emerge pkg xbps-remove brew "+
		"flatpak scoop eopkg"):
		return systemPackage
	case "pacman", "yay", "paru":
		return pacman
	case "installer":
		return lowPackage("")
	case "dpkg":
		return lowPackage("r remove P purge")
	case "rpm", "rpmspec":
		return func(t *trace.Trace, c *trace.Command) trace.Flow {
			for _, v := range c.Args() {
				for _, command := range strings.Split(v.Text, "%(")[1:] {
					v.Text = untilClosed(command)
					t.RunText(c, v)
				}
			}
			return lowPackage("e erase")(t, c)
		}
	case "add-apt-repository", "apt-key", "apt-add-repository":
		return func(t *trace.Trace, c *trace.Command) trace.Flow {
			for _, v := range c.Args() {
				if i := strings.Index(v.Text, "http://"); i >= 0 && strings.Contains(v.Text, "trusted=yes") {
					t.Mark(c, "trusts packages from "+v.Text[i:]+" without checking them", effect.UntrustedSource)
				}
			}
			return trace.Nothing()
		}
	case "nix-shell", "nix":
		return nix
	}
	return nil
}

// untilClosed returns a text up to the closing parenthesis for an opening parenthesis that comes before the text.
func untilClosed(text string) string {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return text
}

// systemDryRun lists the flags with which a package manager only prints what it would do.
const systemDryRun = "s simulate dry-run just-print assumeno"

// systemPackage analyzes the flags that run a command or turn checks off. Then it analyzes the subcommand.
func systemPackage(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), systemValues)
	for _, v := range o.Values("o option") {
		key, text, ok := strings.Cut(v.Text, "=")
		if ok && strings.Contains(key, "Invoke") {
			v.Text = text
			t.RunText(c, v)
		}
		if strings.Contains(key, "::Allow") && (strings.HasSuffix(key, "Unauthenticated") || strings.HasSuffix(key, "Repositories")) &&
			words.OneOf(text, "true yes 1") {
			t.Mark(c, "installs packages without checking who made them", effect.UntrustedSource)
		}
	}
	if (c.Name == "apk" || !o.Has(systemDryRun)) && o.Has("allow-unauthenticated force-yes allow-insecure-repositories "+
		"allow-downgrades-insecure nogpgcheck no-gpg-checks allow-untrusted") {
		t.Mark(c, "installs packages without checking who made them", effect.UntrustedSource)
	}
	return table.Handler(c.Name)(t, c)
}

// The function removes() analyzes a subcommand or flag with which a program removes packages.
func removes(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	removesPackages(t, c, o.Operands[min(1, len(o.Operands)):])
	return trace.Flow{Taint: trace.FromProgram}
}

// removesPackages marks the removal of packages. If the system needs one of the packages, the reason names the package.
func removesPackages(t *trace.Trace, c *trace.Command, packages []trace.Value) {
	for _, v := range packages {
		if isEssential(v.Text) {
			t.Mark(c, "removes "+v.Text+", which the system needs", effect.SystemChange)
			return
		}
	}
	t.Mark(c, "removes programs from the machine", effect.SystemChange)
}

func isEssential(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	if name == words.Among(name,
		"* .* ?* libc6 glibc musl coreutils sudo systemd bash dash dpkg apt util-linux base-files login "+
			"passwd openssh-server init network-manager python3 python3-minimal perl-base udev initramfs-tools "+
			"gnome-shell ubuntu-desktop linux kernel rpm dnf yum busybox alpine-base pacman filesystem "+
			"libpam-runtime mount base") {
		return true
	}
	for _, prefix := range [...]string{
		"linux-image", "linux-generic", "kernel-core", "grub", "shim-signed", "libc6-",
		"libstdc++", "lib*", "linux-*", "python3*",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// The function pacman analyzes the program pacman, whose subcommands are flags, as in "pacman -Rns package".
func pacman(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates)
	if o.Has("R remove") && !o.HasWhole("p print") {
		removesPackages(t, c, o.Operands)
	}
	if o.Has("U upgrade") {
		sources(t, c, o.Operands...)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// lowPackage returns the handler of dpkg or rpm. The parameter "removal" lists the flags that remove packages.
func lowPackage(removal string) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		o := flags.Parse(c.Args(), "")
		if o.Has(removal) {
			removesPackages(t, c, o.Operands)
		} else {
			sources(t, c, o.Operands...)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
}

// The function nix analyzes commands that run in an environment of nix, as in "nix-shell --run TEXT" and "nix develop
// -c COMMAND".
func nix(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	if flags.FirstOf(args, "--to") != "" && args[0].Text == "copy" {
		t.Mark(c, "copies packages to another machine (nix copy)", effect.Publish)
	}
	for i := range args {
		o := flags.Parse(args[i:i+1], "")
		switch verb := args[0].Text; {
		case i+1 == len(args):
		case c.Name == "nix-shell" && o.Has("run command"):
			return t.RunText(c, args[i+1])
		case o.Has("run command"), o.Has("c") && (verb == "develop" || verb == "shell"):
			return t.RunInner(c, args[i+1:])
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}
