// Package host finds the facts about this machine that decisions about a tool call depend on: the project's root,
// links, scripts, folders, the state of git, and the guard's own files.
//
// Start with New and Machine.Analyze. Hooks link this package, so the package must stay small. The package runs git
// without os/exec.
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

// Machine is the machine on which a tool call runs. It caches what it finds, so create a new Machine for each call.
// Each function may be nil. If a function is nil, the facts that it would return are unknown.
type Machine struct {
	Env func(string) string
	// The field "Guarded" has the files and folders of the product itself.
	Guarded []string
	// Resolve follows symbolic links in the part of an absolute path that exists.
	Resolve func(path string) string
	// Pending returns the files that a commit would include, according to git. The commit is made in the folder dir of
	// a project.
	Pending func(root, dir string, untracked bool) *toolcall.Pending
	// Worktree returns a function for a project. The function takes a path. If the path is in another worktree of the
	// project's repository, the function returns the root of that worktree.
	Worktree func(root string) func(path string) string
	// Script reads a script that a call runs. It returns false if it cannot read the script, or if the script has more
	// bytes than the parameter "limit" allows.
	Script func(path string, limit int64) ([]byte, bool)
	// Committed reports whether the last commit of a project contains the script at a path, with the given text.
	Committed func(root, path, text string) bool
	// The function Missing reports whether nothing exists at an absolute path.
	Missing func(path string) bool
	// HasRepository reports whether a folder is the root of a Git repository or directly contains such a root.
	HasRepository func(folder string) bool
	// GitAlias returns the text of a Git alias. It looks in the settings of the folder's repository and of the user.
	GitAlias func(folder, home, name string) string
	// Repository returns what the Git repository of a folder says about its branches.
	Repository func(folder string) toolcall.Repository
	// Guardless reports whether a change of a project's working tree removes files of the guard.
	Guardless func(root string, change toolcall.TreeChange) bool
	// List returns entries of a folder, at most as many as the parameter "limit" allows. It also reports whether the
	// folder has no other entries.
	List func(folder string, limit int) ([]decide.Entry, bool)
}

// New returns this machine with the environment of a session. The field Guarded gets the given folders, the product's
// own key and folders, and the product's programs. The programs are in the same folder as the given program.
func New(env func(string) string, program string, folders ...string) *Machine {
	links := &resolver{}
	return &Machine{
		Env: env, Guarded: guarded(env, program, folders),
		Resolve: links.resolve, Pending: pending, Worktree: worktrees, Script: readScript, Committed: committed,
		Repository: branches, GitAlias: gitAlias, Guardless: guardless, List: list, HasRepository: hasRepository,
		Missing: func(path string) bool { return !exists(path) },
	}
}

// Root returns the root of the project that a folder belongs to: the value of CLAUDE_PROJECT_DIR or, without this
// variable, the root of the Git repository. Without a repository, it returns the folder itself.
func Root(env func(string) string, folder string) string {
	if root := env(product.VariableProject); filepath.IsAbs(root) {
		return root
	}
	for at := folder; filepath.IsAbs(at) && len(folder) <= maxWalked; at = filepath.Dir(at) {
		if exists(filepath.Join(at, ".git")) {
			return at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return folder
}

// maxWalked limits the length of a path whose parent folders are searched. This is also the largest length of a path in
// Linux.
const maxWalked = 4096

// Agent returns the name of the agent that makes a call. It returns the first of these names that is not empty: the
// name that the client or the caller gives, the name in the session's environment, and the project's default.
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
	if m.GitAlias != nil {
		env.GitAlias = func(folder, name string) string { return m.GitAlias(folder, env.Home, name) }
	}
	if m.Guardless != nil {
		env.Guardless = func(change toolcall.TreeChange) bool { return m.Guardless(at, change) }
	}
	if input == nil {
		input = []byte("{}")
	}
	return toolcall.Analyze(&env, tool, input)
}

// variable() returns the value that a variable has in the shell of the client.
func (m *Machine) variable(name string) string {
	if name == "UID" || name == "EUID" {
		return strconv.Itoa(os.Geteuid())
	}
	return m.Env(name)
}

// maxCommitted limits how many scripts of a call are compared with the last commit. Further scripts count as not
// committed.
const maxCommitted = 4

// Trust changes the analysis of a call that runs scripts. If a script has not changed since it was committed, Trust
// removes the less dangerous of the effects that the script has.
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

// operatingSystem returns the usual name of this system, such as macos instead of darwin.
func operatingSystem() string {
	if runtime.GOOS == "darwin" {
		return "macos"
	}
	return runtime.GOOS
}

// resolved() returns the path of a folder without symbolic links. The analysis also resolves the links in the paths of
// a call, so those paths can be compared with the folder.
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
