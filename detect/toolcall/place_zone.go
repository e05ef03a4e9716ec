package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

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

func (a *analyzer) zoneOf(p *place) zone {
	abs := p.abs
	if a.env.Root != "/" {
		if rel, ok := Below(abs, a.env.Root); ok {
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
	case effect.IsTemporaryPath(abs), a.isCache(abs), strings.HasPrefix(abs, "/proc/self/fd/"):
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

// isCache reports whether a path below the home directory holds only what can be made again, or is the client's own
// scratch space.
func (a *analyzer) isCache(abs string) bool {
	rel, ok := Below(abs, a.env.Home)
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
	rel, _ := Below(abs, a.env.Home)
	rest, ok := strings.CutPrefix(rel, ".claude/projects/")
	_, inside, _ := strings.Cut(rest, "/")
	return ok && strings.HasPrefix(inside, "memory/")
}

func (a *analyzer) containsProject(abs string) bool {
	dir := strings.TrimSuffix(strings.TrimSuffix(abs, "/*"), "/.*")
	_, inside := Below(a.env.Root, dir)
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
