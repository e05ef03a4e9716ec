package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

// forgeMerge analyzes "gh pr merge" and "glab mr merge". It treats a merge as a push to the default branch, because
// most pull requests merge into that branch.
func forgeMerge(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if o.HasWhole("disable-auto") {
		return trace.Flow{Taint: trace.FromNetwork}
	}
	t.MarkAll(c, "merges a pull request", effect.Merge, effect.DefaultPush)
	if o.HasWhole("admin") {
		t.Mark(c, "merges although required checks may fail", effect.SkipChecks)
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

// markForgeChange marks an API request that merges something, or that changes the default branch without "git push".
func markForgeChange(t *trace.Trace, c *trace.Command, o *flags.Options, method string) {
	path := strings.ToLower(strings.Trim(o.Word(1), "/"))
	fields := o.Values("f F field raw-field")
	if method == "" && (len(fields) > 0 || o.Has("input")) {
		method = "POST"
	}
	var r trace.Repository
	switch {
	case method == "" || method == "GET":
	case strings.HasSuffix(path, "/merge") && method == "PUT":
		t.MarkAll(c, "merges a pull request", effect.Merge, effect.DefaultPush)
	case strings.HasSuffix(path, "/merges"):
		t.Mark(c, "merges a branch", effect.Merge)
		if r.IsDefault(fieldOf(fields, "base")) {
			t.Mark(c, "", effect.DefaultPush)
		}
	case strings.Contains(path, "/git/refs/heads/"):
		if _, branch, _ := strings.Cut(path, "/git/refs/heads/"); r.IsDefault(branch) {
			t.Mark(c, "moves the default branch on the forge", effect.DefaultPush)
		}
	case strings.Contains(path, "/contents/"):
		if branch := fieldOf(fields, "branch"); branch == "" && !o.Has("input") || r.IsDefault(branch) {
			t.MarkAll(c, "commits on the forge", effect.Commit, effect.DefaultPush)
		}
	}
}

// fieldOf returns the text after "name=" in a list of fields, or "".
func fieldOf(fields []trace.Value, name string) string {
	for _, v := range fields {
		if key, value, _ := strings.Cut(v.Text, "="); key == name {
			return value
		}
	}
	return ""
}
