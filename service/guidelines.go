package service

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/rules"
)

// Guidelines reads everything that holds in a project: what its server says, its packs and files, and what the client's
// rules enforce. The notices are for a person; the error is why this is not everything, and then nothing is returned.
func (s *Service) Guidelines(ctx context.Context, root string, c *config.Config) ([]rules.Source, []string, error) {
	files := Files(root, c)
	if err := files.Problems.Err(); err != nil {
		return nil, nil, err
	}
	all, notices := files.Guidelines, []string(nil)
	if c.Server != nil {
		theirs, said, err := s.fromServer(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		all, notices = withServer(theirs, all)
		notices = append(notices, said...)
	}
	client := clientRules(root)
	joined := rules.Join(&rules.Loaded{Guidelines: all}, &rules.Loaded{Guidelines: enforcing(client.Guidelines)})
	for _, p := range append(client.Problems, joined.Problems...) {
		notices = append(notices, "guardrails does not enforce a rule: "+p.Error())
	}
	return joined.Guidelines, notices, nil
}

// withServer joins a server's guidelines with a project's own, which may add to them but not take their place.
func withServer(server, own []rules.Source) ([]rules.Source, []string) {
	known := map[string]*guideline.Guideline{}
	for i := range server {
		known[server[i].ID] = &server[i].Guideline
	}
	var changed []string
	all := slices.Clone(server)
	for i := range own {
		theirs := known[own[i].ID]
		switch {
		case theirs == nil:
			all = append(all, own[i])
		case !same(theirs, &own[i].Guideline):
			changed = append(changed, own[i].ID)
		}
	}
	if len(changed) == 0 {
		return all, nil
	}
	return all, []string{fmt.Sprintf("guardrails: the project itself defines %s in another way than the server; what the server says of %s holds",
		strings.Join(changed, ", "), it(len(changed)))}
}

func it(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// same reports whether two guidelines say the same; when and by whom they were written does not matter.
func same(a, b *guideline.Guideline) bool {
	x, y := *a, *b
	for _, g := range []*guideline.Guideline{&x, &y} {
		g.Version, g.CreatedBy, g.TenantID = 0, "", ""
		g.CreatedAt, g.UpdatedAt = b.CreatedAt, b.UpdatedAt
	}
	first, err := guideline.Encode(&x)
	if err != nil {
		return false
	}
	second, err := guideline.Encode(&y)
	return err == nil && string(first) == string(second)
}
