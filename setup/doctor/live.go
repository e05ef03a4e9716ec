package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"guardrails/setup/claude"
)

// A live proof needs guidelines that deny calls and guidelines that ask about calls. Perhaps the project has no such
// guidelines. The proof also needs calls that do no harm if nothing stops them. So the proof uses a separate project in
// a temporary folder, with its own guidelines. Everything else is the same as in the user's sessions: the entries in
// the settings, their programs, the folder for sessions, and the client. The project's other hooks, servers, plugins
// and permissions are left out, because a check must not run them. The check "answer" covers the project's own
// guidelines.
//
// The client does not use the user's home folder, so it neither reads nor changes the user's account, history or
// settings. The client still reads the settings of the computer's administrator.

const (
	// proofTimeout is the time limit for the whole session. The session usually takes three seconds.
	proofTimeout = 90 * time.Second
	linkLive     = "live"
)

// Prove runs the canaries through the hooks in the settings. It returns one check for each canary.
func (x *Examination) Prove(ctx context.Context) []Check {
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	if x.outdated() {
		return x.unproven(fmt.Errorf("the client %s is older than %s", x.client.Version, claude.Oldest()))
	}
	if x.client == nil && x.direct() {
		return x.unproven(errors.New("no client is installed, and the hooks of this project run only when a client calls the server"))
	}
	s, err := x.newStage()
	if err != nil {
		return x.unproven(err)
	}
	begin := x.Now()
	sight, err := s.act(ctx)
	took := x.Now().Sub(begin)
	list := make([]Check, 1, 1+len(x.canaries()))
	for _, c := range x.canaries() {
		list = append(list, x.judge(&c, s, sight))
	}
	list[0] = x.way(took, errors.Join(err, s.clear()))
	return list
}

// way() returns a check that says in which way the canaries were run, or what went wrong.
func (x *Examination) way(took time.Duration, err error) Check {
	c := Check{Name: linkLive, State: OK}
	switch {
	case err != nil:
		c.State, c.Detail, c.Remedy = Broken, err.Error(), "the lines below show which test calls failed"
	case x.client == nil:
		c.Detail = "no client is installed, so doctor ran the commands of the settings itself"
	default:
		c.Detail = fmt.Sprintf("Claude Code %s ran in a temporary project, with a scripted model on this computer, for "+
			"%.1f s", x.client.Version, took.Seconds())
	}
	return c
}

func (x *Examination) unproven(cause error) []Check {
	var list []Check
	for _, c := range x.canaries() {
		list = append(list, Check{
			c.link(), Broken, notFired + ": " + cause.Error(),
			"fix the cause, then run guardrails doctor --live again",
		})
	}
	return list
}

const (
	fired    = "FIRED"
	notFired = "NOT FIRED"
)

// judge() returns the check for a canary. If the canary did not fire and the reason is known, the check has the reason.
func (x *Examination) judge(c *canary, s *stage, sight *observation) Check {
	missed := c.missed(s, sight)
	if missed == "" {
		return Check{Name: c.link(), State: OK, Detail: fired}
	}
	out := Check{
		c.link(), Broken, notFired + ": " + missed,
		"fix what is broken above, then run guardrails doctor --live again",
	}
	links := []string{linkSettings, linkPresence}
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
