package trace

import (
	"path"
	"strings"

	"guardrails/detect/effect"
)

// Container is a container in which commands run. Its files are separate from the files of the host, except for the
// folders of the host that are mounted in the container.
type Container struct {
	Mounts []MountPoint
	// Lasting is set if the container existed before the call and may hold important data.
	Lasting bool
	// Secrets is set if the environment of the container may hold secrets.
	Secrets bool
	// Production is set if the container runs in production.
	Production bool
	// Variables lists the variables that the call sets for the command, as NAME=value.
	Variables []Value
	// Volumes lists the paths in the container where lasting volumes are mounted.
	Volumes []string
}

// MountPoint says which folder of the host is mounted in the container, and where. Host is an absolute path.
type MountPoint struct{ Host, Inside string }

// DeletesRecords is the last part of an effect's reason. Code has this effect if it calls a method that deletes
// records.
const DeletesRecords = ", which deletes what a service or a database holds"

// BadSyntax is the first part of an effect's reason. A text has this effect if it is not valid in the shell.
const BadSyntax = "is not valid shell syntax"

// ContainerPrefix is the prefix of the path of each file that exists only in a container. The method Enter removes the
// effects on these files.
const ContainerPrefix = "container:"

// IsEmpty reports whether the container is new and holds nothing of the host. Without a container, it returns false.
func (b *Container) IsEmpty() bool {
	return b != nil && !b.Lasting && !b.Secrets && len(b.Mounts)+len(b.Volumes) == 0
}

// host() converts a path in the container to a path on the host. It returns false if the path is not in a mounted
// folder.
func (b *Container) host(inside string) (string, bool) {
	for _, m := range b.Mounts {
		if rel, ok := Below(inside, m.Inside); ok {
			return path.Join(m.Host, rel), true
		}
		if m.Inside == "/" {
			return path.Join(m.Host, inside), true
		}
	}
	return "", false
}

// inContainer finds the place of a path v. This path is an argument of a command in a container. If the path is in a
// mounted folder, inContainer changes v to the path on the host and returns false. If the path exists only in the
// container, it returns the place in the container and true.
func (t *Trace) inContainer(v *Value, sc *Scope) (Place, bool) {
	text := v.Text
	if strings.HasPrefix(text, "/dev/") {
		return Place{}, false
	}
	if !IsAbsolute(text) {
		cwd, inside := strings.CutPrefix(sc.Cwd, ContainerPrefix)
		switch {
		case sc.CwdUnknown && len(sc.Container.Mounts) > 0:
			v.Text = path.Join(sc.Container.Mounts[0].Host, text)
			return Place{}, false
		case sc.CwdUnknown:
			return sc.Container.innerPlace(v, "/"+text), true
		case !inside:
			return Place{}, false
		}
		text = cwd + "/" + text
	}
	text = path.Clean(text)
	if host, ok := sc.Container.host(text); ok {
		v.Text = host
		return Place{}, false
	}
	return sc.Container.innerPlace(v, text), true
}

// innerPlace returns the place of a path that exists only in the container.
func (b *Container) innerPlace(v *Value, abs string) Place {
	name := ContainerPrefix + abs
	p := Place{Name: name, Abs: name, Partial: v.Partial, Glob: v.Glob, Zone: Scratch}
	for _, volume := range b.Volumes {
		if _, inside := Below(strings.TrimSuffix(abs, "/*"), volume); inside {
			p.Zone = Unresolved
		}
	}
	p.Secret = (b.Lasting || b.Secrets) && IsSecret(abs)
	if b.Lasting {
		if !effect.IsTemporaryPath(abs) && !IsRegenerable(strings.TrimPrefix(abs, "/")) {
			p.Zone = Unresolved
		}
	}
	return p
}

// Enter analyzes a command that runs in a container. It drops each effect that stays in the container. If a dropped
// effect loses data or reads a secret, its events move to the command on the host.
func (t *Trace) Enter(c *Command, b *Container, cwd string, argv []Value) Flow {
	if len(argv) == 0 || strings.HasPrefix(argv[0].Text, "-") {
		return Flow{Taint: FromProgram}
	}
	first := len(t.Effects)
	outer := c.Scope
	c.Scope = &Scope{Container: b, Cwd: ContainerPrefix + cwd, CwdUnknown: cwd == "", Production: b.Production}
	for _, v := range b.Variables {
		name, text, ok := strings.Cut(v.Text, "=")
		if v.Text = text; ok {
			c.Scope.SetScalar(name, v)
		}
	}
	out := t.RunInner(c, argv)
	c.Scope = outer
	t.leave(c, first)
	if out.Known = false; strings.HasPrefix(out.From(), ContainerPrefix) {
		out.File, out.Taint = nil, out.Taint|FromProgram
	}
	if b.Secrets && out.Taint.Has(FromEnviron) {
		t.Mark(c, "prints the environment of an application, which holds secrets", effect.SecretAccess)
	}
	return out
}

// leave() removes from the trace the effects that do not reach the host. The parameter "first" is the index of the
// first effect in the container.
func (t *Trace) leave(c *Command, first int) {
	kept := t.Effects[:first]
	for _, e := range t.Effects[first:] {
		e.Events = hostEvents(e.Events)
		if strings.HasPrefix(e.Path, ContainerPrefix) {
			if at := runOf(&e, kept, c.Run); len(e.Events) > 0 && at < len(kept) {
				kept[at].NoteAll(e.Reason, e.Events...)
			}
			continue
		}
		kept = append(kept, e)
	}
	t.Effects = kept
}

// If a script caused the effect e, runOf returns the index of the effect of running that script. Otherwise, it returns
// the parameter "command", which is the index of the effect of running the command.
func runOf(e *effect.Effect, kept []effect.Effect, command int) int {
	for i := len(kept) - 1; i > command && e.Script > 0; i-- {
		if kept[i].Kind == effect.Run && kept[i].Script == e.Script {
			return i
		}
	}
	return command
}

// hostEvents drops the events about changes of the system in which the command runs. These changes are lost when a
// container ends.
func hostEvents(events []effect.Event) []effect.Event {
	out := events[:0]
	for _, event := range events {
		switch event {
		case effect.SystemControl, effect.PrivilegeGain, effect.Privilege, effect.DefenseOff,
			effect.StartupChange, effect.SystemChange:
		default:
			out = append(out, event)
		}
	}
	return out
}
