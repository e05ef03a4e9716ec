package service

import (
	"context"
	"path/filepath"

	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/policy"
	"guardrails/service/policyfile"
)

// Policies describes the policies of the safety gate that are in force.
type Policies struct {
	// Mode is the mode of the safety gate.
	Mode string `json:"mode"`
	// Source is the path of the policy file. If the file is inside the project, the path is relative to the project's
	// root. State is one of the states below.
	Source string `json:"source"`
	State  string `json:"state"`
	// Rules lists the rules in force, in the order in which they run. Problems lists the mistakes in the file.
	Rules    []policy.Summary  `json:"rules"`
	Problems document.Problems `json:"problems"`
	// Notices say which rules do not apply, and why.
	Notices []string `json:"notices"`

	set  *policy.Set
	path string
}

// Path is a method that returns the absolute path of the policy file.
func (p *Policies) Path() string { return p.path }

// Set is a method that returns the rules in force, or nil if there are none.
func (p *Policies) Set() *policy.Set { return p.set }

// The states of policies.
const (
	PoliciesNone     = "none"      // there is no policy file
	PoliciesInForce  = "in_force"  // the rules of the file apply
	PoliciesLastGood = "last_good" // the file has a mistake, and the rules that it had before apply
	PoliciesBroken   = "broken"    // the file has a mistake, and no rule applies
)

// PoliciesInForce returns the policies that apply in a project. If the parameter "root" is empty, it uses the service's
// own project.
func (s *Service) PoliciesInForce(ctx context.Context, root string) (*Policies, error) {
	r := &Request{Project: root}
	root, err := s.root(r)
	if err != nil {
		return nil, err
	}
	b, err := s.rulebook(ctx, root, r)
	if err != nil {
		return nil, err
	}
	return s.policiesOf(root, b), nil
}

// policiesOf returns the policies that apply in a project.
func (s *Service) policiesOf(root string, b *rulebook) *Policies {
	path, onlyStricter := s.policyPath(root, b)
	isNamed := s.policyFile != "" || b.settings.Safety.Policies != ""
	at := policyfile.Place{Path: path, IsNamed: isNamed}
	set, problems := s.policies.Read(at, s.now())
	if s.memory != nil {
		s.followed.add(policyUse{at, s.ownerOfPolicies(root)})
	}
	out := &Policies{
		Mode: b.settings.Safety.Mode, Source: path, State: stateOf(set, problems), Problems: document.Problems{}, Notices: []string{},
		path: path,
	}
	if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) {
		out.Source = filepath.ToSlash(below)
	}
	out.Problems = append(out.Problems, problems...)
	if notice := policyfile.Broken(set, problems); notice != "" {
		out.Notices = append(out.Notices, notice)
	}
	if onlyStricter != "" {
		for _, name := range set.Lowering() {
			out.Notices = append(out.Notices, "the rule "+name+" in "+path+" cannot make a verdict milder: "+onlyStricter)
		}
		set = set.Tightening()
	}
	out.set, out.Rules = set, set.Summaries()
	return out
}

func stateOf(set *policy.Set, problems document.Problems) string {
	switch {
	case len(problems) > 0 && set == nil:
		return PoliciesBroken
	case len(problems) > 0:
		return PoliciesLastGood
	case set == nil:
		return PoliciesNone
	}
	return PoliciesInForce
}

// ownerOfPolicies returns the root of the project whose audit has the changes of the policy file. The file of all
// callers belongs to the service's own project.
func (s *Service) ownerOfPolicies(root string) string {
	if s.policyFile != "" {
		return ""
	}
	return root
}

// policyPath returns the path of the policy file, or "" if the caller has no policy file.
func (s *Service) policyPath(root string, b *rulebook) (path, onlyStricter string) {
	switch settings := &b.settings.Safety; {
	case s.policyFile != "" && settings.NoMilder:
		return s.policyFile, policyfile.AdministratorsMode
	case s.policyFile != "":
		return s.policyFile, ""
	case b.otherTenant:
		return "", "" // the policies of the server's own project belong to another tenant
	default:
		return policyfile.Path(root, s.env(product.VariableHome), settings, b.written.Trusted())
	}
}
