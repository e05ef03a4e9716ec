package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// forgeHandler returns the handlers of the command lines of GitHub and GitLab.
func forgeHandler(name string) trace.Handler {
	switch name {
	case "gh", "glab":
		return forge
	}
	return nil
}

const forgeValues = "R repo hostname t title b body F body-file B base l label q jq X method f field raw-field H header input json template a assignee " +
	"r reviewer m milestone n notes notes-file ref visibility desc d description s state L limit env e p project c comment w workflow source branch"

func forge(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), forgeValues)
	if o.Has("help h") {
		return trace.Nothing()
	}
	what := c.Name + " " + o.Order()
	switch o.Word(0) {
	case "api":
		return forgeAPI(t, c, &o)
	case "auth":
		if o.Word(1) == "token" || o.Word(1) == "status" && (o.Has("show-token") || flags.FirstOf(c.Args(), "-t") != "") {
			return program.Judge(t, c, program.Reveals, what)
		}
	case "gist", "snippet":
		if o.Word(1) == "create" {
			return gist(t, c, o.Operands[2:])
		}
	case "alias":
		if text, ok := strings.CutPrefix(o.Word(3), "!"); ok && o.Word(1) == "set" {
			t.RunText(c, trace.Value{Text: text})
		}
	case "codespace", "cs":
		return codespace(t, c, &o)
	case "pr", "mr":
		if o.Word(1) == "merge" {
			t.Mark(c, "merges a pull request", effect.Merge)
		}
		return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
	}
	if result := forgeOutcome(&o); result != program.Looks {
		return forgeJudge(t, c, result, what)
	}
	return trace.Flow{Taint: trace.FromProgram | trace.FromNetwork}
}

// forgeJudge is Judge for a forge, which is not running infrastructure.
func forgeJudge(t *trace.Trace, c *trace.Command, result program.Outcome, what string) trace.Flow {
	switch result {
	case program.Destroys:
		t.Mark(c, "deletes on the forge: "+what, effect.DestructiveOp)
	case program.Grants:
		t.Mark(c, "gives someone lasting rights: "+what, effect.PrivilegeGain)
	default:
		return program.Judge(t, c, result, what)
	}
	return trace.Nothing()
}

func forgeOutcome(o *flags.Options) program.Outcome {
	switch o.Word(0) + " " + o.Word(1) {
	case "repo delete", "release delete", "release delete-asset", "run delete", "issue delete", "secret delete", "secret remove", "variable delete", "variable remove", "project delete", "repo archive":
		return program.Destroys
	case "workflow run", "ci run", "pipeline run", "pipeline trigger":
		return program.Releases
	case "secret set", "variable set", "workflow disable", "workflow enable":
		return program.Changes
	case "release create", "release upload":
		return program.Publishes
	case "repo create":
		if o.Has("public") {
			return program.Publishes
		}
	case "repo edit":
		if trace.FirstText(o.Values("visibility")) == "public" {
			return program.Publishes
		}
	case "ssh-key add", "gpg-key add", "repo deploy-key", "deploy-key add":
		return program.Grants
	}
	return program.Looks
}

// forgeAPI judges a raw request by its method.
func forgeAPI(a *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	method := strings.ToUpper(trace.FirstText(o.Values("X method")))
	switch {
	case method == "DELETE":
		a.Mark(c, "deletes on the forge: "+o.Order(), effect.DestructiveOp)
	case method != "" && method != "GET" && hasText(o.Values("f F field raw-field"), "force=true"):
		a.Mark(c, "overwrites a branch on the forge", effect.ForcePush)
	case method != "" && method != "GET" && hasText(o.Values("f F field raw-field"), "visibility=public", "private=false"):
		a.Mark(c, "makes a repository public", effect.Publish)
	case strings.HasSuffix(o.Word(1), "/merge") && method == "PUT":
		a.Mark(c, "merges a pull request", effect.Merge)
	}
	t := network.TaintOf(o.Values("f field raw-field F H header"))
	for _, v := range o.Values("input") {
		t |= program.Attached(a, c, v.Text, v)
	}
	for _, v := range o.Values("F field") {
		if _, file, ok := strings.Cut(v.Text, "=@"); ok {
			t |= program.Attached(a, c, file, v)
		}
	}
	if t.IsPrivate() {
		program.Upload(a, c, words.OrElse(trace.FirstText(o.Values("hostname")), "api.github.com"), t)
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

func gist(a *trace.Trace, c *trace.Command, files []trace.Value) trace.Flow {
	t := c.In.Taint
	for _, v := range files {
		t |= program.Attached(a, c, v.Text, v)
	}
	program.Upload(a, c, "gist.github.com", t)
	return trace.Nothing()
}

func codespace(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if o.Word(1) == "delete" {
		t.Mark(c, "deletes a codespace", effect.DestructiveOp)
	}
	if inner, ok := flags.AfterDashes(c.Args()); ok && o.Word(1) == "ssh" && len(inner) > 0 {
		t.Mark(c, "runs a command on another machine", effect.RemoteExecution)
		network.RunRemote(t, c, trace.Joined(inner))
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

// hasText reports whether one of the values is one of the texts.
func hasText(vs []trace.Value, texts ...string) bool {
	for _, v := range vs {
		for _, t := range texts {
			if v.Text == t {
				return true
			}
		}
	}
	return false
}
