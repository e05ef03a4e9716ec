package trace

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// Repository says what the files of a git repository show about its branches. In the zero value, nothing is known.
type Repository struct {
	// Branch is the name of the branch that is checked out.
	Branch string
	// Upstream is the branch that the checked-out branch follows. Remote is the remote that has this branch.
	Remote, Upstream string
	// Default is the default branch of the remote.
	Default string
	// PushDefault is git's setting push.default.
	PushDefault string
	// The field "Overwrites" is set if a push without a refspec overwrites branches because of the settings of the remote.
	Overwrites bool
	// Pushed is set if the checked-out commit is the newest known commit of the upstream branch.
	Pushed bool
}

// IsDefault reports whether a branch is the default branch of the remote. It returns true for the usual names too,
// because a repository does not always know the default branch of its remote.
func (r *Repository) IsDefault(branch string) bool {
	switch branch {
	case "":
		return false
	case "main", "master", r.Default:
		return true
	}
	return r.Default == "" && branch == "trunk"
}

// PushesToDefault reports whether "git push" without a branch changes the default branch. Such a push sends the branch
// that is checked out to the branch of the same name or to its upstream branch.
func (r *Repository) PushesToDefault() bool {
	switch r.PushDefault {
	case "nothing":
		return false
	case "matching":
		return true
	case "upstream", "tracking":
		return r.IsDefault(r.Upstream)
	case "current":
		return r.IsDefault(r.Branch)
	}
	return r.IsDefault(r.Branch) || r.IsDefault(r.Upstream)
}

// IsUpstream reports whether a revision names the upstream branch.
func (r *Repository) IsUpstream(revision string) bool {
	switch strings.ToLower(revision) {
	case "", "@{u}", "@{upstream}", "@{push}":
		return true
	}
	return r.Upstream != "" && revision == r.Remote+"/"+r.Upstream
}

// SkipsChecks reports whether a variable with this value makes git skip hooks, or makes a program such as Husky skip
// the checks that it runs in a hook.
func SkipsChecks(name, value string) bool {
	off := value == "0" || strings.EqualFold(value, "false")
	switch name {
	case "HUSKY", "LEFTHOOK":
		return off
	case words.Among(name, "SKIP HUSKY_SKIP_HOOKS OVERCOMMIT_DISABLE PRE_COMMIT_ALLOW_NO_CONFIG "+
		"SKIP_SIMPLE_GIT_HOOKS LEFTHOOK_EXCLUDE"):
		return value != "" && !off
	}
	return false
}
