package cloud

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

const dockerRunValues = "v volume mount e env env-file w workdir p publish name network net u user h hostname l " +
	"label label-file entrypoint platform " +
	"cpus c cpu-shares cpuset-cpus m memory memory-swap add-host cap-add cap-drop device pid ipc uts userns " +
	"security-opt restart gpus runtime shm-size " +
	"ulimit volumes-from tmpfs log-driver log-opt dns ip mac-address pull stop-signal stop-timeout cidfile " +
	"health-cmd health-interval expose annotation " +
	"cgroupns group-add a attach network-alias sysctl volume-driver"

// runContainer analyzes the start of a container. Flags may give the container access to the host, and its command may
// change mounted folders.
func runContainer(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	o, rest := flags.ParseLeading(args, dockerRunValues)
	hostRights(t, c, &o)
	b := &trace.Container{
		Lasting:   mayReachHost(&o, rest),
		Secrets:   c.Name == "docker-compose" || o.Has("env-file"),
		Variables: o.Values("e env"),
	}
	mounts(t, c, &o, b)
	notePorts(t, c, &o, rest, b)
	for _, v := range o.Values("add-host") { // the name leads to another machine
		if at := strings.IndexAny(v.Text, ":="); at > 0 && trace.IsForeign(v.Text[at+1:]) {
			t.Tunnel("")
		}
	}
	shared, _, _ := strings.Cut(trace.FirstText(o.Values("network net")), ":")
	if name := trace.FirstText(o.Values("name")); name != "" && c.Name != "docker-compose" && !words.OneOf(shared, "host container") {
		if t.Containers == nil {
			t.Containers = map[string]*trace.Container{}
		}
		t.Containers[name] = b
	}
	if len(rest) == 0 {
		return trace.Nothing()
	}
	entry := trace.Value{Text: programOf(rest[0].Text)}
	if given := o.Values("entrypoint"); len(given) > 0 {
		entry = given[0]
	}
	command := rest[1:]
	if entry.Text != "" && (len(command) == 0 || command[0].Text != entry.Text) {
		command = append([]trace.Value{entry}, command...)
	}
	return t.Enter(c, b, trace.FirstText(o.Values("w workdir")), command)
}

// mayReachHost reports whether a container may reach files of this machine without a mount.
func mayReachHost(o *flags.Options, rest []trace.Value) bool {
	return o.Has("volumes-from rootfs privileged pid ipc userns device cap-add security-opt use-api-socket volume-driver") ||
		strings.Contains(trace.ArgAt(rest, 0), "$")
}

// The constant "servers" lists images that run a server without data.
const servers = "postgres postgis/postgis pgvector/pgvector timescale/timescaledb mysql mariadb redis valkey/valkey mongo " +
	"nats minio/minio registry hashicorp/vault openbao/openbao"

// notePorts records the ports of this machine that lead to a server in the container b. The server must be new and have
// no data. The port must differ from the usual port of the server, because another server may already use the usual
// port.
func notePorts(t *trace.Trace, c *trace.Command, o *flags.Options, rest []trace.Value, b *trace.Container) {
	image, _, _ := strings.Cut(trace.ArgAt(rest, 0), ":")
	if !words.OneOf(image, servers) || o.Has("network net entrypoint help add-host") || !b.IsEmpty() ||
		slices.ContainsFunc(rest[1:], func(v trace.Value) bool { return !words.OneOf(v.Text, "server /data redis-server mongod -js") }) ||
		c.Run >= len(t.Effects) || len(t.Effects[c.Run].Events) > 0 ||
		!strings.HasPrefix(t.Effects[c.Run].Command, c.Name+" run ") {
		return
	}
	for _, v := range o.Values("p publish") {
		outside, inside, _ := strings.Cut(strings.TrimPrefix(v.Text, "127.0.0.1:"), ":")
		if outside != inside {
			t.NoteMade("port "+outside, false, c.Scope)
		}
	}
}

// programOf returns the program that an image runs with the arguments of "docker run". If the program is not known, it
// returns "".
func programOf(image string) string {
	name, _, _ := strings.Cut(words.AfterLast(image, "/"), ":")
	switch {
	case name == "aws-cli":
		return "aws"
	case name == "opentofu":
		return "tofu"
	case strings.Contains(image, "/") && words.OneOf(name, "curl git terraform kubectl helm rclone flyway liquibase"):
		return name
	}
	return ""
}

