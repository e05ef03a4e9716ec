package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// planHandler knows the tools that turn a description into infrastructure.
func planHandler(name string) handler {
	switch name {
	case "terraform", "tofu", "terragrunt":
		return terraform
	case "pulumi":
		return pulumi
	case among(name, "cdk sam serverless sls copilot chalice zappa sst cdktf waypoint"):
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
		return marksWith("builds and registers machine images", effect.DevopsInvoked, "build")
	case among(name, "kamal cap capistrano dokku eb mup fastlane"):
		return releaseTool
	}
	return nil
}

func terraform(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "-var -var-file -target -state -out -backend-config -chdir terragrunt-working-dir working-dir")
	if o.has("-help help -h") || len(o.operands) == 0 {
		return nothing()
	}
	verb := o.word(0)
	if c.name == "terragrunt" && (verb == "run-all" || verb == "run" || verb == "stack") {
		verb = o.word(1)
	}
	return a.judge(c, terraformOutcome(strings.TrimSuffix(verb, "-all"), &o), c.name+" "+o.order())
}

func terraformOutcome(verb string, o *options) outcome {
	switch verb {
	case "apply":
		if o.has("-destroy destroy") {
			return destroys
		}
		return releases
	case "destroy", "force-unlock":
		return destroys
	case "state":
		if oneOf(o.word(1), "rm", "push", "replace-provider") {
			return destroys
		}
		if o.word(1) == "pull" {
			return reveals
		}
		if o.word(1) == "mv" {
			return changes
		}
	case "workspace":
		if o.word(1) == "delete" {
			return destroys
		}
	case "taint", "untaint", "import", "refresh":
		return changes
	}
	return looks
}

func pulumi(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "C cwd s stack c config m message p parallel t target color")
	return a.judge(c, pulumiOutcome(&o), "pulumi "+o.order())
}

func pulumiOutcome(o *options) outcome {
	switch o.word(0) {
	case "up", "update":
		return releases
	case "destroy", "cancel":
		return destroys
	case "refresh", "import":
		return changes
	case "stack", "state":
		if oneOf(o.word(1), "rm", "delete") {
			return destroys
		}
	}
	if o.has("show-secrets") {
		return reveals
	}
	return looks
}

// stackTool is cdk, sam and their kind: deploy and its opposite.
func stackTool(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "a app c context profile region stage s stack-name template config-env config-file")
	if o.has("help h dry-run dryrun") {
		return nothing()
	}
	for _, v := range o.operands[:min(2, len(o.operands))] {
		switch v.text {
		case among(v.text, "deploy up update release rollback"):
			return a.judge(c, releases, c.name+" "+o.order())
		case "destroy", "delete", "remove", "undeploy":
			return a.judge(c, destroys, c.name+" "+o.order())
		case "bootstrap", "invoke", "import":
			if v.text == "invoke" && o.word(0) == "local" {
				return nothing()
			}
			return a.judge(c, changes, c.name+" "+o.order())
		}
	}
	return flow{taint: fromProgram}
}

func playbook(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "i inventory l limit t tags e extra-vars u user f forks vault-password-file private-key c connection")
	if o.has("C check syntax-check list-hosts list-tasks list-tags version help h") {
		return nothing()
	}
	return a.judge(c, releases, c.name+" "+o.order())
}

// ansible runs one module on many machines; those that run commands get theirs from -a.
func ansible(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "i inventory l limit e extra-vars u user f forks m module-name a args vault-password-file private-key c connection")
	module := orElse(firstText(o.values("m module-name")), "command")
	module = module[strings.LastIndexByte(module, '.')+1:]
	if len(o.operands) == 0 || o.has("C check list-hosts version help h") || oneOf(module, "ping", "setup", "debug", "stat") {
		return nothing()
	}
	a.mark(c, "runs on the machines "+o.word(0), effect.RemoteExecution, effect.DevopsInvoked)
	if text := o.values("a args"); len(text) > 0 && oneOf(module, "command", "shell", "raw", "script") {
		a.remotely(c, text[0])
	}
	return flow{taint: fromNetwork}
}

func ansibleVault(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "vault-password-file vault-id output")
	if oneOf(o.word(0), "view", "decrypt") {
		return a.judge(c, reveals, "ansible-vault "+o.order())
	}
	return flow{taint: fromProgram}
}

func vagrant(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "c command provider")
	switch o.word(0) {
	case "destroy":
		a.mark(c, "deletes virtual machines with their data", effect.DestructiveOp)
	case "box":
		if oneOf(o.word(1), "remove", "prune") {
			return nothing()
		}
	case "ssh", "winrm", "powershell":
		if text := o.values("c command"); len(text) > 0 {
			a.mark(c, "runs a command in the virtual machine", effect.RemoteExecution)
			a.remotely(c, text[0])
		}
	}
	return flow{taint: fromProgram}
}

// releaseTool brings an application to its servers.
func releaseTool(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "d destination c config-file v version p h")
	for _, v := range o.operands[:min(3, len(o.operands))] {
		verb := v.text[strings.LastIndexByte(v.text, ':')+1:]
		switch {
		case oneOf(verb, "deploy", "redeploy", "release", "rollback", "setup", "reboot", "upload_to_app_store", "upload_to_play_store"):
			return a.judge(c, releases, c.name+" "+o.order())
		case oneOf(verb, "destroy", "remove", "terminate", "unlink"):
			return a.judge(c, destroys, c.name+" "+o.order())
		}
	}
	return flow{taint: fromProgram}
}
