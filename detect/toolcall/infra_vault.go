package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// vaultHandler knows the programs that keep secrets.
func vaultHandler(name string) handler {
	switch name {
	case "vault", "bao":
		return vault
	case among(name, "op doppler infisical bw lpass keepassxc-cli chamber berglas teller"):
		return passwordManager
	case "pass", "gopass":
		return passStore
	case "security":
		return keychain
	case "secret-tool":
		return marksWith("prints a secret", effect.SecretAccess, "lookup", "search")
	case "gpg", "gpg2":
		return gpg
	case "sops", "age", "rage":
		return decrypter
	}
	return nil
}

func vault(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "-address -namespace -field -format -mount -path field format")
	what := "vault " + o.order()
	switch o.word(0) {
	case "read", "unwrap", "print":
		return a.judge(c, reveals, what)
	case "kv":
		switch o.word(1) {
		case "get":
			return a.judge(c, reveals, what)
		case "delete", "destroy", "metadata":
			return a.judge(c, destroys, what)
		case "put", "patch":
			return a.judge(c, changes, what)
		}
	case "delete":
		return a.judge(c, destroys, what)
	case "token":
		if o.word(1) == "create" {
			return a.judge(c, reveals, what)
		}
	case "write", "policy", "auth", "secrets":
		if o.word(1) != "list" && o.word(1) != "read" {
			return a.judge(c, changes, what)
		}
	case "operator":
		if o.word(1) == "seal" {
			return a.judge(c, destroys, what)
		}
	}
	return flow{taint: fromProgram}
}

// passwordManager prints secrets, or runs a command with them in its environment.
func passwordManager(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "vault account project p c config env session fields format")
	switch first := o.word(0); {
	case first == "run" || first == "exec":
		if inner, ok := afterDashes(c.args()); ok {
			return a.again(c, inner)
		}
		return a.again(c, o.operands[1:])
	case first == "read", first == "inject", first == "get" && o.word(1) != "template", first == "show", first == "export", first == "clip",
		oneOf(first, "item", "document", "secrets") && oneOf(o.word(1), "get", "download", "substitute"), first == "secrets" && o.word(1) == "":
		return a.judge(c, reveals, c.name+" "+o.order())
	case oneOf(first, "delete", "rm") || oneOf(o.word(1), "delete"):
		return a.judge(c, destroys, c.name+" "+o.order())
	}
	return flow{taint: fromProgram}
}

// passStore shows an entry when it is given only a name.
func passStore(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "")
	switch first := o.word(0); first {
	case "", "ls", "list", "find", "search", "git", "init", "insert", "generate", "edit", "mv", "cp", "version", "help", "otp-import", "grep":
		return flow{taint: fromProgram}
	case "rm", "delete", "remove":
		a.mark(c, "deletes stored passwords", effect.DestructiveOp)
		return nothing()
	}
	return a.judge(c, reveals, c.name+" "+o.order())
}

// keychain is macOS's security.
func keychain(a *analyzer, c *command) flow {
	if len(c.argv) < 2 {
		return nothing()
	}
	switch verb := c.argv[1].text; {
	case strings.HasPrefix(verb, "find-") && firstOf(c.args(), "-w", "-g", "-ga", "-wa") != "", verb == "dump-keychain", verb == "export":
		return a.judge(c, reveals, "security "+verb)
	case strings.HasPrefix(verb, "delete-"):
		a.mark(c, "deletes from the keychain", effect.DestructiveOp)
	case verb == "add-trusted-cert", verb == "authorizationdb":
		a.mark(c, "changes what the system trusts", effect.PrivilegeGain)
	}
	return flow{taint: fromProgram}
}

func gpg(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "o output r recipient u local-user passphrase homedir default-key passphrase-file")
	for _, v := range o.values("o output") {
		a.write(v, c.sc, c.span)
	}
	switch {
	case o.has("export-secret-keys export-secret-subkeys"):
		return a.judge(c, reveals, "gpg --export-secret-keys")
	case o.has("delete-secret-keys delete-secret-key delete-secret-and-public-key"):
		a.mark(c, "deletes private keys", effect.DestructiveOp)
	case o.has("d decrypt"):
		return flow{taint: decoded}
	}
	t := c.in.taint
	if o.has("e encrypt c symmetric a armor") {
		for _, v := range o.operands {
			t |= a.readFlow(v, c.sc, c.span).taint
		}
	}
	return flow{taint: t | fromProgram}
}

// decrypter is sops and age.
func decrypter(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "o output r recipient i identity R input-type output-type extract set")
	for _, v := range o.values("o output") {
		a.write(v, c.sc, c.span)
	}
	if o.has("d decrypt") || oneOf(o.word(0), "decrypt", "exec-env", "exec-file") && c.name == "sops" {
		return a.judge(c, reveals, c.name+" "+o.order())
	}
	return flow{taint: c.in.taint | fromProgram}
}
