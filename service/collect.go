package service

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/service/files"
	"guardrails/service/remote"
)

// Guidelines reads all current guidelines of a project: from its store or its server, its packs and files, and the
// client's rules that enforce something. The notices are for the user. On an error nothing is returned.
func (s *Service) Guidelines(
	ctx context.Context, root string, c *config.Config,
) (guidelines []rules.Source, notices []string, err error) {
	all, err := s.collect(ctx, root, &Request{}, c)
	if err != nil {
		return nil, nil, err
	}
	return all.guidelines, all.notices, nil
}

// collected holds all current guidelines of a project.
type collected struct {
	guidelines []rules.Source
	notices    []string
	// source is SourceFiles, SourceServer or SourceStore.
	source string
	store  *storePart
}

func (s *Service) collect(ctx context.Context, root string, r *Request, c *config.Config) (*collected, error) {
	own := files.Read(root, c)
	if err := own.Problems.Err(); err != nil {
		return nil, err
	}
	out := &collected{source: SourceFiles, store: &storePart{}}
	all, err := s.addShared(ctx, root, r, c, own.Guidelines, out)
	if err != nil {
		return nil, err
	}
	client := files.ClientRules(root)
	joined := rules.Join(&rules.Loaded{Guidelines: all}, &rules.Loaded{Guidelines: files.Enforcing(client.Guidelines)})
	for _, p := range append(client.Problems, joined.Problems...) {
		out.notices = append(out.notices, "guardrails does not enforce a rule: "+p.Error())
	}
	out.guidelines = joined.Guidelines
	return out, nil
}

// addShared adds the guidelines of the project's server, or else of its store, to the project's own.
func (s *Service) addShared(
	ctx context.Context, root string, r *Request, c *config.Config, own []rules.Source, out *collected,
) ([]rules.Source, error) {
	if c.Server != nil {
		client := remote.Client{Env: s.env, Timeout: s.patience, Tool: ToolGetContext}
		shared, said, err := client.Guidelines(ctx, c)
		if err != nil {
			return nil, err
		}
		all, notices := join(shared, own, "the server", func(*rules.Source) bool { return false })
		out.source, out.notices = SourceServer, slices.Concat(notices, said)
		return all, nil
	}
	var err error
	if out.store, err = s.readStore(ctx, root, r, c); err != nil {
		return nil, err
	}
	if len(out.store.sources) == 0 {
		return own, nil
	}
	all, notices := join(out.store.sources, own, "the store", fromPack)
	out.source, out.notices = SourceStore, notices
	return all, nil
}

// fromPack reports whether a guideline comes from a pack. Packs are copied into the store so that they can be tuned
// there.
func fromPack(s *rules.Source) bool { return strings.HasPrefix(s.Origin.File, files.PackPrefix) }

// join adds a project's own guidelines to shared ones. If two have the same id, the shared guideline is used. A notice
// names the guidelines that differ, except those for which mayDiffer returns true.
func join(shared, own []rules.Source, whose string, mayDiffer func(*rules.Source) bool) ([]rules.Source, []string) {
	known := map[string]*guideline.Guideline{}
	for i := range shared {
		known[shared[i].ID] = &shared[i].Guideline
	}
	var differing []string
	all := slices.Clone(shared)
	for i := range own {
		other := known[own[i].ID]
		switch {
		case other == nil:
			all = append(all, own[i])
		case !mayDiffer(&own[i]) && !same(other, &own[i].Guideline):
			differing = append(differing, own[i].ID)
		}
	}
	if len(differing) == 0 {
		return all, nil
	}
	definitions := "definition applies"
	if len(differing) > 1 {
		definitions = "definitions apply"
	}
	return all, []string{fmt.Sprintf("guardrails: the project defines %s differently than %s; %s's %s",
		strings.Join(differing, ", "), whose, whose, definitions)}
}

// same reports whether two guidelines are equal, ignoring when and by whom they were written.
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
