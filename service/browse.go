package service

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service/fallback"
)

// Filter says which guidelines of a project are asked for; an empty field asks for all.
type Filter struct {
	// Project is the absolute path of the project's root; empty means the one that the service runs in.
	Project  string
	Category guideline.Category
	// Agent keeps those that hold for this agent or for every one.
	Agent   string
	Enabled *bool
	// Text is looked for in ids, names and descriptions, in whatever case.
	Text string
}

// Listing is the guidelines of a project, highest priority first.
type Listing struct {
	Success    bool               `json:"success"`
	Count      int                `json:"count"`
	Total      int                `json:"total"`
	Guidelines []Listed           `json:"guidelines"`
	Source     string             `json:"source"`
	Fallback   *fallback.Fallback `json:"fallback,omitempty"`
	Notices    []string           `json:"notices,omitempty"`
}

// Listed is one guideline in short.
type Listed struct {
	ID          string               `json:"id"`
	Name        string               `json:"name"`
	Description string               `json:"description,omitempty"`
	Category    guideline.Category   `json:"category"`
	Priority    int                  `json:"priority"`
	Enabled     bool                 `json:"enabled"`
	ActionType  guideline.ActionType `json:"action_type"`
	// From is the file that defines it, as the project calls it.
	From string `json:"from"`
}

// Definition is one guideline as it was written.
type Definition struct {
	Success   bool                `json:"success"`
	Guideline guideline.Guideline `json:"guideline"`
	From      string              `json:"from"`
	Fallback  *fallback.Fallback  `json:"fallback,omitempty"`
}

// Explanation says of every guideline of a project why it holds for a task or does not.
type Explanation struct {
	Success    bool                  `json:"success"`
	Context    guideline.Context     `json:"context"`
	Guidelines []evaluator.Explained `json:"guidelines"`
	Source     string                `json:"source"`
	Fallback   *fallback.Fallback    `json:"fallback,omitempty"`
}

// List lists the guidelines of a project that pass a filter.
func (s *Service) List(ctx context.Context, f Filter) (*Listing, error) {
	root, b, err := s.all(ctx, f.Project)
	if err != nil {
		return nil, err
	}
	out := &Listing{Success: true, Total: len(b.guidelines), Guidelines: []Listed{}, Source: b.source, Fallback: b.fallback, Notices: b.notices}
	for i := range b.guidelines {
		if g := &b.guidelines[i]; f.passes(&g.Guideline) {
			out.Guidelines = append(out.Guidelines, listed(root, g))
		}
	}
	slices.SortStableFunc(out.Guidelines, func(a, b Listed) int {
		if a.Priority != b.Priority {
			return b.Priority - a.Priority
		}
		return strings.Compare(a.ID, b.ID)
	})
	out.Count = len(out.Guidelines)
	return out, nil
}

// Wanted is the one guideline that is asked for.
type Wanted struct {
	ID string
	// Project is the absolute path of the project's root; empty means the one that the service runs in.
	Project string
}

// Get finds one guideline of a project.
func (s *Service) Get(ctx context.Context, w Wanted) (*Definition, error) {
	root, b, err := s.all(ctx, w.Project)
	if err != nil {
		return nil, err
	}
	for i := range b.guidelines {
		if g := &b.guidelines[i]; g.ID == w.ID {
			return &Definition{Success: true, Guideline: g.Guideline, From: from(root, g), Fallback: b.fallback}, nil
		}
	}
	return nil, fmt.Errorf("id: there is no guideline %s in %s; guardrails_list names those that there are", document.Excerpt(w.ID), root)
}

// Explain says why each guideline of a project holds for a task or does not.
func (s *Service) Explain(ctx context.Context, r Request) (*Explanation, error) {
	root, err := s.root(&r)
	if err != nil {
		return nil, err
	}
	b, err := s.rulebook(ctx, root, &r)
	if err != nil {
		return nil, err
	}
	q := b.query(ctx, s.env, &r)
	return &Explanation{Success: true, Context: q.Context, Guidelines: b.set.Explain(q).Guidelines, Source: b.source, Fallback: b.fallback}, nil
}

// all is everything that a project holds, for whomever.
func (s *Service) all(ctx context.Context, project string) (string, *rulebook, error) {
	r := Request{Project: project}
	root, err := s.root(&r)
	if err != nil {
		return "", nil, err
	}
	b, err := s.rulebook(ctx, root, &r)
	return root, b, err
}

func (f *Filter) passes(g *guideline.Guideline) bool {
	agents := g.Condition.Agents
	return (f.Category == "" || g.Category == f.Category) &&
		(f.Enabled == nil || g.Enabled == *f.Enabled) &&
		(f.Agent == "" || len(agents) == 0 || slices.Contains(agents, f.Agent)) &&
		strings.Contains(strings.ToLower(g.ID+"\n"+g.Name+"\n"+g.Description), strings.ToLower(f.Text))
}

func listed(root string, g *rules.Source) Listed {
	return Listed{
		ID: g.ID, Name: g.Name, Description: g.Description, Category: g.Category, Priority: g.Priority, Enabled: g.Enabled,
		ActionType: g.Action.Type, From: from(root, g),
	}
}

// from is where a guideline was read, as seen from the project.
func from(root string, g *rules.Source) string {
	if below, err := filepath.Rel(root, g.Origin.File); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return g.Origin.File
}
