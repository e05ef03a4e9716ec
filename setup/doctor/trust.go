package doctor

import (
	"context"
	"strings"

	"guardrails/config"
	"guardrails/config/trust"
	"guardrails/service"
)

const linkTrust = "trust"

// checkIgnored reports settings of this project that have no effect, or not their full effect.
func (x *Examination) checkIgnored(ctx context.Context, s *service.Service, c *config.Config) {
	list := c.Ignored
	if answer, err := s.GetContext(ctx, service.Request{}); err == nil {
		list = answer.Ignored // answer.Ignored also has exceptions
	}
	for i := range list {
		remedy := ""
		if list[i].NeedsTrust {
			remedy = "run guardrails trust in your own terminal, or remove the setting"
		}
		x.add(linkSettings, Warning, ignoredText(&list[i])+" is ignored: "+list[i].Why, remedy)
	}
}

func ignoredText(i *config.Ignored) string {
	if i.Value == "" {
		return i.Name()
	}
	return i.Setting + ": " + i.Value
}

// checkTrusted lists the projects that the user trusts. It reports the projects whose files have changed since the user
// trusted them.
func (x *Examination) checkTrusted() {
	records, err := trust.List(x.Env)
	if err != nil {
		x.add(linkTrust, Warning, err.Error(), "fix the named problem; until then, no project is trusted")
		return
	}
	var roots []string
	for _, r := range records {
		if !r.Changed {
			roots = append(roots, r.Root)
			continue
		}
		x.add(linkTrust, Warning, "the settings, policies or guidelines of "+r.Root+" have changed, so it is no longer trusted",
			"look at the changes in its folder .claude, and run guardrails trust there; or run guardrails untrust "+r.Root)
	}
	if len(roots) > 0 {
		x.add(linkTrust, OK, count(len(roots), "project")+" may loosen your rules: "+strings.Join(roots, ", "), "")
	}
}
