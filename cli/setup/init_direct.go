package setup

import (
	"context"

	"guardrails/cli/app"
	"guardrails/setup"
	"guardrails/setup/claude"
)

// callServer has the client call the server for hooks, where that guards: a client must stop the calls of tools for which
// the server does not answer, and there must be a server.
func callServer(a *app.App, o *setup.Options) error {
	const otherwise = ", or run this without --direct, which has the client start programs"
	found, err := claude.Find(context.Background(), a.Env)
	switch {
	case err != nil:
		return app.Failf("guardrails init: whether the client stops calls when the server is gone cannot be told: %v; run this again once it can%s", err, otherwise)
	case !found.Version.Knows(claude.DirectHooks):
		return app.Failf("guardrails init: Claude Code %s lets calls run when the server is gone, so that nothing would be guarded then (2.1.328 and later stop them); update it%s", found.Version, otherwise)
	case a.ServerProgram == nil:
		return app.Failf("guardrails init: there is no server here that the client could call; use the command line as it is installed%s", otherwise)
	}
	if _, err := a.ServerProgram(); err != nil {
		return app.Failf("guardrails init: there is no server that the client could call: %v; mend that%s", err, otherwise)
	}
	o.Direct, o.OnFailure, o.MCP = true, true, true
	return nil
}
