package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// vaultHandler knows the programs that keep secrets.
func vaultHandler(name string) trace.Handler {
	switch name {
	case "vault", "bao":
		return vault
	case words.Among(name, "op doppler infisical bw lpass keepassxc-cli chamber berglas teller"):
		return passwordManager
	case "pass", "gopass":
		return passStore
	case "security":
		return keychain
	case "secret-tool":
		return program.MarksWith("prints a secret", effect.SecretAccess, "lookup", "search")
	case "gpg", "gpg2":
		return gpg
	case "sops", "age", "rage":
		return decrypter
	}
	return nil
}

func vault(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "-address -namespace -field -format -mount -path field format")
	what := "vault " + o.Order()
	switch o.Word(0) {
	case "read", "unwrap", "print":
		return program.Judge(t, c, program.Reveals, what)
	case "kv":
		switch o.Word(1) {
		case "get":
			return program.Judge(t, c, program.Reveals, what)
		case "delete", "destroy", "metadata":
			return program.Judge(t, c, program.Destroys, what)
		case "put", "patch":
			return program.Judge(t, c, program.Changes, what)
		}
	case "delete":
		return program.Judge(t, c, program.Destroys, what)
	case "token":
		if o.Word(1) == "create" {
			return program.Judge(t, c, program.Reveals, what)
		}
	case "write", "policy", "auth", "secrets":
		if o.Word(1) != "list" && o.Word(1) != "read" {
			return program.Judge(t, c, program.Changes, what)
		}
	case "operator":
		if o.Word(1) == "seal" {
			return program.Judge(t, c, program.Destroys, what)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// passwordManager prints secrets, or runs a command with them in its environment.
func passwordManager(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "vault account project p c config env session fields format")
	switch first := o.Word(0); {
	case first == "run" || first == "exec":
		if inner, ok := flags.AfterDashes(c.Args()); ok {
			return t.Again(c, inner)
		}
		return t.Again(c, o.Operands[1:])
	case first == "read", first == "inject", first == "get" && o.Word(1) != "template", first == "show", first == "export", first == "clip",
		words.OneOf(first, "item", "document", "secrets") && words.OneOf(o.Word(1), "get", "download", "substitute"), first == "secrets" && o.Word(1) == "":
		return program.Judge(t, c, program.Reveals, c.Name+" "+o.Order())
	case words.OneOf(first, "delete", "rm") || words.OneOf(o.Word(1), "delete"):
		return program.Judge(t, c, program.Destroys, c.Name+" "+o.Order())
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// passStore shows an entry when it is given only a name.
func passStore(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "")
	switch first := o.Word(0); first {
	case "", "ls", "list", "find", "search", "git", "init", "insert", "generate", "edit", "mv", "cp", "version", "help", "otp-import", "grep":
		return trace.Flow{Taint: trace.FromProgram}
	case "rm", "delete", "remove":
		t.Mark(c, "deletes stored passwords", effect.DestructiveOp)
		return trace.Nothing()
	}
	return program.Judge(t, c, program.Reveals, c.Name+" "+o.Order())
}

// keychain is macOS's security.
func keychain(t *trace.Trace, c *trace.Command) trace.Flow {
	if len(c.Argv) < 2 {
		return trace.Nothing()
	}
	switch verb := c.Argv[1].Text; {
	case strings.HasPrefix(verb, "find-") && flags.FirstOf(c.Args(), "-w", "-g", "-ga", "-wa") != "", verb == "dump-keychain", verb == "export":
		return program.Judge(t, c, program.Reveals, "security "+verb)
	case strings.HasPrefix(verb, "delete-"):
		t.Mark(c, "deletes from the keychain", effect.DestructiveOp)
	case verb == "add-trusted-cert", verb == "authorizationdb":
		t.Mark(c, "changes what the system trusts", effect.PrivilegeGain)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func gpg(a *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "o output r recipient u local-user passphrase homedir default-key passphrase-file")
	for _, v := range o.Values("o output") {
		a.Write(v, c.Scope, c.Span)
	}
	switch {
	case o.Has("export-secret-keys export-secret-subkeys"):
		return program.Judge(a, c, program.Reveals, "gpg --export-secret-keys")
	case o.Has("delete-secret-keys delete-secret-key delete-secret-and-public-key"):
		a.Mark(c, "deletes private keys", effect.DestructiveOp)
	case o.Has("d decrypt"):
		return trace.Flow{Taint: trace.Decoded}
	}
	t := c.In.Taint
	if o.Has("e encrypt c symmetric a armor") {
		for _, v := range o.Operands {
			t |= a.ReadFlow(v, c.Scope, c.Span).Taint
		}
	}
	return trace.Flow{Taint: t | trace.FromProgram}
}

// decrypter is sops and age.
func decrypter(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "o output r recipient i identity R input-type output-type extract set")
	for _, v := range o.Values("o output") {
		t.Write(v, c.Scope, c.Span)
	}
	if o.Has("d decrypt") || words.OneOf(o.Word(0), "decrypt", "exec-env", "exec-file") && c.Name == "sops" {
		return program.Judge(t, c, program.Reveals, c.Name+" "+o.Order())
	}
	return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
}
