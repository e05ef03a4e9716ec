// Package hooks is the logic of each hook: a function from the client's event to what is answered.
//
// Inject, Subagent, Enforce, Settle and Stop are given the event and a World, which says where guidelines, files and the
// time come from; so the same logic serves small binaries and a server. Start with Enforce, which judges a tool call.
package hooks

import (
	"io"
	"path/filepath"
	"time"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// World is everything outside that a hook needs.
type World struct {
	Env func(string) string
	// Settings lists the variables of settings that are set, each as NAME=value; nil where there are none.
	Settings func() []string
	Now      func() time.Time
	// Began is when the event came in; unset, records do not say how long it took.
	Began time.Time
	// Dir holds the session's files; nil when it cannot be used, and then DirError says why.
	Dir      *private.Dir
	DirError error
	// State is the folder of the spool; empty when there is none. StateError says why it is not the usual one.
	State      string
	StateError error
	// Ask gets the answer to a question for guidelines. Passed is why the server was passed over where it should not have
	// been; nil when it answered, or when there is none.
	Ask func(request []byte) (answer []byte, passed, err error)
	// Resolve follows symbolic links in the part of an absolute path that exists.
	Resolve func(path string) string
	// Pending lists the files that a commit in a folder would take in.
	Pending func(root string, all, untracked bool) []string
	// Worktree finds the root of another worktree of a project's repository that a path lies in; empty when it lies in none.
	Worktree func(root string) func(path string) string
	// Script reads a script that a call runs; nil reads none.
	Script func(path string, limit int64) ([]byte, bool)
	// Committed reports whether a script's text is that of the last commit of a project.
	Committed func(root, path, text string) bool
	// Guardless reports whether a change of a folder's working tree takes the guard's files away; nil when nobody
	// knows.
	Guardless func(root string, change TreeChange) bool
	// Exists reports whether a file or folder is there.
	Exists func(path string) bool
	// List says what a folder holds, and whether that is all of it; nil lists none.
	List func(dir string, limit int) ([]decide.Entry, bool)
	// Opened is told of each file that stays open when the answer is given; nil where the process ends with it.
	Opened func(io.Closer)
	// Guarded are the files and folders of the product itself.
	Guarded []string
	// Client is the process that ran the hook.
	Client int
	// Strict makes what cannot be checked a refusal and not a question.
	Strict bool
}

// root is the folder of the project that an event belongs to.
func (w *World) root(e *wire.Event) string {
	if e.Root == "" {
		e.Root = w.findRoot(e)
	}
	return e.Root
}

func (w *World) findRoot(e *wire.Event) string {
	if root := w.Env(product.VariableProject); filepath.IsAbs(root) {
		return root
	}
	for at := e.Cwd; filepath.IsAbs(at); at = filepath.Dir(at) {
		// In a worktree .git is a file.
		if w.Exists(filepath.Join(at, ".git")) {
			return at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return e.Cwd
}

// agent is who acts: the client's word, or the session's own name. It is never guessed.
func (w *World) agent(e *wire.Event) string {
	if e.AgentType != "" {
		return e.AgentType
	}
	return w.Env(product.VariableAgent)
}

// analysis is what a tool call would do.
func (w *World) analysis(e *wire.Event) *effect.Analysis {
	root := w.resolved(w.root(e))
	env := toolcall.Env{Root: root, Cwd: w.resolved(e.Cwd), Home: w.resolved(w.Env(product.VariableHome)), Resolve: w.Resolve, Guarded: w.guarded(w.root(e)), Script: w.Script}
	env.Pending = func(all, untracked bool) []string { return w.Pending(root, all, untracked) }
	if w.Worktree != nil {
		env.Worktree = w.Worktree(root)
	}
	if w.Guardless != nil {
		env.Guardless = func(change TreeChange) bool { return w.Guardless(root, change) }
	}
	input := e.Input
	if input == nil {
		input = []byte("{}")
	}
	return toolcall.Analyze(&env, e.Tool, input)
}

// resolved follows links in a folder as they are followed in the paths of calls, or nothing would lie below it.
func (w *World) resolved(dir string) string {
	if !filepath.IsAbs(dir) {
		return dir
	}
	return w.Resolve(dir)
}

// beat leaves the sign that a hook ran for an event of the session. A sign that cannot be left is what doctor looks for.
func (w *World) beat(e *wire.Event) {
	if w.Dir != nil && e.Session != "" {
		_ = w.Dir.Touch(session.BeatName(e.Session, e.Name))
	}
}
