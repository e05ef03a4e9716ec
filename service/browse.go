package service

import (
	"cmp"
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
	"guardrails/store"
)

// Filter selects guidelines of a project. Empty fields match every guideline.
type Filter struct {
	// Project is the absolute path of the project's root. If it is empty, the service uses its own project.
	Project string
	// ProjectID selects the project whose guidelines are read from the store. If it is empty, the service uses the id
	// of Project.
	ProjectID string
	Category  guideline.Category
	// Agent selects guidelines for this agent or for every agent.
	Agent   string
	Enabled *bool
	// Text selects guidelines whose id, name or description contains this text, ignoring case.
	Text string
}

// ListQuery selects one page of the guidelines of a project.
type ListQuery struct {
	Filter
	store.Paging
}

// Listing is one page of the guidelines of a project, highest priority first.
type Listing struct {
	Success bool `json:"success"`
	// Count is the number of guidelines that match the filter, on all pages together. Total also includes the guidelines
	// that do not match the filter.
	Count      int                `json:"count"`
	Total      int                `json:"total"`
	Page       int                `json:"page"`
	PageSize   int                `json:"page_size"`
	Guidelines []Listed           `json:"guidelines"`
	Next       string             `json:"next_cursor,omitempty"`
	Source     string             `json:"source"`
	Fallback   *fallback.Fallback `json:"fallback,omitempty"`
	Notices    []string           `json:"notices,omitempty"`
}

// Listed is a summary of one guideline.
type Listed struct {
	ID          string               `json:"id"`
	Name        string               `json:"name"`
	Description string               `json:"description,omitempty"`
	Category    guideline.Category   `json:"category"`
	Priority    int                  `json:"priority"`
	Enabled     bool                 `json:"enabled"`
	ActionType  guideline.ActionType `json:"action_type"`
	// The field "From" is the file that defines the guideline, relative to the project.
	From string `json:"from"`
	// Origin says where the guideline is defined. The field Hides lists other definitions with the same id. These other
	// definitions do not apply.
	Origin Place   `json:"origin"`
	Hides  []Place `json:"hides,omitempty"`
}

// Definition is one guideline as it was written.
type Definition struct {
	Success   bool                `json:"success"`
	Guideline guideline.Guideline `json:"guideline"`
	From      string              `json:"from"`
	// Origin says where the guideline is defined. The field Hides lists other definitions with the same id. These other
	// definitions do not apply.
	Origin   Place              `json:"origin"`
	Hides    []Place            `json:"hides,omitempty"`
	Fallback *fallback.Fallback `json:"fallback,omitempty"`
}

// Explanation says why each guideline of a project does or does not apply to a task.
type Explanation struct {
	Success    bool                  `json:"success"`
	Context    guideline.Context     `json:"context"`
	Guidelines []evaluator.Explained `json:"guidelines"`
	Source     string                `json:"source"`
	Fallback   *fallback.Fallback    `json:"fallback,omitempty"`
	Notices    []string              `json:"notices,omitempty"`
}

// listPlace is the position of a guideline in a sorted list.
type listPlace struct {
	Priority int    `json:"p"`
	ID       string `json:"i"`
}

func placeOf(g *inLayer) listPlace { return listPlace{g.Priority, g.ID} }

func (g *inLayer) compare(at *listPlace) int {
	return cmp.Or(cmp.Compare(at.Priority, g.Priority), strings.Compare(g.ID, at.ID))
}

// List returns one page of the guidelines of a project that match a filter.
func (s *Service) List(ctx context.Context, q ListQuery) (*Listing, error) {
	r := Request{Project: q.Project, ProjectID: q.ProjectID}
	root, err := s.root(&r)
	if err != nil {
		return nil, err
	}
	b, err := s.rulebook(ctx, root, &r)
	if err != nil {
		return nil, err
	}
	pager, err := store.NewPager[listPlace](q.Paging, "guidelines in force", root, r.TenantID, q.Filter)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(b.all(), func(g inLayer) bool { return !q.matches(&g.Guideline) })
	slices.SortFunc(list, func(x, y inLayer) int { at := placeOf(&y); return x.compare(&at) })
	isAfter := func(g *inLayer, at *listPlace) bool { return g.compare(at) > 0 }
	page, err := store.PageIn(&pager, list, isAfter, placeOf)
	if err != nil {
		return nil, err
	}
	out := &Listing{
		Success: true, Count: page.Total, Total: b.count(), Page: page.Page, PageSize: page.Size, Next: page.Next,
		Guidelines: []Listed{}, Source: b.source, Fallback: b.fallback, Notices: b.notices,
	}
	for i := range page.Items {
		g := b.inForceAt(root, &page.Items[i])
		out.Guidelines = append(out.Guidelines, summary(root, &g))
	}
	if page.Next != "" {
		out.Notices = append(out.Notices, fmt.Sprintf("guardrails: this page has %d of %d guidelines; to get the next page, "+
			"call guardrails_list with next_cursor as cursor, and with the same filters", len(page.Items), page.Total))
	}
	return out, nil
}

