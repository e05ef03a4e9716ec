package trace

import (
	"path"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// BaseName returns the last element of a path.
func BaseName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// Place is the path that an argument of a command names.
type Place struct {
	_ [0]func() // forbids comparisons with ==, so that the compiler adds no function for them to the hook program
	// Name is the path that effects show. It is relative to the project, or begins with / or ~.
	Name string
	// Abs is the cleaned absolute path.
	Abs     string
	Partial bool
	Glob    bool
	Zone    zone
	Secret  bool
	Guard   bool
	// Key is set if the place is the key that signs the guard's files. Key is also set for a folder outside the project
	// that contains this key.
	Key     bool
	Startup bool
	// Program is set if the place is one of the guard's own programs.
	Program bool
}

// These constants are placeholders for folders whose real paths are unknown. No real path begins with a placeholder.
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
	e.Guarded = cleanPaths(e.Guarded)
	e.Root, e.Cwd, e.Home = path.Clean(Slashes(e.Root)), path.Clean(Slashes(e.Cwd)), path.Clean(Slashes(e.Home))
	return &e
}

// Slashes replaces the backslashes in a Windows path that begins with a drive letter or with two backslashes. In any
// other path, a backslash is part of a name.
func Slashes(p string) string {
	if len(p) > 2 && p[1] == ':' && p[2] == '\\' || strings.HasPrefix(p, `\\`) {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// Place returns the place that an argument names. It follows links that the call has created.
func (t *Trace) Place(v Value, sc *Scope) Place { return t.place(v, sc, false) }

// LinkPlace returns the place that an argument names. If the path itself is a link that the call has created, the place
// is the link rather than its target.
func (t *Trace) LinkPlace(v Value, sc *Scope) Place { return t.place(v, sc, true) }

// place() does the work of Place and LinkPlace. It does not examine the path if the analysis must stop.
func (t *Trace) place(v Value, sc *Scope, keepLink bool) Place {
	if sc.Container != nil {
		if p, inside := t.inContainer(&v, sc); inside {
			return p
		}
	}
	sought := place{v.Text, sc.Cwd, v.Partial, v.Glob, sc.CwdUnknown, keepLink, t.LinkChanges}
	if known := t.recent.find(&sought); known != nil && t.Spend(stepsOfKnownPlace) {
		return *known
	}
	if !t.Spend(stepsOfPlace + (len(v.Text)+len(sc.Cwd))/2 + 2*len(t.Links)) {
		return Place{Name: v.Text, Partial: true, Glob: v.Glob, Zone: Scratch}
	}
	p := t.newPlace(&v, sc, keepLink)
	t.recent.add(&sought, &p)
	return p
}

// newPlace finds a place that is not among the recent places.
func (t *Trace) newPlace(v *Value, sc *Scope, keepLink bool) Place {
	text := Slashes(strings.TrimPrefix(v.Text, "file://"))
	p := Place{Partial: v.Partial, Glob: v.Glob}
	if v.Partial && strings.HasPrefix(text, "$") && !KnownPrefix(text) || sc.CwdUnknown && !IsAbsolute(text) {
		p.Zone, p.Name, p.Partial = Unresolved, text, true
		p.markNames(text)
		return p
	}
	abs := text
	if !IsAbsolute(abs) {
		abs = sc.Cwd + "/" + abs
	}
	p.Abs = cleanPath(abs)
	if len(t.Links) > 0 {
		followed, known := t.follow(p.Abs, keepLink)
		p.Abs, p.Partial = followed, p.Partial || !known
	}
	p.Abs = resolveProc(p.Abs, sc.Cwd)
	if t.Env.Resolve != nil && !p.Partial && !p.Glob && !isOwnStream(p.Abs) {
		p.Abs = t.Env.Resolve(p.Abs)
	}
	if p.Glob {
		t.Spend(stepsOfGlob + 2*len(p.Abs))
	}
	p.Name = t.display(p.Abs)
	p.Zone = t.zoneOf(&p)
	p.markNames(p.Name)
	if p.Startup && p.Zone == Project && words.OneOf(BaseName(p.Name), ".bashrc .zshrc") && isFixture(strings.ToLower(p.Name)) {
		// A shell reads a start-up file in test data only if the call says so, or if the home folder is there.
		_, atHome := Below(t.Env.Home, t.Env.Root)
		p.Startup = atHome || words.HasPart(t.Source, "HOME=|rcfile|init-file|ZDOTDIR")
	}
	p.Guard = p.Guard && (p.Program || !t.InNewFolder(p.Abs))
	t.markGuarded(&p)
	return p
}

// BesideGuarded reports whether one of the guard's files or folders is directly in the folder abs. In a temporary
// folder, BesideGuarded looks only for the guard's programs. It ignores the guard's session folder. This folder is in
// the temporary folder, where commands often unpack archives.
func (t *Trace) BesideGuarded(abs string) bool {
	for _, guarded := range t.Env.Guarded {
		if path.Dir(guarded) == abs && (!effect.IsTemporaryPath(guarded) || IsOwnName(BaseName(guarded))) {
			return true
		}
	}
	return false
}

// KnownPrefix reports whether the beginning of a path is known. The rest of the path may be unknown.
func KnownPrefix(text string) bool { return !strings.HasPrefix(text, "$") }

// IsAbsolute reports whether a path begins with a slash or a drive letter.
func IsAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}

func cleanPaths(list []string) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = cleanPath(p)
	}
	return out
}

