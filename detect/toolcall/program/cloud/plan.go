package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// planHandler knows the tools that turn a description into infrastructure.
func planHandler(name string) trace.Handler {
	switch name {
	case "terraform", "tofu", "terragrunt":
		return terraform
	case "pulumi":
		return pulumi
	case words.Among(name, "cdk sam serverless sls copilot chalice zappa sst cdktf waypoint"):
		return stackTool
	case "ansible-playbook", "ansible-pull":
		return playbook
	case "ansible":
		return ansible
	case "ansible-vault":
		return ansibleVault
	case "vagrant":
		return vagrant
	case "packer":
		return program.MarksWith("builds and registers machine images", effect.DevopsInvoked, "build")
	case words.Among(name, "kamal cap capistrano dokku eb mup fastlane"):
		return releaseTool
	}
	return nil
}

func terraform(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "-var -var-file -target -state -out -backend-config -chdir terragrunt-working-dir working-dir")
	if o.Has("-help help -h") || len(o.Operands) == 0 {
		return trace.Nothing()
	}
	verb := o.Word(0)
	if c.Name == "terragrunt" && (verb == "run-all" || verb == "run" || verb == "stack") {
		verb = o.Word(1)
	}
	return program.Judge(t, c, terraformOutcome(strings.TrimSuffix(verb, "-all"), &o), c.Name+" "+o.Order())
}

func terraformOutcome(verb string, o *flags.Options) program.Outcome {
	switch verb {
	case "apply":
		if o.Has("-destroy destroy") {
			return program.Destroys
		}
		return program.Releases
	case "destroy", "force-unlock":
		return program.Destroys
	case "state":
		if words.OneOf(o.Word(1), "rm", "push", "replace-provider") {
			return program.Destroys
		}
		if o.Word(1) == "pull" {
			return program.Reveals
		}
		if o.Word(1) == "mv" {
			return program.Changes
		}
	case "workspace":
		if o.Word(1) == "delete" {
			return program.Destroys
		}
	case "taint", "untaint", "import", "refresh":
		return program.Changes
	}
	return program.Looks
}

func pulumi(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "C cwd s stack c config m message p parallel t target color")
	return program.Judge(t, c, pulumiOutcome(&o), "pulumi "+o.Order())
}

func pulumiOutcome(o *flags.Options) program.Outcome {
	switch o.Word(0) {
	case "up", "update":
		return program.Releases
	case "destroy", "cancel":
		return program.Destroys
	case "refresh", "import":
		return program.Changes
	case "stack", "state":
		if words.OneOf(o.Word(1), "rm", "delete") {
			return program.Destroys
		}
	}
	if o.Has("show-secrets") {
		return program.Reveals
	}
	return program.Looks
}

// stackTool is cdk, sam and their kind: deploy and its opposite.
func stackTool(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "a app c context profile region stage s stack-name template config-env config-file")
	if o.Has("help h dry-run dryrun") {
		return trace.Nothing()
	}
	for _, v := range o.Operands[:min(2, len(o.Operands))] {
		switch v.Text {
		case words.Among(v.Text, "deploy up update release rollback"):
			return program.Judge(t, c, program.Releases, c.Name+" "+o.Order())
		case "destroy", "delete", "remove", "undeploy":
			return program.Judge(t, c, program.Destroys, c.Name+" "+o.Order())
		case "bootstrap", "invoke", "import":
			if v.Text == "invoke" && o.Word(0) == "local" {
				return trace.Nothing()
			}
			return program.Judge(t, c, program.Changes, c.Name+" "+o.Order())
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func playbook(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "i inventory l limit t tags e extra-vars u user f forks vault-password-file private-key c connection")
	if o.Has("C check syntax-check list-hosts list-tasks list-tags version help h") {
		return trace.Nothing()
	}
	return program.Judge(t, c, program.Releases, c.Name+" "+o.Order())
}

// ansible runs one module on many machines; those that run commands get theirs from -a.
func ansible(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "i inventory l limit e extra-vars u user f forks m module-name a args vault-password-file private-key c connection")
	module := words.OrElse(trace.FirstText(o.Values("m module-name")), "command")
	module = module[strings.LastIndexByte(module, '.')+1:]
	if len(o.Operands) == 0 || o.Has("C check list-hosts version help h") || words.OneOf(module, "ping", "setup", "debug", "stat") {
		return trace.Nothing()
	}
	t.Mark(c, "runs on the machines "+o.Word(0), effect.RemoteExecution, effect.DevopsInvoked)
	if text := o.Values("a args"); len(text) > 0 && words.OneOf(module, "command", "shell", "raw", "script") {
		network.Remotely(t, c, text[0])
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

func ansibleVault(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "vault-password-file vault-id output")
	if words.OneOf(o.Word(0), "view", "decrypt") {
		return program.Judge(t, c, program.Reveals, "ansible-vault "+o.Order())
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func vagrant(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "c command provider")
	switch o.Word(0) {
	case "destroy":
		t.Mark(c, "deletes virtual machines with their data", effect.DestructiveOp)
	case "box":
		if words.OneOf(o.Word(1), "remove", "prune") {
			return trace.Nothing()
		}
	case "ssh", "winrm", "powershell":
		if text := o.Values("c command"); len(text) > 0 {
			t.Mark(c, "runs a command in the virtual machine", effect.RemoteExecution)
			network.Remotely(t, c, text[0])
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// releaseTool brings an application to its servers.
func releaseTool(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "d destination c config-file v version p h")
	for _, v := range o.Operands[:min(3, len(o.Operands))] {
		verb := v.Text[strings.LastIndexByte(v.Text, ':')+1:]
		switch {
		case words.OneOf(verb, "deploy", "redeploy", "release", "rollback", "setup", "reboot", "upload_to_app_store", "upload_to_play_store"):
			return program.Judge(t, c, program.Releases, c.Name+" "+o.Order())
		case words.OneOf(verb, "destroy", "remove", "terminate", "unlink"):
			return program.Judge(t, c, program.Destroys, c.Name+" "+o.Order())
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}
