package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

const dockerRunValues = "v volume mount e env env-file w workdir p publish name network net u user h hostname l label label-file entrypoint platform " +
	"cpus c cpu-shares cpuset-cpus m memory memory-swap add-host cap-add cap-drop device pid ipc uts userns security-opt restart gpus runtime shm-size " +
	"ulimit volumes-from tmpfs log-driver log-opt dns ip mac-address pull stop-signal stop-timeout cidfile health-cmd health-interval expose annotation " +
	"cgroupns group-add a attach network-alias sysctl volume-driver"

// dockerRun starts a container: its flags may hand it the host, and its command may reach what is mounted.
func (a *analyzer) dockerRun(c *command, args []value) flow {
	o, rest := leadingOptions(args, dockerRunValues)
	a.hostRights(c, &o)
	b := &box{mounts: a.mounts(c, &o)}
	if len(rest) == 0 {
		return nothing()
	}
	words := rest[1:]
	if entry := o.values("entrypoint"); len(entry) > 0 && entry[0].text != "" {
		words = append([]value{entry[0]}, words...)
	}
	return a.enter(c, b, firstText(o.values("w workdir")), words)
}

// hostRights finds the flags that let a container out.
func (a *analyzer) hostRights(c *command, o *options) {
	for _, f := range o.flags {
		text := strings.ToLower(f.value.text)
		found := false
		switch f.name {
		case "privileged":
			found = text != "false"
		case "pid", "userns":
			found = text == "host"
		case "security-opt":
			found = strings.Contains(text, "unconfined") || text == "label=disable" || text == "label:disable"
		case "cap-add":
			found = oneOf(strings.TrimPrefix(text, "cap_"), "all", "sys_admin", "sys_ptrace", "sys_module", "dac_read_search", "sys_rawio", "dac_override")
		case "device":
			found = isDisk(text) || strings.HasPrefix(text, "/dev/mem") || strings.HasPrefix(text, "/dev/kmem")
		}
		if found {
			a.mark(c, "gives the container the host: --"+strings.TrimPrefix(f.name+" "+text, "--"), effect.ContainerEscape)
		}
	}
}

// mounts are the folders of the host that the container sees.
func (a *analyzer) mounts(c *command, o *options) []mountPoint {
	var out []mountPoint
	for _, v := range o.values("v volume") {
		source, rest, ok := strings.Cut(v.text, ":")
		target, mode, _ := strings.Cut(rest, ":")
		if ok && isHostPath(source) {
			out = append(out, a.mountOf(c, v, source, target, strings.Contains(mode, "ro")))
		}
	}
	for _, v := range o.values("mount") {
		source, target, readOnly := "", "", false
		for part := range strings.SplitSeq(v.text, ",") {
			key, text, _ := strings.Cut(part, "=")
			switch key {
			case "source", "src":
				source = text
			case "target", "dst", "destination":
				target = text
			case "readonly", "ro":
				readOnly = true
			}
		}
		if isHostPath(source) {
			out = append(out, a.mountOf(c, v, source, target, readOnly))
		}
	}
	return out
}

// isHostPath tells a folder from the name of a volume.
func isHostPath(source string) bool {
	return source != "" && strings.ContainsAny(source[:1], "/.~$")
}

func (a *analyzer) mountOf(c *command, v value, source, target string, readOnly bool) mountPoint {
	v.text = a.tildeText(source)
	p := a.place(v, c.sc)
	if isEngineSocket(v.text) || isEngineSocket(p.abs) {
		a.mark(c, "hands the container engine's socket into the container", effect.ContainerEscape)
	} else if a.isHostFolder(&p) && (!readOnly || !isSharedFile(p.abs)) {
		a.mark(c, "mounts "+p.name+" of the host into the container", effect.ContainerEscape)
	}
	host := p.abs
	if host == "" {
		host = v.text
	}
	return mountPoint{host: host, inside: strings.TrimSuffix(orElse(target, v.text), "/")}
}

// isHostFolder reports whether whoever has a folder has the host, or its secrets.
func (a *analyzer) isHostFolder(p *place) bool {
	if p.secret || p.guard {
		return p.zone != project && p.zone != scratch
	}
	if rel, ok := Below(p.abs, a.env.Home); ok && rel != "." || p.zone != system {
		return false
	}
	return !strings.HasPrefix(p.abs, "/var/") || strings.HasPrefix(p.abs, "/var/run") || strings.HasPrefix(p.abs, "/var/lib/docker") || strings.HasPrefix(p.abs, "/var/lib/kubelet")
}

// isSharedFile reports whether a system file is usually given to containers, so that they agree on time and names.
func isSharedFile(abs string) bool {
	return oneOf(abs, "/etc/localtime", "/etc/timezone", "/etc/hosts", "/etc/resolv.conf", "/etc/passwd", "/etc/group", "/etc/machine-id") || strings.HasPrefix(abs, "/etc/ssl/certs") || strings.HasPrefix(abs, "/usr/share/zoneinfo")
}
