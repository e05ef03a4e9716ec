package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func vaultHandler(name string) trace.Handler {
	switch name {
	case "security":
		return keychain
	case "gpg", "gpg2":
		return gpg
	case "sops", "age", "rage":
		return decrypter
	}
	return nil
}

// The function keychain analyzes the macOS program "security", which manages passwords and keys.
func keychain(t *trace.Trace, c *trace.Command) trace.Flow {
	if len(c.Argv) < 2 {
		return trace.Nothing()
	}
	switch verb := c.Argv[1].Text; {
	case strings.HasPrefix(verb, "find-") && flags.FirstOf(c.Args(), "-w -g -ga -wa") != "",
		verb == "dump-keychain", verb == "export":
		return program.Judge(t, c, program.Reveals, "security "+verb)
	case strings.HasPrefix(verb, "delete-"):
		t.Mark(c, "deletes a keychain or its entries", effect.DestructiveOp)
	case verb == "add-trusted-cert", verb == "authorizationdb":
		t.Mark(c, "changes what the system trusts", effect.PrivilegeGain)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func gpg(a *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"--export o output r recipient u local-user passphrase homedir "+
		"default-key passphrase-file")
	a.WriteAll(c, o.Values("o output"))
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

func decrypter(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "o output r recipient i identity R input-type output-type extract set")
	t.WriteAll(c, o.Values("o output"))
	if o.Has("d decrypt") || c.Name == "sops" &&
		(program.EditorPrints(c.Scope) || words.OneOf(o.Word(0), "decrypt exec-env exec-file")) {
		return program.Judge(t, c, program.Reveals, c.Name+" "+o.Order())
	}
	return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
}

// runInner analyzes a command that a program runs with secrets in its environment.
func runInner(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	inner, ok := flags.AfterDashes(c.Args())
	if !ok {
		inner = o.Operands[1:]
	}
	return program.RunWithSecrets(t, c, inner)
}