// Lookup is a request for one guideline.
type Lookup struct {
	// ID is the guideline's id or one of its aliases.
	ID string
	// Project is the absolute path of the project's root. If it is empty, the service uses its own project.
	Project string
	// ProjectID selects the project whose guidelines are read from the store. If it is empty, the service uses the id
	// of Project.
	ProjectID string
}

// Get returns one guideline of a project.
func (s *Service) Get(ctx context.Context, l Lookup) (*Definition, error) {
	root, b, err := s.wholeRulebook(ctx, l.Project, l.ProjectID)
	if err != nil {
		return nil, err
	}
	g := FindInForce(b.inForce(root), l.ID)
	if g == nil {
		return nil, notFound("id", l.ID)
	}
	return &Definition{
		Success: true, Guideline: g.Guideline, From: origin(root, &g.Source), Origin: g.Origin, Hides: g.Hides,
		Fallback: b.fallback,
	}, nil
}

// InForce returns all guidelines of a project with the places where they are defined, the highest layer first. If the
// parameter "project" is empty, it uses the service's own project. The notices are for the user.
func (s *Service) InForce(ctx context.Context, project string) (list []InForce, notices []string, err error) {
	root, b, err := s.wholeRulebook(ctx, project, "")
	if err != nil {
		return nil, nil, err
	}
	return b.inForce(root), b.notices, nil
}

// InForceFor returns the guidelines that apply to the caller in a project of the store. If the parameter projectID is
// empty, the result has the guidelines of the service's own project.
func (s *Service) InForceFor(ctx context.Context, projectID string) ([]InForce, error) {
	root, b, err := s.wholeRulebook(ctx, "", projectID)
	if err != nil {
		return nil, err
	}
	return b.inForce(root), nil
}

// find() returns the guideline with the given id. If there is none, it returns the guideline that has this id as an
// alias. If there is no such guideline either, it returns nil.
func (b *rulebook) find(id string) *rules.Source {
	var byAlias *rules.Source
	for i := range b.layers {
		g := b.layers[i].find(id)
		if g != nil && g.ID == id {
			return g
		}
		if byAlias == nil {
			byAlias = g
		}
	}
	return byAlias
}

func notFound(field, id string) error {
	return fmt.Errorf("%s: there is no guideline %s; guardrails_list shows which exist", field, document.Excerpt(id))
}

// Explain returns why each guideline of a project does or does not apply to a task.
func (s *Service) Explain(ctx context.Context, r Request) (*Explanation, error) {
	root, err := s.root(&r)
	if err != nil {
		return nil, err
	}
	b, err := s.rulebook(ctx, root, &r)
	if err != nil {
		return nil, err
	}
	q := b.query(ctx, s.env, root, &r)
	return &Explanation{
		Success: true, Context: q.own().Context, Guidelines: evaluator.ExplainAll(q.parts()).Guidelines,
		Source: b.source, Fallback: b.fallback, Notices: append(b.notices, b.unknownAgent(q.own())...),
	}, nil
}

// wholeRulebook returns the root of a project and its rulebook.
func (s *Service) wholeRulebook(ctx context.Context, project, projectID string) (string, *rulebook, error) {
	r := Request{Project: project, ProjectID: projectID}
	root, err := s.root(&r)
	if err != nil {
		return "", nil, err
	}
	b, err := s.rulebook(ctx, root, &r)
	return root, b, err
}

func (f *Filter) matches(g *guideline.Guideline) bool {
	agents := g.Condition.Agents
	return (f.Category == "" || g.Category == f.Category) &&
		(f.Enabled == nil || g.Enabled == *f.Enabled) &&
		(f.Agent == "" || len(agents) == 0 || slices.Contains(agents, f.Agent)) &&
		strings.Contains(strings.ToLower(g.ID+"\n"+g.Name+"\n"+g.Description), strings.ToLower(f.Text))
}

func summary(root string, g *InForce) Listed {
	return Listed{
		ID: g.ID, Name: g.Name, Description: g.Description, Category: g.Category, Priority: g.Priority, Enabled: g.Enabled,
		ActionType: g.Action.Type, From: origin(root, &g.Source), Origin: g.Origin, Hides: g.Hides,
	}
}

func origin(root string, g *rules.Source) string {
	if below, err := filepath.Rel(root, g.Origin.File); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return g.Origin.File
}
