package git

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// markSkippedChecks marks a git command that skips hooks.
func markSkippedChecks(t *trace.Trace, g *gitCall) {
	if g.verb != words.Among(g.verb, "commit merge push rebase am cherry-pick revert pull") {
		return
	}
	var reason string
	switch {
	case g.o.Has("no-verify"), g.o.Has("n") && (g.verb == "commit" || g.verb == "am"):
		reason = "skips the checks of git's hooks"
	case setsHooksPath(g):
		reason = "makes git run hooks other than the repository's"
	default:
		reason = skippedBy(g.Scope)
	}
	if reason != "" {
		t.Mark(g.Command, reason, effect.SkipChecks)
	}
}

// setsHooksPath reports whether "git -c" sets the folder of the hooks.
func setsHooksPath(g *gitCall) bool {
	for _, v := range g.global.Values("c config-env") {
		if key, _, _ := strings.Cut(v.Text, "="); strings.EqualFold(key, hooksPath) {
			return true
		}
	}
	return false
}

// skippedBy returns the reason for an event if an environment variable such as HUSKY makes git's hooks skip their
// checks. Otherwise, it returns "".
func skippedBy(sc *trace.Scope) string {
	for _, name := range [...]string{
		"HUSKY", "HUSKY_SKIP_HOOKS", "SKIP", "PRE_COMMIT_ALLOW_NO_CONFIG", "LEFTHOOK", "LEFTHOOK_EXCLUDE",
		"OVERCOMMIT_DISABLE", "SKIP_SIMPLE_GIT_HOOKS",
	} {
		variable, isSet := sc.Vars.Find(name)
		if isSet && len(variable.Values) == 1 && trace.SkipsChecks(name, variable.Values[0].Text) {
			return "skips the checks of git's hooks with " + name + "=" + trace.Shorten(variable.Values[0].Text)
		}
	}
	return ""
}

// hooksPath is the git setting that names the folder of the hooks.
const hooksPath = "core.hookspath"

// keepsHooks reports whether projects usually keep their hooks in the folder that "git config" sets.
func keepsHooks(folder string) bool {
	folder = strings.TrimPrefix(folder, "./")
	for _, usual := range [...]string{
		".githooks", ".husky", "githooks", "hooks", ".hooks", ".git/hooks", "scripts/hooks", ".config/hooks",
	} {
		if folder == usual || strings.HasPrefix(folder, usual+"/") {
			return true
		}
	}
	return false
}