func cleanPath(p string) string {
	if len(p) > 1 && p[1] == ':' {
		return p[:2] + path.Clean(p[2:])
	}
	return path.Clean(p)
}

// resolveProc replaces a path in /proc that leads to the root folder or to the working folder of the process.
func resolveProc(abs, cwd string) string {
	if rest, ok := Below(abs, "/proc/self/root"); ok {
		return path.Clean("/" + rest)
	}
	if rest, ok := Below(abs, "/proc/self/cwd"); ok && cwd != "" {
		return path.Clean(cwd + "/" + rest)
	}
	return abs
}

// isOwnStream reports whether a path is one of a process's own streams. Only that process knows where the stream leads.
func isOwnStream(abs string) bool {
	return strings.HasPrefix(abs, "/dev/fd/") || strings.HasPrefix(abs, "/dev/std") ||
		strings.HasPrefix(abs, "/proc/self/")
}

// display() returns a path as effects show it: relative to the project or to the home folder if possible.
func (t *Trace) display(abs string) string {
	if rel, ok := Below(abs, t.Env.Root); ok && t.Env.Root != "/" {
		return rel
	}
	if rel, ok := Below(abs, t.Env.Home); ok && t.Env.Home != "/" {
		if rel == "." {
			return "~"
		}
		return "~/" + rel
	}
	return abs
}

// Below is a function that returns the path p relative to the folder "dir". It returns false if p is neither this
// folder nor inside this folder.
func Below(p, dir string) (string, bool) {
	if p == dir {
		return ".", true
	}
	if rest, ok := strings.CutPrefix(p, dir); ok && strings.HasPrefix(rest, "/") {
		return rest[1:], true
	}
	return "", false
}

// The type "zone" says in which area a path is. The area determines how much harm a change does.
type zone uint8

// These are the zones in which a path can be.
const (
	Project    zone = iota // inside the project
	Root                   // the project itself, its .git, or everything in it
	Scratch                // a temporary folder, a cache, /dev/null
	Outside                // anywhere else, for example in the user's home folder
	System                 // a folder of the system, /, a whole home folder, or a folder that contains the project
	Device                 // a disk or another raw device
	Unresolved             // the beginning of the path is unknown
)

func (t *Trace) zoneOf(p *Place) zone {
	abs := p.Abs
	if t.Env.Root != "/" {
		if rel, ok := Below(abs, t.Env.Root); ok {
			if rel == "." || rel == ".git" || rel == "*" || rel == ".*" || rel == ".git/*" {
				return Root
			}
			return Project
		}
	}
	switch {
	case t.containsProject(abs), t.Env.isHome(abs):
		return System
	case strings.HasPrefix(abs, "/dev/"):
		return deviceZone(abs)
	case t.isTemporary(abs), t.Env.isCache(abs), strings.HasPrefix(abs, "/proc/self/fd/"):
		return Scratch
	case effect.IsTemporaryPath(abs) && !t.Env.isInTemporaryHome(abs):
		return Scratch
	case isSystem(abs):
		return System
	}
	return Outside
}

