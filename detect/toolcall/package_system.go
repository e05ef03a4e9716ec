package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// systemPackageHandler knows the package managers of operating systems.
func systemPackageHandler(name string) handler {
	switch name {
	case among(name, "apt apt-get aptitude dnf yum microdnf zypper apk snap choco winget port emerge pkg xbps-remove brew"):
		return systemPackage
	case "pacman", "yay", "paru":
		return pacman
	case "dpkg":
		return lowPackage("r remove P purge")
	case "rpm":
		return lowPackage("e erase")
	case "add-apt-repository", "apt-key", "apt-add-repository":
		return func(a *analyzer, c *command) flow {
			for _, v := range c.args() {
				if i := strings.Index(v.text, "http://"); i >= 0 && strings.Contains(v.text, "trusted=yes") {
					a.mark(c, "trusts packages of "+v.text[i:]+" unchecked", effect.UntrustedSource)
				}
			}
			return nothing()
		}
	case "nix-shell", "nix":
		return nix
	}
	return nil
}

func systemPackage(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "o option c config-file t target-release repo enablerepo disablerepo repository X")
	for _, v := range o.values("o option") {
		if key, text, ok := strings.Cut(v.text, "="); ok && strings.Contains(key, "Invoke") {
			v.text = text
			a.runText(c, v)
		}
	}
	if o.has("s simulate dry-run just-print assumeno") && c.name != "apk" {
		return flow{taint: fromProgram}
	}
	if o.has("allow-unauthenticated force-yes allow-insecure-repositories allow-downgrades-insecure nogpgcheck no-gpg-checks allow-untrusted") {
		a.mark(c, "installs packages without checking who made them", effect.UntrustedSource)
	}
	words := o.operands[min(1, len(o.operands)):]
	switch o.word(0) {
	case "remove", "purge", "autoremove", "erase", "del", "uninstall", "rm":
		if c.name != "brew" {
			a.removesPackages(c, words)
		}
	case "install", "add", "in":
		a.sources(c, words...)
	}
	return flow{taint: fromProgram}
}

// removesPackages marks the packages that a system cannot do without.
func (a *analyzer) removesPackages(c *command, packages []value) {
	for _, v := range packages {
		if isEssential(v.text) {
			a.mark(c, "removes "+v.text+", which the system needs", effect.SystemChange)
		}
	}
}

func isEssential(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	if name == among(name, "* .* ?* libc6 glibc musl coreutils sudo systemd bash dash dpkg apt util-linux base-files login "+
		"passwd openssh-server init network-manager python3 python3-minimal perl-base udev initramfs-tools "+
		"gnome-shell ubuntu-desktop linux kernel rpm dnf yum busybox alpine-base pacman filesystem "+
		"libpam-runtime mount base") {
		return true
	}
	for _, prefix := range [...]string{"linux-image", "linux-generic", "kernel-core", "grub", "shim-signed", "libc6-", "libstdc++", "lib*", "linux-*", "python3*"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// pacman writes its orders as flags: -Rns package.
func pacman(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	if o.has("R remove") && !o.has("p print") {
		a.removesPackages(c, o.operands)
	}
	if o.has("U upgrade") {
		a.sources(c, o.operands...)
	}
	return flow{taint: fromProgram}
}

// lowPackage is dpkg and rpm; removal lists the flags that remove.
func lowPackage(removal string) handler {
	return func(a *analyzer, c *command) flow {
		o := parseOptions(c.args(), "")
		if o.has(removal) {
			a.removesPackages(c, o.operands)
		} else {
			a.sources(c, o.operands...)
		}
		return flow{taint: fromProgram}
	}
}

// nix runs commands in an environment that it makes.
func nix(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "p packages A I")
	for i, v := range c.args() {
		if i+1 == len(c.args()) {
			break
		}
		switch v.text {
		case "--run", "--command":
			if c.name == "nix-shell" {
				return a.runText(c, c.args()[i+1])
			}
			return a.again(c, c.args()[i+1:])
		case "-c":
			if o.word(0) == "develop" || o.word(0) == "shell" {
				return a.again(c, c.args()[i+1:])
			}
		}
	}
	return flow{taint: fromProgram}
}
