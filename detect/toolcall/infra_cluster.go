package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// clusterHandler knows the tools of Kubernetes and its relatives.
func clusterHandler(name string) handler {
	switch name {
	case "kubectl", "oc", "kubecolor", "microk8s.kubectl":
		return func(a *analyzer, c *command) flow { return a.kubectl(c, c.args()) }
	case "k3s", "microk8s", "minikube":
		return embeddedKubectl
	case "helm", "helm3", "helmfile":
		return helm
	case among(name, "argocd flux nomad consul kubeadm skaffold kops istioctl"):
		return clusterTool
	}
	return nil
}

// embeddedKubectl is a program that has kubectl in it, as its first argument.
func embeddedKubectl(a *analyzer, c *command) flow {
	for i, v := range c.args() {
		if v.text == "kubectl" {
			rest := c.args()[i+1:]
			if len(rest) > 0 && rest[0].text == "--" {
				rest = rest[1:]
			}
			return a.kubectl(c, rest)
		}
	}
	return flow{taint: fromProgram}
}

const kubectlValues = "n namespace context cluster user kubeconfig s server token as as-group request-timeout cache-dir f filename l selector o output " +
	"field-selector k kustomize c container p patch type replicas image port overrides restart env labels tail since timeout grace-period sort-by template " +
	"from-literal from-file v to-revision raw"

func (a *analyzer) kubectl(c *command, args []value) flow {
	inner, hasInner := afterDashes(args)
	if hasInner {
		args = args[:len(args)-len(inner)-1]
	}
	o := parseOptions(args, kubectlValues)
	if o.has("help h") || isDryRun(&o) {
		return nothing()
	}
	switch o.word(0) {
	case "exec", "debug":
		if !hasInner && o.word(0) == "exec" {
			inner = afterPod(args)
		}
		return a.kubectlExec(c, &o, inner)
	case "cp":
		return a.kubectlCopy(c, o.operands[1:])
	case "run":
		if isPrivilegedPod(firstText(o.values("overrides"))) {
			a.mark(c, "starts a pod that has the host", effect.ContainerEscape)
		}
	}
	return a.judge(c, kubectlOutcome(&o), "kubectl "+o.order())
}

func isDryRun(o *options) bool {
	f, ok := o.flag("dry-run")
	return ok && f.value.text != "none" && f.value.text != "false"
}

func isPrivilegedPod(overrides string) bool {
	return strings.Contains(overrides, `"privileged":true`) || strings.Contains(overrides, `"privileged": true`) || strings.Contains(overrides, "hostPath") || strings.Contains(overrides, "hostPID")
}

// kubectlOutcome says what an order to kubectl comes to.
func kubectlOutcome(o *options) outcome {
	switch o.word(0) {
	case "delete", "drain":
		return destroys
	case "replace", "apply":
		if o.has("force prune") {
			return destroys
		}
		return releases
	case "scale":
		if firstText(o.values("replicas")) == "0" {
			return destroys
		}
		return releases
	case "create":
		return createOutcome(o)
	case "patch", "edit", "set", "autoscale", "expose", "run", "new-app", "start-build":
		return releases
	case "rollout":
		if oneOf(o.word(1), "status", "history") {
			return looks
		}
		return releases
	case "label", "annotate", "taint", "cordon", "uncordon", "certificate":
		return changes
	case "adm", "policy":
		return grants
	case "get":
		return getOutcome(o)
	case "config":
		if o.word(1) == "view" && o.has("raw") {
			return reveals
		}
	}
	return looks
}

func createOutcome(o *options) outcome {
	switch kind := o.word(1); {
	case kind == "token":
		return reveals
	case strings.HasSuffix(kind, "rolebinding"):
		return grants
	}
	return releases
}

// getOutcome tells listing secrets from printing what is in them.
func getOutcome(o *options) outcome {
	kind, _, _ := strings.Cut(strings.ToLower(o.word(1)), "/")
	format := firstText(o.values("o output"))
	if !oneOf(kind, "secret", "secrets") && !strings.Contains(kind, "secret,") && !strings.HasSuffix(kind, ",secret") && !strings.HasSuffix(kind, ",secrets") {
		return looks
	}
	if format == "" || format == "name" || format == "wide" || strings.Contains(format, "metadata.") {
		return looks
	}
	return reveals
}

// kubectlExec runs a command in a pod, or opens a shell on a node.
func (a *analyzer) kubectlExec(c *command, o *options, inner []value) flow {
	if strings.HasPrefix(o.word(1), "node/") {
		a.mark(c, "opens the node "+o.word(1), effect.ContainerEscape)
	}
	a.mark(c, "runs a command in the cluster", effect.RemoteExecution)
	out := a.enter(c, &box{lasting: true}, "", inner)
	out.taint |= fromNetwork
	return out
}

// afterPod is the command in the old form of kubectl exec, which has no hyphens before it: exec POD COMMAND.
func afterPod(args []value) []value {
	for range 2 {
		_, args = leadingOptions(args, kubectlValues)
		args = args[min(1, len(args)):]
	}
	_, args = leadingOptions(args, kubectlValues)
	return args
}

// kubectlCopy copies between the machine and a pod, which is written with a colon.
func (a *analyzer) kubectlCopy(c *command, operands []value) flow {
	if len(operands) < 2 {
		return nothing()
	}
	source, dest := operands[0], operands[1]
	if strings.Contains(dest.text, ":") {
		a.upload(c, "", a.readFlow(source, c.sc, c.span).taint)
	} else {
		_, inside, _ := strings.Cut(source.text, ":")
		a.write(into(dest, inside), c.sc, c.span)
	}
	return nothing()
}

func helm(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "n namespace kube-context kubeconfig f values set set-string set-file version timeout e environment l selector registry-config repository-config")
	if o.has("help h") || isDryRun(&o) || o.has("dry-run") {
		return nothing()
	}
	what := c.name + " " + o.order()
	switch o.word(0) {
	case "install", "upgrade", "rollback", "apply", "sync":
		return a.judge(c, releases, what)
	case "uninstall", "delete", "del", "un", "destroy":
		return a.judge(c, destroys, what)
	case "push":
		return a.judge(c, issues, what)
	}
	return flow{taint: fromProgram}
}

// clusterTool is a tool whose orders read alike: app delete, job stop, kv put.
func clusterTool(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "n namespace context f file filename p profile server address token -address -token -namespace")
	if o.has("help -help -h dry-run") {
		return nothing()
	}
	for _, v := range o.operands[:min(3, len(o.operands))] {
		if result := clusterVerb(v.text); result != looks {
			return a.judge(c, result, c.name+" "+o.order())
		}
	}
	return flow{taint: fromProgram}
}

func clusterVerb(verb string) outcome {
	switch verb {
	case among(verb, "delete uninstall stop reset purge destroy rm gc"):
		return destroys
	case among(verb, "sync run deploy rollback reconcile install upgrade apply bootstrap"):
		return releases
	case among(verb, "put set suspend resume drain create join init update promote"):
		return changes
	case among(verb, "get list status logs diff plan validate render inspect dev"):
		return looks
	}
	return looks
}