func deviceZone(abs string) zone {
	switch name := strings.TrimPrefix(abs, "/dev/"); {
	case name == "null", name == "zero", name == "full", name == "tty", name == "stdout", name == "stderr",
		name == "stdin", name == "random", name == "urandom", name == "ptmx",
		strings.HasPrefix(name, "fd/"), strings.HasPrefix(name, "shm/"), strings.HasPrefix(name, "pts/"):
		return Scratch
	}
	return Device
}

// isCache reports whether a path in the home folder is a cache, a trash folder, or one of the client's own notes and
// plans.
func (e *Env) isCache(abs string) bool {
	rel, ok := Below(abs, e.Home)
	if !ok {
		return false
	}
	for _, dir := range [...]string{
		".cache/", ".npm/_cacache", ".npm/_npx", ".npm/_logs", "Library/Caches/", ".gradle/caches", ".cargo/registry",
		"Library/Developer/Xcode/DerivedData", ".yarn/cache", ".pnpm-store", ".claude/plans/", ".claude/todos/",
		"go/pkg/mod", ".m2/repository",
		".nuget/packages", ".local/share/Trash/",
	} {
		if strings.HasPrefix(rel, dir) {
			return true
		}
	}
	// The folders named "memory" contain the client's notes about a project.
	return rel == ".npm" || strings.HasPrefix(rel, ".claude/projects/") && strings.Contains(rel, "/memory/")
}

// isInTemporaryHome reports whether a path is in the home folder and the home folder itself is below a temporary
// folder. Some containers have such a home folder. The files of a person in this home folder are not temporary.
func (e *Env) isInTemporaryHome(abs string) bool {
	_, inside := Below(abs, e.Home)
	return inside && effect.IsTemporaryPath(e.Home)
}

// isMemory reports whether a path is in the client's notes about projects.
func (e *Env) isMemory(abs string) bool {
	rel, _ := Below(abs, e.Home)
	rest, ok := strings.CutPrefix(rel, ".claude/projects/")
	_, inside, _ := strings.Cut(rest, "/")
	return ok && strings.HasPrefix(inside, "memory/")
}

// containsProject reports whether a path is the project or a folder above it.
func (t *Trace) containsProject(abs string) bool {
	dir := strings.TrimSuffix(strings.TrimSuffix(abs, "/*"), "/.*")
	_, inside := Below(t.Env.Root, dir)
	return inside || dir == ""
}

// isHome reports whether a path is a whole home folder, or the folder with all home folders.
func (e *Env) isHome(abs string) bool {
	abs = strings.TrimSuffix(strings.TrimSuffix(abs, "/*"), "/.*")
	if abs == e.Home || abs == "/root" {
		return true
	}
	if len(abs) > 2 && abs[1] == ':' {
		abs = abs[2:]
	}
	for _, homes := range [...]string{"/home", "/Users"} {
		if rel, ok := Below(abs, homes); ok && !strings.Contains(rel, "/") {
			return true
		}
	}
	return false
}

// isSystem reports whether a path belongs to the operating system.
func isSystem(abs string) bool {
	if len(abs) > 1 && abs[1] == ':' {
		lower := "/" + strings.Trim(strings.ToLower(abs[2:]), "/*")
		return lower == "/" || lower == "/users" ||
			strings.HasPrefix(lower, "/windows") || strings.HasPrefix(lower, "/program files")
	}
	first, _, deeper := strings.Cut(strings.TrimPrefix(abs, "/"), "/")
	switch first {
	case "", "*", "bin", "boot", "etc", "lib", "lib32", "lib64", "proc", "sbin", "sys", "usr", "var", "System", "Library",
		"Applications", "efi", "run", "private":
		return true
	case words.Among(first, "opt srv mnt media Volumes tmp home Users root data"):
		return !deeper
	}
	return !deeper && strings.ContainsAny(first, "*?[$")
}
