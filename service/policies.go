package service

import (
	"context"
	"path/filepath"
	"strings"

	"guardrails/config"
	"guardrails/detect/pii"
	"guardrails/detect/safety"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/policy"
	"guardrails/rules"
)

// Policies are the policies of the safety gate that are in force.
type Policies struct {
	// Mode is the mode of the safety gate.
	Mode string `json:"mode"`
	// Source is the path of the policy file. If the file is inside the project, the path is relative to the project's
	// root. State is one of the states below.
	Source string `json:"source"`
	State  string `json:"state"`
	// Rules are the rules in force, in the order in which they run. Problems are the mistakes in the file.
	Rules    []policy.Summary  `json:"rules"`
	Problems document.Problems `json:"problems"`
	// Notices say what does not apply, and why.
	Notices []string `json:"notices"`

	set  *policy.Set
	path string
}

// Path returns the absolute path of the policy file.
func (p *Policies) Path() string { return p.path }

// The states of policies.
const (
	PoliciesNone     = "none"      // there is no policy file
	PoliciesInForce  = "in_force"  // the rules of the file apply
	PoliciesLastGood = "last_good" // the file has a mistake, and the rules that it had before apply
	PoliciesBroken   = "broken"    // the file has a mistake, and no rule applies
)

// PoliciesInForce returns the policies that apply in a project. If root is empty, it is the project of the service.
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
	set, problems := s.policies.read(policyPlace{path, isNamed}, s.now())
	out := &Policies{
		Mode: b.settings.Safety.Mode, Source: path, State: stateOf(set, problems), Problems: document.Problems{}, Notices: []string{},
		path: path,
	}
	if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) {
		out.Source = filepath.ToSlash(below)
	}
	out.Problems = append(out.Problems, problems...)
	if notice := brokenPolicies(set, problems); notice != "" {
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

// policyPath returns the path of the policy file, or "" if the caller has none.
func (s *Service) policyPath(root string, b *rulebook) (path, onlyStricter string) {
	switch settings := &b.settings.Safety; {
	case s.policyFile != "" && settings.NoMilder:
		return s.policyFile, administratorsMode
	case s.policyFile != "":
		return s.policyFile, ""
	case b.otherTenant:
		return "", "" // the policies of the server's own project belong to another tenant
	default:
		return policyPath(root, s.env(product.VariableHome), settings, b.written.Trusted())
	}
}

const administratorsMode = "the machine's administrator sets the mode of the safety gate, but no policy file"

// policyPath returns the path of a project's policy file. onlyStricter says why its rules cannot make verdicts milder,
// or is "".
func policyPath(root, home string, s *config.Safety, trusted bool) (path, onlyStricter string) {
	switch path = s.Policies; {
	case path == "":
		path = product.PoliciesFile
	case strings.HasPrefix(path, "~/"):
		path = filepath.Join(home, path[2:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, filepath.FromSlash(path))
	}
	below, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(below) { // a link may lead into the project
		below, err = filepath.Rel(resolved(root), resolved(path))
	}
	switch {
	case s.NoMilder:
		return path, administratorsMode
	case err != nil || !filepath.IsLocal(below):
		return path, ""
	case filepath.ToSlash(below) != product.PoliciesFile:
		return path, "the file is in the project, where agents can change it; move it out of the project, or to " + product.PoliciesFile
	case !trusted:
		return path, config.NotTrusted
	}
	return path, ""
}

// resolved follows the links in a path. If the path does not exist, it follows the links in the path of the folder.
func resolved(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolved(dir), filepath.Base(path))
	}
	return path
}

// PolicyReport says what is wrong with policy files.
type PolicyReport struct {
	Files int `json:"files"`
	// Rules is the number of rules that are switched on.
	Rules    int               `json:"rules"`
	Problems document.Problems `json:"problems"`
}

// Add adds the number of rules and the mistakes of a policy file to the report. It returns the rules.
func (r *PolicyReport) Add(shown string, text []byte) *policy.Set { return r.add(shown, text, 0) }

func (r *PolicyReport) add(shown string, text []byte, limit int) *policy.Set {
	set, problems := policy.Lint(shown, text, rules.ParseYAML, policyNames(), limit)
	r.Files, r.Rules, r.Problems = r.Files+1, r.Rules+set.Rules(), append(r.Problems, problems...)
	return set
}

// policyNames returns the names that the safety gate uses in the facts of policies.
func policyNames() *policy.Names {
	names := &policy.Names{}
	for _, gate := range append([]safety.Gate{safety.InputCheck}, safety.Gates()...) {
		names.Gates = append(names.Gates, string(gate))
		names.Flags = append(names.Flags, document.Texts(gate.Categories())...)
	}
	for _, category := range pii.Categories() {
		names.PII = append(names.PII, category.String())
	}
	return names
}

// ValidatePolicies checks the text of a policy file. arguments is a JSON object that has this text in the field "text".
func ValidatePolicies(arguments []byte) (*PolicyReport, error) {
	n, problems := document.ParseJSON("", arguments)
	if n == nil {
		return nil, problems.Numbered()
	}
	d := &document.Decoder{Problems: problems}
	text := ""
	d.Object(n, "", []document.Spec{{Name: "text", Required: true, Read: func(n *document.Node, path string) { text = d.Text(n, path) }}})
	if err := d.Problems.Numbered().Err(); err != nil {
		return nil, err
	}
	report := &PolicyReport{Problems: document.Problems{}}
	report.add("", []byte(text), policy.LintLimit)
	return report, nil
}

// TestPolicies applies policies to the facts in arguments. It uses the rules in arguments or, if there are none, the
// project's rules. It fires no event.
func (s *Service) TestPolicies(arguments []byte, inForce func() (*Policies, error)) (*policy.Traced, error) {
	n, problems := document.ParseJSON("", arguments)
	if n == nil || len(problems) > 0 {
		return nil, problems.Numbered()
	}
	facts, set, problems := policy.DecodeTrial("", n, policy.TrialLimit)
	if err := problems.Numbered().Err(); err != nil {
		return nil, err
	}
	if set == nil {
		found, err := inForce()
		if err != nil {
			return nil, err
		}
		set = found.set
	}
	return set.Try(facts), nil
}
