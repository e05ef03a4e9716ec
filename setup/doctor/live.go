package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"guardrails/setup/claude"
)

// A live proof needs guidelines that deny and ask, which the project's own may not have, and calls that do no harm even
// if nothing stops them. So it takes place in a project of its own, in a temporary folder, with guidelines of its own. All
// else is what the user's sessions have: the entries of the settings as they stand, the programs that they name, the
// folder for sessions, and the client. What the project's other hooks, servers, plugins and permissions would do is left
// out: they are nobody's to run for a check. That the project's own guidelines can be had is what the link "answer" says.
//
// The user's home is not the client's: no account, history or settings of theirs are seen or changed. What an
// administrator enters for the whole computer the client reads all the same.

const (
	// proofTimeout is how long the client may take for the whole session; a usual one takes three seconds.
	proofTimeout = 90 * time.Second
	linkLive     = "live"
)

// Prove lets canaries go through the hooks of the settings, and says of each whether it fired.
func (x *Examination) Prove(ctx context.Context) []Check {
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	if x.outdated() {
		return x.unproven(fmt.Errorf("the client %s is older than %s", x.client.Version, claude.Oldest()))
	}
	if x.client == nil && x.direct() {
		return x.unproven(errors.New("no client is installed, and only a client calls the server for hooks"))
	}
	s, err := x.newStage()
	if err != nil {
		return x.unproven(err)
	}
	begin := x.Now()
	sight, err := s.act(ctx)
	took := x.Now().Sub(begin)
	list := make([]Check, 1, 1+len(canaries()))
	for _, c := range canaries() {
		list = append(list, x.judge(&c, s, sight))
	}
	list[0] = x.way(took, errors.Join(err, s.clear()))
	return list
}

// way says how the proof was made, or what went wrong beside the canaries.
func (x *Examination) way(took time.Duration, err error) Check {
	c := Check{Name: linkLive, State: OK}
	switch {
	case err != nil:
		c.State, c.Detail, c.Remedy = Broken, err.Error(), "see which canaries have not fired below"
	case x.client == nil:
		c.Detail = "no client is installed: the commands of the settings were run as it would run them"
	default:
		c.Detail = fmt.Sprintf("Claude Code %s ran in a temporary project, with a scripted model on this computer, for %.1f s", x.client.Version, took.Seconds())
	}
	return c
}

// unproven is the proof that could not be begun.
func (x *Examination) unproven(cause error) []Check {
	var list []Check
	for _, c := range canaries() {
		list = append(list, Check{c.link(), Broken, notFired + ": " + cause.Error(), "mend that, then run guardrails doctor --live again"})
	}
	return list
}

const (
	fired    = "FIRED"
	notFired = "NOT FIRED"
)

// judge says whether a canary fired and, where it did not, what is known of the reason.
func (x *Examination) judge(c *canary, s *stage, sight *sighting) Check {
	missed := c.missed(s, sight)
	if missed == "" {
		return Check{Name: c.link(), State: OK, Detail: fired}
	}
	out := Check{c.link(), Broken, notFired + ": " + missed, "mend the broken links above, then run guardrails doctor --live again"}
	links := []string{linkSettings}
	if x.direct() {
		links = append(links, linkServer)
	}
	for _, event := range c.events {
		links = append(links, linkHook(event))
	}
	if why, found := x.broken(append(links, c.links...)...); found {
		out.Detail += " (" + why.Name + ": " + why.Detail + ")"
		out.Remedy = why.Remedy
	} else if words := sight.complaints(c.events); words != "" {
		out.Detail += " (" + words + ")"
	}
	out.Detail = strings.ReplaceAll(out.Detail, "\n", " ")
	return out
}
