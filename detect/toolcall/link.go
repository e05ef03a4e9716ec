package toolcall

import (
	"path"
	"strings"

	"guardrails/detect/effect"
)

// linked keeps where a link that the call makes leads to: what is then done to the link is done there. An empty target
// is not known.
func (a *analyzer) linked(link, target string) {
	if link == "" || link == target {
		return
	}
	if a.links == nil {
		a.links = map[string]string{}
	}
	if len(a.links) < 256 {
		a.links[link] = target
	}
}

// maxLinks bounds how many links are followed for one path, as systems do.
const maxLinks = 16

// follow replaces the longest part of a path that is a link made by the call with the link's target; false when that is
// not known. With own set a path that is itself a link stands for the link.
func (a *analyzer) follow(abs string, own bool) (string, bool) {
	for range maxLinks {
		link, rest := a.longestLink(abs, own)
		if link == "" {
			return abs, true
		}
		target := a.links[link]
		if target == "" {
			return abs, false
		}
		abs = path.Clean(target + "/" + rest)
	}
	return abs, false
}

func (a *analyzer) longestLink(abs string, own bool) (link, rest string) {
	for candidate := range a.links {
		tail, ok := Below(abs, candidate)
		if !ok || own && tail == "." || len(candidate) <= len(link) {
			continue
		}
		link, rest = candidate, tail
	}
	return link, rest
}

// linkTo notes the links that ln, cp -l and cp -s make. The target of a symbolic link is meant from the link's folder.
func (a *analyzer) linkTo(sources []value, to value, symbolic bool, sc *scope) {
	folder := len(sources) > 1 || to.text == "." || to.text == ".." || strings.HasSuffix(to.text, "/")
	for _, v := range sources {
		at := to
		if folder {
			at.text = strings.TrimSuffix(to.text, "/") + "/" + baseName(strings.TrimSuffix(v.text, "/"))
		}
		link := a.placed(at, sc, true)
		if link.partial || link.abs == "" {
			continue
		}
		from := *sc
		if symbolic {
			from.cwd = path.Dir(link.abs)
		}
		target := a.place(v, &from)
		if target.partial || target.glob {
			target.abs = ""
		}
		a.linked(link.abs, target.abs)
	}
}

// linkFiles is ln: the new name is written, and with a link to a secret or a protected file something else can get at
// it, so the target counts as touched too.
func linkFiles(a *analyzer, c *command) flow {
	o, sources, to := a.targets(c, "t S target-directory suffix")
	if to.text == "" {
		to = value{text: "."}
	}
	if o.has("f force n no-dereference T") {
		delete(a.links, a.placed(to, c.sc, true).abs)
	}
	for _, v := range sources {
		p := a.place(v, c.sc)
		if p.secret {
			a.read(v, c.sc, c.span)
		}
		if p.guard || p.startup || p.zone == root && p.name != "." {
			a.write(v, c.sc, c.span)
		}
		if isGuardFolder(p.name) {
			a.mark(c, "gives "+p.name+", which belongs to the guard, a second name", effect.GuardTamper)
		}
		if name := a.place(to, c.sc).name; name != "" {
			a.remember(name, flow{taint: fromFile, file: pathOfFlow(p.name)})
		}
	}
	a.writeInto(to, sources, c)
	a.linkTo(sources, to, o.has("s symbolic"), c.sc)
	return nothing()
}
