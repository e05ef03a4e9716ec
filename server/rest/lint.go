package rest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/rules/lint"
	"guardrails/service"
)

// maxCompared is the largest number of saved guidelines with which a draft is compared. The time for the comparison
// grows with the square of this number, and people wait for the answer while they write.
const maxCompared = 1000

type lintReport struct {
	Guidelines []view    `json:"guidelines"`
	Problems   []mistake `json:"problems"`
	Findings   []finding `json:"findings"`
	Errors     int       `json:"errors"`
	Warnings   int       `json:"warnings"`
	Compared   int       `json:"compared_with"`
	// Overrides lists which guidelines the draft overrides, and which guidelines override the draft.
	Overrides []lint.Override `json:"overrides"`
}

type finding struct {
	ID       string        `json:"id"`
	Rule     lint.Rule     `json:"rule"`
	Severity lint.Severity `json:"severity"`
	Field    string        `json:"field,omitempty"`
	Line     int           `json:"line,omitempty"`
	Message  string        `json:"message"`
	Remedy   string        `json:"remedy"`
}

// lintRequest is the draft that a caller wants to check.
type lintRequest struct {
	draft     rules.Loaded
	alone     bool
	projectID string
}

func (c *call) lint() error {
	r, err := c.lintRequest()
	if err != nil {
		return err
	}
	out := lintReport{Guidelines: []view{}, Problems: []mistake{}, Findings: []finding{}, Overrides: []lint.Override{}}
	out.Errors = len(r.draft.Problems)
	for i := range r.draft.Guidelines {
		out.Guidelines = append(out.Guidelines, viewOf(&r.draft.Guidelines[i].Guideline))
	}
	for _, p := range r.draft.Problems {
		p.Line = lineIn(p.File, p.Line)
		out.Problems = append(out.Problems, mistakeIn(p))
	}
	var others []rules.Source
	if !r.alone {
		if others, err = c.others(r); err != nil {
			return err
		}
	}
	out.Compared = len(others)
	for _, f := range findings(&r.draft, others) {
		out.Findings = append(out.Findings, finding{
			f.ID, f.Rule, f.Severity, f.Field, lineIn(f.Origin.File, f.Origin.Line), f.Message, f.Remedy,
		})
		if f.Severity == lint.Error {
			out.Errors++
		} else {
			out.Warnings++
		}
	}
	for i := range r.draft.Guidelines {
		found, err := lint.Overrides(&r.draft.Guidelines[i], others)
		if err != nil {
			return err
		}
		out.Overrides = append(out.Overrides, found...)
	}
	return c.say(http.StatusOK, out)
}

// draftFile stands for the file name of a draft that is a list of guidelines. Such a draft has no line numbers. Only a
// draft that is a text has line numbers.
const draftFile = "draft"

func lineIn(file string, line int) int {
	if file == draftFile || file == "" {
		return 0
	}
	return line
}

// findings() returns the probable mistakes in a draft. It also returns the mistakes that the draft causes in other
// guidelines.
func findings(draft *rules.Loaded, others []rules.Source) []lint.Finding {
	all := lint.Check(rules.Join(draft, &rules.Loaded{Guidelines: others}), lint.Options{})
	before := lint.Check(&rules.Loaded{Guidelines: others}, lint.Options{})
	own := func(id string) bool {
		return slices.ContainsFunc(draft.Guidelines, func(g rules.Source) bool { return g.ID == id })
	}
	return slices.DeleteFunc(all, func(f lint.Finding) bool { return !own(f.ID) && slices.Contains(before, f) })
}

// others() returns the guidelines that apply to the caller and that the draft does not replace. If there are too many
// guidelines to compare, it returns none.
func (c *call) others(r *lintRequest) ([]rules.Source, error) {
	list, err := c.inForce(r.projectID)
	if err != nil {
		return nil, err
	}
	out := slices.DeleteFunc(list, func(g rules.Source) bool {
		return slices.ContainsFunc(r.draft.Guidelines, func(d rules.Source) bool { return d.ID == g.ID && d.ProjectID == g.ProjectID })
	})
	if len(out) > maxCompared {
		return nil, nil
	}
	return out, nil
}

// inForce returns the guidelines that apply to the caller in a project.
func (c *call) inForce(projectID string) ([]rules.Source, error) {
	list, err := c.h.o.Service.InForceFor(service.ForTenant(c.r.Context(), c.caller.Tenant), projectID)
	if err != nil {
		return nil, err
	}
	var out []rules.Source
	for i := range list {
		if g := &list[i].Source; g.TenantID == "" || g.TenantID == c.caller.Tenant {
			out = append(out, *g)
		}
	}
	return out, nil
}

// lintRequest reads the draft from the body.
func (c *call) lintRequest() (*lintRequest, error) {
	n, d, err := c.object()
	if err != nil {
		return nil, err
	}
	r := &lintRequest{}
	format, text := "", ""
	d.Object(n, "", []document.Spec{
		{Name: "guidelines", Read: skip},
		{Name: "text", Read: unlessNull(func(n *document.Node, at string) { text = d.Text(n, at) })},
		{Name: "format", Read: unlessNull(func(n *document.Node, at string) { format = d.Choice(n, at, formats()) })},
		{Name: "alone", Read: unlessNull(func(n *document.Node, at string) { r.alone = d.Bool(n, at) })},
		{Name: projectParameter, Read: unlessNull(func(n *document.Node, at string) { r.projectID = guideline.DecodeProjectID(d, n, at) })},
	})
	list := n.Field("guidelines")
	switch isList := list != nil && list.Kind != document.Null; {
	case len(d.Problems) > 0:
	case isList && text == "" && format == "":
		if !d.UpTo(list, "guidelines", maxDraft, fewer) {
			break
		}
		r.draft = *loadedDraft(d, list)
		d.Problems = nil // the answer lists the problems
	case !isList && text != "":
		file, problems := rules.Parse("draft."+extension(format), []byte(text))
		if len(file.Guidelines) > maxDraft {
			d.Report(n, "text", "has more than "+strconv.Itoa(maxDraft)+" guidelines", "check fewer of them")
		}
		r.draft = rules.Loaded{Guidelines: file.Guidelines, Problems: problems}
	default:
		d.Report(n, "", "has neither guidelines nor a text, or has both", "give guidelines, or a text with its format")
	}
	if len(d.Problems) > 0 {
		return nil, invalid(d.Problems)
	}
	return r, nil
}

func formats() []string { return []string{"yaml", "json", "markdown"} }

func extension(format string) string {
	if format == "markdown" {
		return "md"
	}
	return cmp.Or(format, "yaml")
}

// loadedDraft returns the valid guidelines of a list, and the problems of the invalid ones.
func loadedDraft(d *document.Decoder, list *document.Node) *rules.Loaded {
	out := &rules.Loaded{}
	var all []guideline.Guideline
	if all = draftOf(d, list, "guidelines"); all == nil {
		return &rules.Loaded{Problems: d.Problems}
	}
	for i, item := range list.Items {
		one := &document.Decoder{}
		guideline.Decode(one, item, "")
		if len(one.Problems) == 0 {
			all[i].TenantID = ""
			out.Guidelines = append(out.Guidelines, rules.Source{Guideline: all[i], Origin: rules.Origin{File: draftFile, Line: i + 1}})
		}
	}
	unique, repeated := rules.Unique(out.Guidelines, map[string]rules.Origin{})
	out.Guidelines, out.Problems = unique, slices.Concat(d.Problems, repeated)
	return out
}
