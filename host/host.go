// Package host finds out the facts about this machine that a tool call depends on: the project's root, links, scripts,
// folders, the state of git, and the guard's own files.
//
// Start with New and Machine.Analyze. Hooks link this package, so it stays small: it runs git without os/exec.
package host

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/internal/product"
)

// Machine is the machine that a tool call runs on. It remembers what it has looked at, so each call needs a new one.
// Any of its functions may be nil; the facts that it would return are then unknown.
type Machine struct {
	Env func(string) string
	// Guarded are the files and folders of the product itself.
	Guarded []string
	// Resolve follows symbolic links in the part of an absolute path that exists.
	Resolve func(path string) string
	// Pending returns what git says about the files that a commit in a folder of a project would include.
	Pending func(root, dir string, untracked bool) *toolcall.Pending
	// Worktree returns a function that takes a path. If the path is in another worktree of the project's repository,
	// the function returns the root of that worktree.
	Worktree func(root string) func(path string) string
	// Script reads a script that a call runs.
	Script func(path string, limit int64) ([]byte, bool)
	// Committed reports whether a script's text is the one in the last commit of a project.
	Committed func(root, path, text string) bool
	// Missing reports whether nothing exists at an absolute path.
	Missing func(path string) bool
	// HasRepository reports whether a folder is the root of a git repository or directly contains one.
	HasRepository func(folder string) bool
	// Repository returns what the git repository of a folder says about its branches.
	Repository func(folder string) toolcall.Repository
	// Guardless reports whether a change of a project's working tree removes files of the guard.
	Guardless func(root string, change toolcall.TreeChange) bool
	// List returns at most limit entries of a folder, and whether these are all.
	List func(folder string, limit int) ([]decide.Entry, bool)
}

// New returns this machine as a session with the given environment sees it. It guards the running program and the
// product's folders.
func New(env func(string) string, program string, folders ...string) *Machine {
	links := &resolver{}
	return &Machine{
		Env: env, Guarded: guarded(env, program, folders),
		Resolve: links.resolve, Pending: pending, Worktree: worktrees, Script: readScript, Committed: committed,
		Repository: branches, Guardless: guardless, List: list, HasRepository: hasRepository,
		Missing: func(path string) bool { return !exists(path) },
	}
}

// Root returns the root of the project that a folder belongs to: the client's CLAUDE_PROJECT_DIR, else the git root,
// else the folder itself.
func Root(env func(string) string, folder string) string {
	if root := env(product.VariableProject); filepath.IsAbs(root) {
		return root
	}
	for at := folder; filepath.IsAbs(at) && len(folder) <= maxWalked; at = filepath.Dir(at) {
		// In a worktree .git is a file.
		if exists(filepath.Join(at, ".git")) {
			return at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return folder
}

// maxWalked is the length of a path from which no folder above it is looked at. Linux has no longer paths.
const maxWalked = 4096

// Agent returns the acting agent: the agent that the client or the caller names, else the one that the session's
// environment names, else the project's default.
func Agent(named string, env func(string) string, usual string) string {
	return cmp.Or(named, env(product.VariableAgent), usual)
}

// Analyze returns what a tool call in a project would do on this machine.
func (m *Machine) Analyze(root, cwd, tool string, input []byte) *effect.Analysis {
	at := m.resolved(root)
	env := toolcall.Env{
		Root: at, Cwd: m.resolved(cwd), Home: m.resolved(m.Env(product.VariableHome)),
		Resolve: m.Resolve, Guarded: m.guardedIn(root), Script: m.Script, List: m.scriptsIn,
		HasRepository: m.HasRepository, Missing: m.Missing, Variable: m.variable,
	}
	env.OnPath = func(folder string) bool { return m.isOnPath(env.Cwd, folder) }
	if m.Pending != nil {
		env.Pending = func(dir string, untracked bool) *toolcall.Pending { return m.Pending(at, dir, untracked) }
	}
	if m.Worktree != nil {
		env.Worktree = m.Worktree(at)
	}
	env.Repository = m.Repository
	if m.Guardless != nil {
		env.Guardless = func(change toolcall.TreeChange) bool { return m.Guardless(at, change) }
	}
	if input == nil {
		input = []byte("{}")
	}
	return toolcall.Analyze(&env, tool, input)
}

// variable returns the value of a variable as a shell of the client has it.
func (m *Machine) variable(name string) string {
	if name == "UID" || name == "EUID" {
		return strconv.Itoa(os.Geteuid())
	}
	return m.Env(name)
}

// maxCommitted is the number of scripts of one call that git is asked about. The others count as not committed.
const maxCommitted = 4

// Trust removes from a call the lesser effects of scripts that have not changed since they were committed.
func (m *Machine) Trust(root string, call *effect.Analysis) {
	if len(call.Scripts) == 0 || m.Committed == nil {
		return
	}
	at, asked := m.resolved(root), 0
	toolcall.Trust(call, func(s *effect.Script) bool {
		asked++
		return asked <= maxCommitted && m.Committed(at, s.Path, s.Text)
	})
}

// Facts returns the facts about a project that this machine knows.
func (m *Machine) Facts(root string) decide.Facts {
	at := m.resolved(root)
	f := decide.Facts{Project: path.Base(filepath.ToSlash(at)), OS: operatingSystem()}
	if m.Repository != nil {
		f.Branch = func() string { return m.Repository(at).Branch }
	}
	if m.List != nil {
		f.List = func(folder string, limit int) ([]decide.Entry, bool) { return m.List(path.Join(at, folder), limit) }
		f.Tests = func() decide.ProjectTests { return m.projectTests(at) }
	}
	return f
}

// operatingSystem returns the name of this system as people call it.
func operatingSystem() string {
	if runtime.GOOS == "darwin" {
		return "macos"
	}
	return runtime.GOOS
}

// resolved follows links in the path of a folder. The paths of a call are resolved too; without this, they would not be
// below the folder.
func (m *Machine) resolved(folder string) string {
	if m.Resolve == nil || !filepath.IsAbs(folder) {
		return folder
	}
	return m.Resolve(folder)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
