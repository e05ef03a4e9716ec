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

// clusterHandler knows the tools of Kubernetes and its relatives.
func clusterHandler(name string) trace.Handler {
	switch name {
	case "kubectl", "oc", "kubecolor", "microk8s.kubectl":
		return func(t *trace.Trace, c *trace.Command) trace.Flow { return kubectl(t, c, c.Args()) }
	case "k3s", "microk8s", "minikube":
		return embeddedKubectl
	case "helm", "helm3", "helmfile":
		return helm
	case words.Among(name, "argocd flux nomad consul kubeadm skaffold kops istioctl"):
		return clusterTool
	}
	return nil
}

// embeddedKubectl is a program that has kubectl in it, as its first argument.
func embeddedKubectl(t *trace.Trace, c *trace.Command) trace.Flow {
	for i, v := range c.Args() {
		if v.Text == "kubectl" {
			rest := c.Args()[i+1:]
			if len(rest) > 0 && rest[0].Text == "--" {
				rest = rest[1:]
			}
			return kubectl(t, c, rest)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

const kubectlValues = "n namespace context cluster user kubeconfig s server token as as-group request-timeout cache-dir f filename l selector o output " +
	"field-selector k kustomize c container p patch type replicas image port overrides restart env labels tail since timeout grace-period sort-by template " +
	"from-literal from-file v to-revision raw"

func kubectl(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	inner, hasInner := flags.AfterDashes(args)
	if hasInner {
		args = args[:len(args)-len(inner)-1]
	}
	o := flags.Parse(args, kubectlValues)
	if o.Has("help h") || isDryRun(&o) {
		return trace.Nothing()
	}
	switch o.Word(0) {
	case "exec", "debug":
		if !hasInner && o.Word(0) == "exec" {
			inner = afterPod(args)
		}
		return kubectlExec(t, c, &o, inner)
	case "cp":
		return kubectlCopy(t, c, o.Operands[1:])
	case "run":
		if isPrivilegedPod(trace.FirstText(o.Values("overrides"))) {
			t.Mark(c, "starts a pod that has the host", effect.ContainerEscape)
		}
	}
	return program.Judge(t, c, kubectlOutcome(&o), "kubectl "+o.Order())
}

func isDryRun(o *flags.Options) bool {
	f, ok := o.Flag("dry-run")
	return ok && f.Value.Text != "none" && f.Value.Text != "false"
}

func isPrivilegedPod(overrides string) bool {
	return strings.Contains(overrides, `"privileged":true`) || strings.Contains(overrides, `"privileged": true`) || strings.Contains(overrides, "hostPath") || strings.Contains(overrides, "hostPID")
}

// kubectlOutcome says what an order to kubectl comes to.
func kubectlOutcome(o *flags.Options) program.Outcome {
	switch o.Word(0) {
	case "delete", "drain":
		return program.Destroys
	case "replace", "apply":
		if o.Has("force prune") {
			return program.Destroys
		}
		return program.Releases
	case "scale":
		if trace.FirstText(o.Values("replicas")) == "0" {
			return program.Destroys
		}
		return program.Releases
	case "create":
		return createOutcome(o)
	case "patch", "edit", "set", "autoscale", "expose", "run", "new-app", "start-build":
		return program.Releases
	case "rollout":
		if words.OneOf(o.Word(1), "status", "history") {
			return program.Looks
		}
		return program.Releases
	case "label", "annotate", "taint", "cordon", "uncordon", "certificate":
		return program.Changes
	case "adm", "policy":
		return program.Grants
	case "get":
		return getOutcome(o)
	case "config":
		if o.Word(1) == "view" && o.Has("raw") {
			return program.Reveals
		}
	}
	return program.Looks
}

func createOutcome(o *flags.Options) program.Outcome {
	switch kind := o.Word(1); {
	case kind == "token":
		return program.Reveals
	case strings.HasSuffix(kind, "rolebinding"):
		return program.Grants
	}
	return program.Releases
}

// getOutcome tells listing secrets from printing what is in them.
func getOutcome(o *flags.Options) program.Outcome {
	kind, _, _ := strings.Cut(strings.ToLower(o.Word(1)), "/")
	format := trace.FirstText(o.Values("o output"))
	if !words.OneOf(kind, "secret", "secrets") && !strings.Contains(kind, "secret,") && !strings.HasSuffix(kind, ",secret") && !strings.HasSuffix(kind, ",secrets") {
		return program.Looks
	}
	if format == "" || format == "name" || format == "wide" || strings.Contains(format, "metadata.") {
		return program.Looks
	}
	return program.Reveals
}

// kubectlExec runs a command in a pod, or opens a shell on a node.
func kubectlExec(t *trace.Trace, c *trace.Command, o *flags.Options, inner []trace.Value) trace.Flow {
	if strings.HasPrefix(o.Word(1), "node/") {
		t.Mark(c, "opens the node "+o.Word(1), effect.ContainerEscape)
	}
	t.Mark(c, "runs a command in the cluster", effect.RemoteExecution)
	out := t.Enter(c, &trace.Container{Lasting: true}, "", inner)
	out.Taint |= trace.FromNetwork
	return out
}

// afterPod is the command in the old form of kubectl exec, which has no hyphens before it: exec POD COMMAND.
func afterPod(args []trace.Value) []trace.Value {
	for range 2 {
		_, args = flags.ParseLeading(args, kubectlValues)
		args = args[min(1, len(args)):]
	}
	_, args = flags.ParseLeading(args, kubectlValues)
	return args
}

// kubectlCopy copies between the machine and a pod, which is written with a colon.
func kubectlCopy(t *trace.Trace, c *trace.Command, operands []trace.Value) trace.Flow {
	if len(operands) < 2 {
		return trace.Nothing()
	}
	source, dest := operands[0], operands[1]
	if strings.Contains(dest.Text, ":") {
		program.Upload(t, c, "", t.ReadFlow(source, c.Scope, c.Span).Taint)
	} else {
		_, inside, _ := strings.Cut(source.Text, ":")
		t.Write(network.Into(dest, inside), c.Scope, c.Span)
	}
	return trace.Nothing()
}

func helm(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "n namespace kube-context kubeconfig f values set set-string set-file version timeout e environment l selector registry-config repository-config")
	if o.Has("help h") || isDryRun(&o) || o.Has("dry-run") {
		return trace.Nothing()
	}
	what := c.Name + " " + o.Order()
	switch o.Word(0) {
	case "install", "upgrade", "rollback", "apply", "sync":
		return program.Judge(t, c, program.Releases, what)
	case "uninstall", "delete", "del", "un", "destroy":
		return program.Judge(t, c, program.Destroys, what)
	case "push":
		return program.Judge(t, c, program.Issues, what)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// clusterTool is a tool whose orders read alike: app delete, job stop, kv put.
func clusterTool(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "n namespace context f file filename p profile server address token -address -token -namespace")
	if o.Has("help -help -h dry-run") {
		return trace.Nothing()
	}
	for _, v := range o.Operands[:min(3, len(o.Operands))] {
		if result := clusterVerb(v.Text); result != program.Looks {
			return program.Judge(t, c, result, c.Name+" "+o.Order())
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func clusterVerb(verb string) program.Outcome {
	switch verb {
	case words.Among(verb, "delete uninstall stop reset purge destroy rm gc"):
		return program.Destroys
	case words.Among(verb, "sync run deploy rollback reconcile install upgrade apply bootstrap"):
		return program.Releases
	case words.Among(verb, "put set suspend resume drain create join init update promote"):
		return program.Changes
	case words.Among(verb, "get list status logs diff plan validate render inspect dev"):
		return program.Looks
	}
	return program.Looks
}
