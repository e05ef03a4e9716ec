package service

import (
	"errors"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/host"
	"guardrails/internal/document"
	"guardrails/rules"
)

// projectID returns the id of a project whose settings name no id. The id is derived from the remote of the repository,
// if there is a remote. An agent can change the remote. So once a project has guidelines under an id, the id stays the
// same until a person accepts another id. If another id would now be derived from the remote, the notice says this.
func (s *Service) projectID(root string) (id, notice string) {
	id = host.ProjectID(root)
	known := s.keeper().ProjectID(root)
	if known == "" || known == id {
		return id, ""
	}
	return known, "guardrails: the repository of this project is " + document.Excerpt(id) +
		" now, but the guidelines of " + document.Excerpt(known) +
		" still apply; to change this, a person can run: guardrails init"
}

// keepProjectID records the project's id if the project has guidelines under this id.
func (s *Service) keepProjectID(root string, b *rulebook) error {
	has := b.store.hasOwn
	for g := range b.guidelines() {
		has = has || g.ProjectID == b.derivedID
	}
	if b.derivedID != b.settings.Project || !has {
		return nil
	}
	return s.keeper().KeepProjectID(root, b.derivedID)
}

// checkProjectID returns an error if a hook sends a project id.
func checkProjectID(r *Request) error {
	if r.ProjectID == "" || !r.Hook {
		return nil
	}
	return errors.New("project_id: is not accepted from a hook, because hooks name the project's folder instead; remove it")
}

// inProject selects the store's guidelines that apply in a project: the project's own guidelines and the guidelines of
// all projects. If the project is untrusted, it also selects the guidelines of the project id that the project claims.
// If several of these guidelines have the same id, only one of them applies. The result "hidden" has the other
// guidelines with the same id.
func inProject(
	all []*guideline.Guideline, c *config.Config, location string,
) (sources, hidden []rules.Source, hasOwn bool) {
	sources = make([]rules.Source, 0, len(all))
	first := make(map[string]int, len(all))
	for _, g := range all {
		now := precedence(g, c)
		if now == 0 {
			continue
		}
		hasOwn = hasOwn || now == ofProject
		source := rules.Source{Guideline: *g, Origin: rules.Origin{File: location}}
		at, found := first[g.ID]
		switch {
		case !found:
			first[g.ID] = len(sources)
			sources = append(sources, source)
		case now > precedence(&sources[at].Guideline, c):
			hidden, sources[at] = append(hidden, sources[at]), source
		default:
			hidden = append(hidden, source)
		}
	}
	return sources, hidden, hasOwn
}

// If several guidelines have the same id, the one with the highest precedence applies. A project can change a guideline
// of all projects, unless the guideline is locked.
const (
	ofClaimed = iota + 1
	ofAll
	ofProject
	ofAllLocked
)

// precedence() returns one of the constants above, or 0 if the guideline belongs to another project.
func precedence(g *guideline.Guideline, c *config.Config) int {
	switch {
	case g.ProjectID == "" && g.Locked:
		return ofAllLocked
	case g.ProjectID == "":
		return ofAll
	case g.ProjectID == c.Project:
		return ofProject
	case g.ProjectID == c.ClaimedProject:
		return ofClaimed
	}
	return 0
}

// snapshotOf returns the key under which the snapshot for a request is saved. A request can name a project id. The key
// contains this id only if a snapshot for the id exists.
func (s *Service) snapshotOf(root string, r *Request) string {
	if own := ownSnapshot(r); r.ProjectID == "" || s.keeper().HasSnapshot(root, own) {
		return own
	}
	return snapshotTenant(r)
}

// ownSnapshot returns the key of the snapshot for the project id in a request.
func ownSnapshot(r *Request) string {
	if r.ProjectID == "" {
		return snapshotTenant(r)
	}
	return snapshotTenant(r) + "\x00" + r.ProjectID
}

// otherSnapshot returns the key of the snapshot for a caller whose tenant is not the tenant of the project.
func otherSnapshot(r *Request) string { return "\x00" + r.TenantID + "\x00" + r.ProjectID }

// AcceptProjectID makes a project use its current id. It returns the previous id, or "" if the id has not changed.
func (s *Service) AcceptProjectID() (before string, err error) {
	root, err := s.root(&Request{})
	if err != nil {
		return "", err
	}
	before = s.keeper().ProjectID(root)
	if before == "" || before == host.ProjectID(root) {
		return "", nil
	}
	return before, s.keeper().ForgetProjectID(root)
}
