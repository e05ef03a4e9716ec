package rest

import (
	"net/http"

	"guardrails/server/access"
)

// tryRoutes returns the routes with which people try guidelines that they have not saved. These routes change nothing.
func tryRoutes() []route {
	read := func(name, path, summary, about, asked, answered, what string, serve func(*call) error) route {
		return route{
			method: http.MethodPost, path: base + path, name: name, role: access.Read, summary: summary, about: about,
			body: &body{schema: asked, most: maxOne}, serve: func(c *call) error { return c.gated(serve) },
			answers: []answer{{status: http.StatusOK, about: what, schema: answered, types: []string{typeJSON}}},
		}
	}
	return []route{
		read("lint_guidelines", "/lint", "Check guidelines that are not saved",
			"Finds what is invalid, and what is valid but probably wrong, as `guardrails lint` does. The draft is checked "+
				"together with the guidelines that apply to the caller, unless `alone` is set or there are more than 1,000 of them.",
			"LintRequest", "LintReport", "The problems and findings", (*call).lint),
		read("preview_guidelines", "/preview", "Try guidelines that are not saved",
			"Evaluates a task and judges a tool call twice: with the saved guidelines, and as if the draft were saved. "+
				"Without a draft, the answer has only the first part. Nothing is saved, and the call does not run.",
			"PreviewRequest", "Preview", "What applies with the saved guidelines, and with the draft", (*call).preview),
		read("test_condition", "/test-condition", "Try a condition on recorded contexts",
			"Takes the contexts of the newest 500 decisions, and says how many of them match a condition. Records do not "+
				"contain the facts in `condition.custom`. If a condition names such facts, a context that matches all other "+
				"fields of the condition is counted as `open`, because nobody knows whether these facts match.",
			"ConditionTest", "ConditionTested", "The number of matching contexts, and the newest of them", (*call).testCondition),
		read("test_paths", "/test-paths", "Match paths with globs", "Says which paths each glob would match if it were in `condition.paths`.",
			"PathsTest", "PathsTested", "The globs that match each path", (*call).testPaths),
		read("test_tools", "/test-tools", "Match tool calls with tool patterns",
			"Says which calls each pattern would deny if it were in `action.tools_denied`. The calls do not run.",
			"ToolsTest", "ToolsTested", "The patterns that match each call, with the effects of the call", (*call).testTools),
	}
}

// gated() answers a request that may take much time. If too many such requests are being answered already, it returns
// an error.
func (c *call) gated(serve func(*call) error) error {
	if !c.h.trials.Enter(c.caller) {
		return busy("too many drafts are being tried; try again later")
	}
	defer c.h.trials.Leave(c.caller)
	return serve(c)
}
