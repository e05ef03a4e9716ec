package toolcall

import (
	"path"
	"strings"

	"guardrails/detect/effect"
)

// box is a container in which commands run: its paths are its own, but for those that are mounted from the host.
type box struct {
	mounts []mountPoint
	// lasting is set when the container was there before and may hold data that matters.
	lasting bool
}

// mountPoint is a folder of the host, as an absolute path, and where the container sees it.
type mountPoint struct{ host, inside string }

// boxPrefix marks paths of a container; enter removes them from the effects again.
const boxPrefix = "container:"

// host is where a container's path lies on the host.
func (b *box) host(inside string) (string, bool) {
	for _, m := range b.mounts {
		if rel, ok := Below(inside, m.inside); ok {
			return path.Join(m.host, rel), true
		}
		if m.inside == "/" {
			return path.Join(m.host, inside), true
		}
	}
	return "", false
}

// boxed works out where a path lies that a command in a container names. It either rewrites v to the host's path, or
// returns the place inside.
func (a *analyzer) boxed(v *value, sc *scope) (place, bool) {
	text := v.text
	if strings.HasPrefix(text, "/dev/") {
		return place{}, false
	}
	if !isAbsolute(text) {
		cwd, inside := strings.CutPrefix(sc.cwd, boxPrefix)
		switch {
		case sc.cwdUnknown && len(sc.box.mounts) > 0:
			v.text = path.Join(sc.box.mounts[0].host, text)
			return place{}, false
		case sc.cwdUnknown:
			return sc.box.own(v, "/"+text), true
		case !inside:
			return place{}, false
		}
		text = cwd + "/" + text
	}
	text = path.Clean(text)
	if host, ok := sc.box.host(text); ok {
		v.text = host
		return place{}, false
	}
	return sc.box.own(v, text), true
}

// own is a place that exists only in the container.
func (b *box) own(v *value, abs string) place {
	p := place{name: boxPrefix + abs, abs: boxPrefix + abs, partial: v.partial, glob: v.glob, zone: scratch}
	if b.lasting {
		p.secret = isSecret(abs)
		if !effect.IsTemporaryPath(abs) && !isRegenerable(strings.TrimPrefix(abs, "/")) {
			p.zone = unresolved
		}
	}
	return p
}

// enter runs an inner command in a container. What happens only there is no effect of the call, unless data is lost
// or a secret read: then it counts for the outer command.
func (a *analyzer) enter(c *command, b *box, cwd string, argv []value) flow {
	if len(argv) == 0 || strings.HasPrefix(argv[0].text, "-") {
		return flow{taint: fromProgram}
	}
	first := len(a.effects)
	outer := c.sc
	c.sc = &scope{box: b, cwd: boxPrefix + cwd, cwdUnknown: cwd == ""}
	out := a.again(c, argv)
	c.sc = outer
	a.leave(c, first)
	out.known = false
	return out
}

// leave takes out of the effects since first what the host does not see.
func (a *analyzer) leave(c *command, first int) {
	kept := a.effects[:first]
	for _, e := range a.effects[first:] {
		e.Events = hostEvents(e.Events)
		if strings.HasPrefix(e.Path, boxPrefix) {
			if len(e.Events) > 0 {
				a.mark(c, e.Reason, e.Events...)
			}
			continue
		}
		kept = append(kept, e)
	}
	a.effects = kept
}

// hostEvents drops the events that only mean something to the machine itself; what is in a container ends with it.
func hostEvents(events []effect.Event) []effect.Event {
	out := events[:0]
	for _, event := range events {
		switch event {
		case effect.SystemControl, effect.PrivilegeGain, effect.Privilege, effect.DefenseOff, effect.StartupChange:
		default:
			out = append(out, event)
		}
	}
	return out
}
