package trace

import (
	"path"
	"strings"

	"guardrails/detect/effect"
)

// Container is a container in which commands run. Its files are separate from the host's files, except for folders that
// are mounted from the host.
type Container struct {
	Mounts []MountPoint
	// Lasting is set if the container existed before the call and may hold data that matters.
	Lasting bool
	// Secrets is set if the environment of the container may hold secrets.
	Secrets bool
	// Volumes are the paths in the container at which volumes with lasting data are mounted.
	Volumes []string
}

// MountPoint is a folder of the host, as an absolute path, and its path in the container.
type MountPoint struct{ Host, Inside string }

// ContainerPrefix marks paths of a container. Enter removes the effects with such paths.
const ContainerPrefix = "container:"

// host returns the path on the host of a mounted path in the container. It returns false if the path is not mounted.
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

// inContainer resolves a path in the arguments of a command in a container. For a mounted path, it replaces v with the
// host's path. For a path that exists only in the container, it returns the place inside the container and true.
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

// innerPlace returns a place that exists only in the container.
func (b *Container) innerPlace(v *Value, abs string) Place {
	name := ContainerPrefix + abs
	p := Place{Name: name, Abs: name, Partial: v.Partial, Glob: v.Glob, Zone: Scratch}
	for _, volume := range b.Volumes {
		if _, inside := Below(strings.TrimSuffix(abs, "/*"), volume); inside {
			p.Zone = Unresolved
		}
	}
	if b.Lasting {
		p.Secret = IsSecret(abs)
		if !effect.IsTemporaryPath(abs) && !IsRegenerable(strings.TrimPrefix(abs, "/")) {
			p.Zone = Unresolved
		}
	}
	return p
}

// Enter analyzes a command that runs in a container. Effects that stay in the container are dropped. If one of them
// loses data or reads a secret, its events are added to the outer command.
func (t *Trace) Enter(c *Command, b *Container, cwd string, argv []Value) Flow {
	if len(argv) == 0 || strings.HasPrefix(argv[0].Text, "-") {
		return Flow{Taint: FromProgram}
	}
	first := len(t.Effects)
	outer := c.Scope
	c.Scope = &Scope{Container: b, Cwd: ContainerPrefix + cwd, CwdUnknown: cwd == ""}
	out := t.RunInner(c, argv)
	c.Scope = outer
	t.leave(c, first)
	out.Known = false
	if b.Secrets && out.Taint.Has(FromEnviron|FromSecret) {
		t.Mark(c, "prints the environment of an application, which holds secrets", effect.SecretAccess)
	}
	return out
}

// leave removes the effects, from index first on, that do not reach the host.
func (t *Trace) leave(c *Command, first int) {
	kept := t.Effects[:first]
	for _, e := range t.Effects[first:] {
		e.Events = hostEvents(e.Events)
		if strings.HasPrefix(e.Path, ContainerPrefix) {
			if len(e.Events) > 0 {
				t.Mark(c, e.Reason, e.Events...)
			}
			continue
		}
		kept = append(kept, e)
	}
	t.Effects = kept
}

// hostEvents drops the events that concern only the machine itself. In a container, such changes end with the
// container.
func hostEvents(events []effect.Event) []effect.Event {
	out := events[:0]
	for _, event := range events {
		switch event {
		case effect.SystemControl, effect.PrivilegeGain, effect.Privilege, effect.DefenseOff, effect.StartupChange, effect.SystemChange:
		default:
			out = append(out, event)
		}
	}
	return out
}
