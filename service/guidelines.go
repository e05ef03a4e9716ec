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

// Guidelines reads everything that holds in a project: what its store or its server says, its packs and files, and what
// the client's rules enforce. The notices are for a person; the error is why this is not everything, and then nothing is
// returned.
func (s *Service) Guidelines(ctx context.Context, root string, c *config.Config) ([]rules.Source, []string, error) {
	all, err := s.collect(ctx, root, &Request{}, c)
	if err != nil {
		return nil, nil, err
	}
	return all.guidelines, all.notices, nil
}

// collected is everything that holds in a project.
type collected struct {
	guidelines []rules.Source
	notices    []string
	// source is one of the sources of an answer; store is what of it was taken from a store.
	source string
	store  *taken
}

func (s *Service) collect(ctx context.Context, root string, r *Request, c *config.Config) (*collected, error) {
	files := Files(root, c)
	if err := files.Problems.Err(); err != nil {
		return nil, err
	}
	out := &collected{source: SourceFiles, store: &taken{}}
	all, err := s.fromElsewhere(ctx, root, r, c, files.Guidelines, out)
	if err != nil {
		return nil, err
	}
	client := clientRules(root)
	joined := rules.Join(&rules.Loaded{Guidelines: all}, &rules.Loaded{Guidelines: enforcing(client.Guidelines)})
	for _, p := range append(client.Problems, joined.Problems...) {
		out.notices = append(out.notices, "guardrails does not enforce a rule: "+p.Error())
	}
	out.guidelines = joined.Guidelines
	return out, nil
}

// fromElsewhere adds to a project's own guidelines those of its server, or else those of its store.
func (s *Service) fromElsewhere(ctx context.Context, root string, r *Request, c *config.Config, own []rules.Source, out *collected) ([]rules.Source, error) {
	if c.Server != nil {
		theirs, said, err := s.fromServer(ctx, c)
		if err != nil {
			return nil, err
		}
		all, notices := joined(theirs, own, "the server", func(*rules.Source) bool { return false })
		out.source, out.notices = SourceServer, slices.Concat(notices, said)
		return all, nil
	}
	var err error
	if out.store, err = s.fromStore(ctx, root, r, c); err != nil {
		return nil, err
	}
	if len(out.store.sources) == 0 {
		return own, nil
	}
	all, notices := joined(out.store.sources, own, "the store", fromPack)
	out.source, out.notices = SourceStore, notices
	return all, nil
}

// fromPack reports whether a guideline is of a pack. Those of packs are in the store to be tuned there.
func fromPack(s *rules.Source) bool { return strings.HasPrefix(s.Origin.File, PackPrefix) }

// joined joins the guidelines of a server or a store with a project's own, which may add to them but not take their place.
// Where they say something else, a person is told, unless they are there to be tuned.
func joined(theirs, own []rules.Source, whose string, tuned func(*rules.Source) bool) ([]rules.Source, []string) {
	known := map[string]*guideline.Guideline{}
	for i := range theirs {
		known[theirs[i].ID] = &theirs[i].Guideline
	}
	var changed []string
	all := slices.Clone(theirs)
	for i := range own {
		other := known[own[i].ID]
		switch {
		case other == nil:
			all = append(all, own[i])
		case !tuned(&own[i]) && !same(other, &own[i].Guideline):
			changed = append(changed, own[i].ID)
		}
	}
	if len(changed) == 0 {
		return all, nil
	}
	return all, []string{fmt.Sprintf("guardrails: the project itself defines %s in another way than %s; what %s says of %s holds",
		strings.Join(changed, ", "), whose, whose, it(len(changed)))}
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
