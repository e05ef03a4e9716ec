package doctor

import (
	"context"
	"maps"
	"slices"
	"strings"

	"guardrails/config"
	"guardrails/service"
)

const linkSafety, linkPolicies = "safety gate", "policies"

// checkSafety adds a check that says what the safety gate does in a session, and which policies are in force.
func (x *Examination) checkSafety(ctx context.Context, s *service.Service, c *config.Config) {
	x.safety = c.Safety
	text := "mode " + c.Safety.Mode
	for _, own := range []map[string]string{c.Safety.Categories, c.Safety.Gates} {
		for _, name := range slices.Sorted(maps.Keys(own)) {
			text += ", " + name + " " + own[name]
		}
	}
	x.add(linkSafety, OK, text, "")
	found, err := s.PoliciesInForce(ctx, x.root)
	switch {
	case err != nil:
		x.add(linkPolicies, Warning, "cannot be looked up: "+err.Error(), "")
	case len(found.Problems) > 0:
		x.add(linkPolicies, Broken,
			found.Problems.Error()+"; no policy applies; only a running server may still use the last valid policies",
			"fix the file; to see each mistake, run: guardrails policies lint")
	case found.State == service.PoliciesInForce:
		x.add(linkPolicies, stateOfPolicies(found), strings.Join(append([]string{
			count(len(found.Rules), "rule") + " in force, from " + found.Source,
		}, found.Notices...), "; "), "")
	}
}

// If the records of this computer go to a remote server, checkRemoteWebhooks adds a check. The check says that nobody
// is notified about what the safety gate finds.
func (x *Examination) checkRemoteWebhooks(c *config.Config) {
	if c.RemoteAudit && (c.Safety.IsOn() || c.OutputGuard.IsOn()) {
		x.add(linkWebhooks, OK, "no events for the findings of the safety gate in sessions on this computer: the records go "+
			"to "+c.Server.URL+", which sends no webhooks about records of other computers", "")
	}
}

// stateOfPolicies returns the state Warning if there are notices about rules that do not apply.
func stateOfPolicies(found *service.Policies) State {
	if len(found.Notices) > 0 {
		return Warning
	}
	return OK
}
