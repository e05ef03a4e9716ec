package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// forgeHandler knows the command lines of GitHub and GitLab.
func forgeHandler(name string) handler {
	switch name {
	case "gh", "glab":
		return forge
	}
	return nil
}

const forgeValues = "R repo hostname t title b body F body-file B base l label q jq X method f field raw-field H header input json template a assignee " +
	"r reviewer m milestone n notes notes-file ref visibility desc d description s state L limit env e p project c comment w workflow source branch"

func forge(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), forgeValues)
	if o.has("help h") {
		return nothing()
	}
	what := c.name + " " + o.order()
	switch o.word(0) {
	case "api":
		return a.forgeAPI(c, &o)
	case "auth":
		if o.word(1) == "token" || o.word(1) == "status" && (o.has("show-token") || firstOf(c.args(), "-t") != "") {
			return a.judge(c, reveals, what)
		}
	case "gist", "snippet":
		if o.word(1) == "create" {
			return a.gist(c, o.operands[2:])
		}
	case "alias":
		if text, ok := strings.CutPrefix(o.word(3), "!"); ok && o.word(1) == "set" {
			a.runText(c, value{text: text})
		}
	case "codespace", "cs":
		return a.codespace(c, &o)
	case "pr", "mr":
		if o.word(1) == "merge" {
			a.mark(c, "merges a pull request", effect.Merge)
		}
		return flow{taint: fromProgram | fromNetwork}
	}
	if result := forgeOutcome(&o); result != looks {
		return a.forgeJudge(c, result, what)
	}
	return flow{taint: fromProgram | fromNetwork}
}

// forgeJudge is judge for a forge, which is no running infrastructure.
func (a *analyzer) forgeJudge(c *command, result outcome, what string) flow {
	switch result {
	case destroys:
		a.mark(c, "deletes on the forge: "+what, effect.DestructiveOp)
	case grants:
		a.mark(c, "gives someone lasting rights: "+what, effect.PrivilegeGain)
	default:
		return a.judge(c, result, what)
	}
	return nothing()
}

func forgeOutcome(o *options) outcome {
	switch o.word(0) + " " + o.word(1) {
	case "repo delete", "release delete", "release delete-asset", "run delete", "issue delete", "secret delete", "secret remove", "variable delete", "variable remove", "project delete", "repo archive":
		return destroys
	case "workflow run", "ci run", "pipeline run", "pipeline trigger":
		return releases
	case "secret set", "variable set", "workflow disable", "workflow enable":
		return changes
	case "release create", "release upload":
		return issues
	case "repo create":
		if o.has("public") {
			return issues
		}
	case "repo edit":
		if firstText(o.values("visibility")) == "public" {
			return issues
		}
	case "ssh-key add", "gpg-key add", "repo deploy-key", "deploy-key add":
		return grants
	}
	return looks
}

// forgeAPI judges a raw request by its method.
func (a *analyzer) forgeAPI(c *command, o *options) flow {
	method := strings.ToUpper(firstText(o.values("X method")))
	switch {
	case method == "DELETE":
		a.mark(c, "deletes on the forge: "+o.order(), effect.DestructiveOp)
	case method != "" && method != "GET" && hasText(o.values("f F field raw-field"), "force=true"):
		a.mark(c, "overwrites a branch on the forge", effect.ForcePush)
	case method != "" && method != "GET" && hasText(o.values("f F field raw-field"), "visibility=public", "private=false"):
		a.mark(c, "makes a repository public", effect.Publish)
	case strings.HasSuffix(o.word(1), "/merge") && method == "PUT":
		a.mark(c, "merges a pull request", effect.Merge)
	}
	t := taintOf(o.values("f field raw-field F H header"))
	for _, v := range o.values("input") {
		t |= a.attached(c, v.text, v)
	}
	for _, v := range o.values("F field") {
		if _, file, ok := strings.Cut(v.text, "=@"); ok {
			t |= a.attached(c, file, v)
		}
	}
	if t.isPrivate() {
		a.upload(c, orElse(firstText(o.values("hostname")), "api.github.com"), t)
	}
	return flow{taint: fromNetwork}
}

func (a *analyzer) gist(c *command, files []value) flow {
	t := c.in.taint
	for _, v := range files {
		t |= a.attached(c, v.text, v)
	}
	a.upload(c, "gist.github.com", t)
	return nothing()
}

func (a *analyzer) codespace(c *command, o *options) flow {
	if o.word(1) == "delete" {
		a.mark(c, "deletes a codespace", effect.DestructiveOp)
	}
	if inner, ok := afterDashes(c.args()); ok && o.word(1) == "ssh" && len(inner) > 0 {
		a.mark(c, "runs a command on another machine", effect.RemoteExecution)
		a.remotely(c, joined(inner))
	}
	return flow{taint: fromNetwork}
}

// hasText reports whether one of the values is one of the texts.
func hasText(vs []value, texts ...string) bool {
	for _, v := range vs {
		for _, t := range texts {
			if v.text == t {
				return true
			}
		}
	}
	return false
}
