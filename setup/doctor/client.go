package doctor

import (
	"context"
	"errors"
	"fmt"

	"guardrails/setup/claude"
)

const linkClient = "client"

func (x *Examination) checkClient(ctx context.Context) {
	found, err := x.Find(ctx, x.Env)
	switch {
	case errors.Is(err, claude.ErrNotFound):
		x.add(linkClient, Warning, err.Error(), "install Claude Code")
		return
	case err != nil:
		x.add(linkClient, Broken, err.Error(), "reinstall Claude Code")
		return
	}
	x.client = found
	detail := fmt.Sprintf("%s, version %s", found.Path, found.Version)
	switch {
	case x.outdated():
		x.add(linkClient, Broken, fmt.Sprintf("%s, is older than %s, the oldest version that guardrails is tested with",
			detail, claude.Oldest()),
			"update Claude Code")
	case !found.Version.Knows(claude.OnFailure):
		x.add(linkClient, Warning, detail+", does not know onFailure: calls run unchecked when a hook program is missing or hangs",
			"update Claude Code to 2.1.295 or later and run guardrails init again")
	default:
		x.add(linkClient, OK, detail, "")
	}
}

// outdated() reports whether the client is too old to run the canaries.
func (x *Examination) outdated() bool {
	return x.client != nil && !x.client.Version.AtLeast(claude.Oldest())
}
