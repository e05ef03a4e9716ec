package toolcall

import (
	"path"
	"strings"
)

// place is one path of a command with what is known of it.
type place struct {
	// name is what the effect shows: relative to the project, or beginning with / or ~.
	name string
	// abs is the cleaned absolute path.
	abs     string
	partial bool
	glob    bool
	zone    zone
	secret  bool
	guard   bool
	startup bool
	// program is set for one of the product's own programs.
	program bool
}

// Stand-ins for folders that the caller did not name; no real path begins like them.
const (
	someProject = "/.project"
	someHome    = "/.home"
)

func (e Env) withDefaults() *Env {
	if e.Root == "" {
		e.Root = e.Cwd
	}
	if e.Root == "" {
		e.Root = someProject
	}
	if e.Cwd == "" {
		e.Cwd = e.Root
	}
	if e.Home == "" {
		e.Home = someHome
	}
	e.Root, e.Cwd, e.Home = path.Clean(slashes(e.Root)), path.Clean(slashes(e.Cwd)), path.Clean(slashes(e.Home))
	return &e
}

// slashes turns a Windows path's backslashes, after a drive letter only: elsewhere a backslash is part of a name.
func slashes(p string) string {
	if len(p) > 2 && p[1] == ':' && p[2] == '\\' || strings.HasPrefix(p, `\\`) {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// place works out where an argument lies.
func (a *analyzer) place(v value, sc *scope) place { return a.placed(v, sc, false) }

// placed is place; with own set a link that the call has made stands for itself and not for where it leads to.
func (a *analyzer) placed(v value, sc *scope, own bool) place {
	if sc.box != nil {
		if p, inside := a.boxed(&v, sc); inside {
			return p
		}
	}
	text := slashes(strings.TrimPrefix(v.text, "file://"))
	p := place{partial: v.partial, glob: v.glob}
	if v.partial && strings.HasPrefix(text, "$") && !knownPrefix(text) || sc.cwdUnknown && !isAbsolute(text) {
		p.zone, p.name, p.partial = unresolved, text, true
		p.markNames(text)
		return p
	}
	abs := text
	if !isAbsolute(abs) {
		abs = sc.cwd + "/" + abs
	}
	p.abs = cleanPath(abs)
	if len(a.links) > 0 {
		followed, known := a.follow(p.abs, own)
		p.abs, p.partial = followed, p.partial || !known
	}
	p.abs = ofProcess(p.abs, sc.cwd)
	if a.env.Resolve != nil && !p.partial && !p.glob && !isOwnStream(p.abs) {
		p.abs = a.env.Resolve(p.abs)
	}
	p.name = a.display(p.abs)
	p.zone = a.zoneOf(&p)
	p.markNames(p.name)
	a.markGuarded(&p)
	return p
}

// besideGuarded reports whether something that belongs to the guard lies right in a folder.
func (a *analyzer) besideGuarded(abs string) bool {
	for _, guarded := range a.env.Guarded {
		if dir := path.Dir(cleanPath(guarded)); dir == abs {
			return true
		}
	}
	return false
}

// knownPrefix reports whether a partly known path begins with known text, so that $x stands later in it.
func knownPrefix(text string) bool { return !strings.HasPrefix(text, "$") }

func isAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}

// cleanPath is path.Clean that never climbs over a part that is not known or a glob.
func cleanPath(p string) string {
	if len(p) > 1 && p[1] == ':' {
		return p[:2] + path.Clean(p[2:])
	}
	return path.Clean(p)
}

// ofProcess replaces the names under which a process finds the root and its own folder.
func ofProcess(abs, cwd string) string {
	if rest, ok := Below(abs, "/proc/self/root"); ok {
		return path.Clean("/" + rest)
	}
	if rest, ok := Below(abs, "/proc/self/cwd"); ok && cwd != "" {
		return path.Clean(cwd + "/" + rest)
	}
	return abs
}

// isOwnStream reports whether a path is one of a process's own streams: what it leads to is the business of that process.
func isOwnStream(abs string) bool {
	return strings.HasPrefix(abs, "/dev/fd/") || strings.HasPrefix(abs, "/dev/std") || strings.HasPrefix(abs, "/proc/self/")
}

// display is a path relative to the project, or to the home directory, or as it is.
func (a *analyzer) display(abs string) string {
	if rel, ok := Below(abs, a.env.Root); ok && a.env.Root != "/" {
		return rel
	}
	if rel, ok := Below(abs, a.env.Home); ok && a.env.Home != "/" {
		if rel == "." {
			return "~"
		}
		return "~/" + rel
	}
	return abs
}

// Below is the path relative to dir when it is dir or lies in it.
func Below(p, dir string) (string, bool) {
	if p == dir {
		return ".", true
	}
	if rest, ok := strings.CutPrefix(p, dir); ok && strings.HasPrefix(rest, "/") {
		return rest[1:], true
	}
	return "", false
}
