package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

func embeddedHandler(name string) trace.Handler {
	switch name {
	case "k3s", "microk8s", "minikube":
		return embeddedKubectl
	case "kubectl", "oc", "kubecolor":
		return kubectl
	}
	return nil
}

// The function kubectl analyzes a call of the program kubectl. If a call names a server or another cluster in addition
// to a context, the name of the context does not say which cluster the call uses. The analysis then ignores the
// context.
func kubectl(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), kubectlValues)
	server, cluster := o.LastText("s server"), o.LastText("cluster")
	if !o.Has("context") || !trace.IsForeign(trace.HostOf(server)) && (cluster == "" || cluster == o.LastText("context")) {
		return table.Handler(c.Name)(t, c)
	}
	inner := *c
	inner.Argv = c.Argv[:1:1]
	for i, v := range c.Argv[1:] {
		if v.Text != "--context" && c.Argv[i].Text != "--context" && !strings.HasPrefix(v.Text, "--context=") {
			inner.Argv = append(inner.Argv, v)
		}
	}
	return table.Handler(c.Name)(t, &inner)
}

// embeddedKubectl analyzes a program that runs kubectl as a subcommand, such as "minikube kubectl".
func embeddedKubectl(t *trace.Trace, c *trace.Command) trace.Flow {
	for i, v := range c.Args() {
		if v.Text == "kubectl" {
			rest := c.Args()[i+1:]
			if len(rest) > 0 && rest[0].Text == "--" {
				rest = rest[1:]
			}
			inner := *c
			inner.Name, inner.Argv = "kubectl", append([]trace.Value{{Text: "kubectl"}}, rest...)
			return table.Handler("kubectl")(t, &inner)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

const kubectlValues = "n namespace context cluster user kubeconfig s server token as as-group request-timeout cache-dir " +
	"f filename l selector o output field-selector k kustomize c container p patch type replicas image port overrides restart " +
	"env labels tail since address accept-hosts timeout grace-period sort-by template from-literal from-file v to-revision raw"

func isPrivilegedPod(overrides string) bool {
	return words.HasPart(overrides, `"privileged":true|"privileged": true|hostPath|hostPID`)
}

// kubectlRun analyzes "kubectl run", which starts a pod. The pod may have access to the host. With --rm, the pod
// disappears after its command.
func kubectlRun(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if isPrivilegedPod(trace.FirstText(o.Values("overrides"))) {
		t.Mark(c, "starts a pod with access to the host", effect.ContainerEscape)
	}
	if inner, ok := flags.AfterDashes(c.Args()); ok {
		t.Enter(c, &trace.Container{}, "", inner)
	}
	if o.HasWhole("rm") {
		return trace.Nothing()
	}
	return program.Judge(t, c, program.Releases, c.Name+" "+o.Order())
}

// kubectlRestart analyzes "kubectl rollout restart". In production, a person decides when programs restart.
func kubectlRestart(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if inProduction(c) {
		return program.Judge(t, c, program.Changes, c.Name+" "+o.Order())
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// kubectlContext analyzes "kubectl config use-context", which chooses the cluster for the commands that follow.
func kubectlContext(_ *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	c.Scope.ProductionCluster = program.IsProduction(o.Word(2))
	return trace.Flow{Taint: trace.FromProgram}
}

// inProduction reports whether a call of kubectl is for a cluster or a namespace in production.
func inProduction(c *trace.Command) bool {
	return c.Scope.ProductionCluster || program.NamesProduction(c)
}

// kubectlTunnel analyzes "kubectl port-forward" and "kubectl proxy", which forward a port of this machine to the
// cluster.
func kubectlTunnel(t *trace.Trace, _ *trace.Command, o *flags.Options) trace.Flow {
	if o.Word(0) == "proxy" {
		t.Tunnel(words.OrElse(trace.FirstText(o.Values("port p")), "8001"))
	}
	for _, v := range o.Operands[min(2, len(o.Operands)):] {
		local, _, _ := strings.Cut(v.Text, ":")
		t.Tunnel(local)
	}
	return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
}

// kubectlGet analyzes "kubectl get", which shows objects of a cluster. Some output formats reveal the content of
// secrets.
func kubectlGet(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	return program.Judge(t, c, getOutcome(o), c.Name+" "+o.Order())
}

// getOutcome returns Reveals if "kubectl get" prints the content of secrets, and Looks otherwise.
func getOutcome(o *flags.Options) program.Outcome {
	kind, _, _ := strings.Cut(strings.ToLower(o.Word(1)), "/")
	format := trace.FirstText(o.Values("o output"))
	if strings.Contains(trace.FirstText(o.Values("raw")), "/secrets") {
		return program.Reveals
	}
	if !words.OneOf(kind, "secret secrets") && !strings.Contains(kind, "secret,") &&
		!strings.HasSuffix(kind, ",secret") && !strings.HasSuffix(kind, ",secrets") {
		return program.Looks
	}
	if format == "" || format == "name" || format == "wide" || strings.Contains(format, "metadata.") {
		return program.Looks
	}
	return program.Reveals
}

// kubectlExec analyzes "kubectl exec" and similar subcommands, which run a command in a pod or open a shell on a node.
func kubectlExec(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	inner, hasInner := flags.AfterDashes(c.Args())
	if !hasInner && o.Word(0) == "exec" {
		inner = afterPod(c.Args())
	}
	if strings.HasPrefix(o.Word(1), "node/") {
		t.Mark(c, "opens the node "+o.Word(1), effect.ContainerEscape)
	}
	t.Mark(c, "runs a command in the cluster", effect.RemoteExecution)
	container := &trace.Container{Lasting: true, Secrets: true, Production: inProduction(c)}
	out := t.Enter(c, container, "", inner)
	out.Taint |= trace.FromNetwork
	return out
}

// afterPod returns the command in the old form of "kubectl exec", in which no -- comes before the command: "kubectl
// exec POD COMMAND".
func afterPod(args []trace.Value) []trace.Value {
	for range 2 {
		args = flags.SkipLeading(args, kubectlValues)
		args = args[min(1, len(args)):]
	}
	args = flags.SkipLeading(args, kubectlValues)
	return args
}

// kubectlCopy analyzes "kubectl cp", which copies between this machine and a pod. The path in the pod contains a colon.
func kubectlCopy(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	operands := o.Operands[1:]
	if len(operands) < 2 {
		return trace.Nothing()
	}
	source, dest := operands[0], operands[1]
	if strings.Contains(dest.Text, ":") {
		program.Upload(t, c, "", t.ReadFlow(source, c.Scope, c.Span).Taint)
		if _, inside, _ := strings.Cut(dest.Text, ":"); !strings.HasPrefix(inside, "/tmp") {
			return program.Judge(t, c, program.Changes, c.Name+" "+o.Order())
		}
	} else {
		_, inside, _ := strings.Cut(source.Text, ":")
		copyOut(t, c, inside, dest)
	}
	return trace.Nothing()
}
