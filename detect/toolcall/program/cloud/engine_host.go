package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// localEngines lists the contexts of container engines on this machine. engineGroups lists groups of subcommands.
// engineLooksUp lists subcommands that change no running container or service.
const (
	localEngines = "default desktop-linux desktop-windows docker-desktop orbstack rancher-desktop minikube rootless local " +
		"localhost wsl lima podman-machine-default podman-machine-default-root"
	engineGroups  = "container image volume network system service stack swarm node secret config pod"
	engineLooksUp = "ps images image ls list inspect logs stats top info version events diff history port search login logout " +
		"config build buildx builder pull push tag save export load import commit manifest plugin context cp wait attach df " +
		"tasks trust scout help --help --version -v"
)

// markRemote marks a subcommand that changes containers or services on another machine, or runs a command there.
func markRemote(t *trace.Trace, c *trace.Command, verb string) {
	switch verb {
	case words.Among(verb, engineLooksUp):
	case "exec":
		t.Mark(c, "runs a command on another machine", effect.RemoteExecution)
	default:
		t.Mark(c, "changes containers on another machine: "+verb, effect.DevopsInvoked)
	}
}

// isRemote reports whether a call uses the container engine of another machine. The options of the call override
// environment variables.
func isRemote(sc *trace.Scope, o *flags.Options) bool {
	host, name := trace.FirstText(o.Values("H host url")), trace.FirstText(o.Values("c context connection"))
	if host == "" && name == "" {
		host = sc.Vars.Get("DOCKER_HOST").Scalar().Text
	}
	if host != "" {
		return isRemoteHost(host)
	}
	return isRemoteContext(words.OrElse(name, sc.Vars.Get("DOCKER_CONTEXT").Scalar().Text))
}

// isRemoteHost reports whether the container engine with this address is on another machine. It returns false for
// "tcp://docker:2375", because this host is a container.
func isRemoteHost(address string) bool {
	host := trace.HostOf(address)
	switch {
	case strings.Contains(address, "$"), strings.HasPrefix(address, "unix:"):
		return false
	case strings.HasPrefix(address, "ssh:"):
		return !trace.IsLoopback(host)
	}
	return trace.IsForeign(host)
}

func isRemoteContext(name string) bool {
	return name != "" && !strings.Contains(name, "$") && words.Among(name, localEngines) != name &&
		!strings.HasPrefix(name, "colima") && !strings.HasPrefix(name, "lima-") && !namesTests(name)
}