// hostRights marks the flags that let a container reach the host.
func hostRights(t *trace.Trace, c *trace.Command, o *flags.Options) {
	for _, f := range o.Flags {
		text := strings.ToLower(f.Value.Text)
		found := false
		switch f.Name {
		case "privileged":
			found = text != "false"
		case "pid", "userns":
			found = text == "host"
		case "security-opt":
			found = strings.Contains(text, "unconfined") || text == "label=disable" || text == "label:disable"
		case "cap-add":
			found = words.OneOf(strings.TrimPrefix(text, "cap_"), "all sys_admin sys_ptrace sys_module "+
				"dac_read_search sys_rawio dac_override")
		case "device":
			found = program.IsDisk(text) || strings.HasPrefix(text, "/dev/mem") || strings.HasPrefix(text, "/dev/kmem")
		}
		if found {
			t.Mark(c, "gives the container access to the host: --"+strings.TrimPrefix(f.Name+" "+text, "--"),
				effect.ContainerEscape)
		}
	}
}

// mounts() records the folders of the host and the named volumes that are mounted in the container b.
func mounts(t *trace.Trace, c *trace.Command, o *flags.Options, b *trace.Container) {
	for _, v := range o.Values("v volume") {
		source, rest, ok := strings.Cut(v.Text, ":")
		target, mode, _ := strings.Cut(rest, ":")
		switch {
		case ok && isHostPath(source):
			b.Mounts = append(b.Mounts, mountOf(t, c, v, source, target, strings.Contains(mode, "ro")))
		case ok && !strings.Contains(mode, "ro"):
			if _, made := t.MadeHere(volume(t, c, trace.Value{Text: source}), c.Scope); !made {
				b.Volumes = append(b.Volumes, target)
			}
		}
	}
	for _, v := range o.Values("mount") {
		source, target, readOnly := "", "", false
		for _, part := range strings.Split(v.Text, ",") {
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
			b.Mounts = append(b.Mounts, mountOf(t, c, v, source, target, readOnly))
		} else if source != "" && !readOnly {
			b.Volumes = append(b.Volumes, target)
		}
	}
}

// isHostPath reports whether the source of a mount is a folder rather than the name of a volume.
func isHostPath(source string) bool {
	return source != "" && strings.ContainsAny(source[:1], "/.~$")
}

func mountOf(t *trace.Trace, c *trace.Command, v trace.Value, source, target string, readOnly bool) trace.MountPoint {
	v.Text = network.TildeText(t, source)
	p := t.Place(v, c.Scope)
	if network.IsEngineSocket(v.Text) || network.IsEngineSocket(p.Abs) {
		t.Mark(c, "mounts the container engine's socket into the container", effect.ContainerEscape)
	} else if isHostFolder(t, &p) && (!readOnly || !isSharedFile(p.Abs)) {
		t.Mark(c, "mounts "+p.Name+" of the host into the container", effect.ContainerEscape)
	}
	host := p.Abs
	if host == "" {
		host = v.Text
	}
	return trace.MountPoint{Host: host, Inside: strings.TrimSuffix(words.OrElse(target, v.Text), "/")}
}

// isHostFolder reports whether access to a folder gives access to the host or its secrets.
func isHostFolder(t *trace.Trace, p *trace.Place) bool {
	if p.Secret || p.Guard {
		return p.Zone != trace.Project && p.Zone != trace.Scratch
	}
	if rel, ok := trace.Below(p.Abs, t.Env.Home); ok && rel != "." || p.Zone != trace.System || p.Abs == "/tmp" {
		return false
	}
	return !strings.HasPrefix(p.Abs, "/var/") || strings.HasPrefix(p.Abs, "/var/run") ||
		strings.HasPrefix(p.Abs, "/var/lib/docker") || strings.HasPrefix(p.Abs, "/var/lib/kubelet")
}

// isSharedFile reports whether a path is a system file that is often mounted into containers, such as the time zone or
// the host names.
func isSharedFile(abs string) bool {
	return words.OneOf(abs, "/etc/localtime /etc/timezone /etc/hosts /etc/resolv.conf /etc/passwd /etc/group "+
		"/etc/machine-id") || strings.HasPrefix(abs, "/etc/ssl/certs") ||
		strings.HasPrefix(abs, "/usr/share/zoneinfo")
}
