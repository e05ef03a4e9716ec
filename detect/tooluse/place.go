package tooluse

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

// zone is where a path lies, as far as harm is concerned.
type zone uint8

const (
	project    zone = iota // inside the project
	root                   // the project itself, its .git, or everything in it
	scratch                // a temporary folder, a cache, /dev/null
	outside                // somewhere else, in the user's home for example
	system                 // the system's folders, /, a home directory as a whole, or what contains the project
	device                 // a disk or another raw device
	unresolved             // begins with something that is not known
)

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
	if rest, ok := below(abs, "/proc/self/root"); ok {
		return path.Clean("/" + rest)
	}
	if rest, ok := below(abs, "/proc/self/cwd"); ok && cwd != "" {
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
	if rel, ok := below(abs, a.env.Root); ok && a.env.Root != "/" {
		return rel
	}
	if rel, ok := below(abs, a.env.Home); ok && a.env.Home != "/" {
		if rel == "." {
			return "~"
		}
		return "~/" + rel
	}
	return abs
}

// below is the path relative to dir when it is dir or lies in it.
func below(p, dir string) (string, bool) {
	if p == dir {
		return ".", true
	}
	if rest, ok := strings.CutPrefix(p, dir); ok && strings.HasPrefix(rest, "/") {
		return rest[1:], true
	}
	return "", false
}

func (a *analyzer) zoneOf(p *place) zone {
	abs := p.abs
	if a.env.Root != "/" {
		if rel, ok := below(abs, a.env.Root); ok {
			if rel == "." || rel == ".git" || rel == "*" || rel == ".*" || rel == ".git/*" {
				return root
			}
			return project
		}
	}
	switch {
	case a.containsProject(abs), a.isHome(abs):
		return system
	case strings.HasPrefix(abs, "/dev/"):
		return deviceZone(abs)
	case isScratch(abs), a.isCache(abs), strings.HasPrefix(abs, "/proc/self/fd/"):
		return scratch
	case isSystem(abs):
		return system
	}
	return outside
}

func deviceZone(abs string) zone {
	switch name := strings.TrimPrefix(abs, "/dev/"); {
	case name == "null", name == "zero", name == "full", name == "tty", name == "stdout", name == "stderr", name == "stdin",
		name == "random", name == "urandom", name == "ptmx", strings.HasPrefix(name, "fd/"), strings.HasPrefix(name, "shm/"), strings.HasPrefix(name, "pts/"):
		return scratch
	}
	return device
}

func isScratch(abs string) bool {
	for _, dir := range [...]string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders", "/dev/shm"} {
		if rel, ok := below(abs, dir); ok && rel != "." && rel != "*" {
			return true
		}
	}
	return strings.Contains(strings.ToLower(abs), "/appdata/local/temp/")
}

// isCache reports whether a path below the home directory holds only what can be made again, or is the client's own
// scratch space.
func (a *analyzer) isCache(abs string) bool {
	rel, ok := below(abs, a.env.Home)
	if !ok {
		return false
	}
	for _, dir := range [...]string{
		".cache/", ".npm/_cacache", ".npm/_npx", ".npm/_logs", "Library/Caches/", ".gradle/caches", ".cargo/registry", ".yarn/cache", ".pnpm-store",
		".claude/plans/", ".claude/todos/", "go/pkg/mod", ".m2/repository", ".nuget/packages", ".local/share/Trash/",
	} {
		if strings.HasPrefix(rel, dir) {
			return true
		}
	}
	// What the client keeps in mind of a project.
	return strings.HasPrefix(rel, ".claude/projects/") && strings.Contains(rel, "/memory/")
}

// isMemory reports whether a path is where the client keeps its own notes about projects.
func (a *analyzer) isMemory(abs string) bool {
	rel, _ := below(abs, a.env.Home)
	rest, ok := strings.CutPrefix(rel, ".claude/projects/")
	_, inside, _ := strings.Cut(rest, "/")
	return ok && strings.HasPrefix(inside, "memory/")
}

func (a *analyzer) containsProject(abs string) bool {
	dir := strings.TrimSuffix(strings.TrimSuffix(abs, "/*"), "/.*")
	_, inside := below(a.env.Root, dir)
	return inside || dir == ""
}

// isHome reports whether a path is a whole home directory, or the folder of all of them.
func (a *analyzer) isHome(abs string) bool {
	abs = strings.TrimSuffix(strings.TrimSuffix(abs, "/*"), "/.*")
	if abs == a.env.Home || abs == "/root" {
		return true
	}
	if len(abs) > 2 && abs[1] == ':' {
		abs = abs[2:]
	}
	for _, homes := range [...]string{"/home", "/Users"} {
		if rel, ok := below(abs, homes); ok && !strings.Contains(rel, "/") {
			return true
		}
	}
	return false
}

// isSystem reports whether a path belongs to the operating system.
func isSystem(abs string) bool {
	if len(abs) > 1 && abs[1] == ':' {
		lower := "/" + strings.Trim(strings.ToLower(abs[2:]), "/*")
		return lower == "/" || strings.HasPrefix(lower, "/windows") || strings.HasPrefix(lower, "/program files") || lower == "/users"
	}
	first, _, deeper := strings.Cut(strings.TrimPrefix(abs, "/"), "/")
	switch first {
	case "", "*", "bin", "boot", "etc", "lib", "lib32", "lib64", "proc", "sbin", "sys", "usr", "var", "System", "Library", "Applications", "efi", "run", "private":
		return true
	case among(first, "opt srv mnt media Volumes tmp home Users root data"):
		return !deeper
	}
	return !deeper && strings.ContainsAny(first, "*?[$")
}

// IsScratch reports whether an effect stays in a temporary folder; to write into one as a whole does, to delete it does
// not.
func (e *Effect) IsScratch() bool {
	return isScratch(e.Path) || e.Kind != Delete && isScratch(e.Path+"/x")
}
