package service

import (
	"context"
	"slices"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/decide"
	"guardrails/detect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/service/guidelinefiles"
)

// The type "layer" is one layer of a project with the guidelines of this layer. Each layer has settings of its own,
// such as the default agent. It uses these settings to match its guidelines with queries.
type layer struct {
	config.Layer
	detector   *detect.Detector
	guidelines []*rules.Source
	set        *evaluator.Set
}

// compile() compiles the guidelines of a layer. If the layer is locked, compile() also locks each guideline.
func (l *layer) compile() (err error) {
	if l.Locked {
		l.guidelines = slices.Clone(l.guidelines)
		for i := range l.guidelines {
			l.guidelines[i] = lock(l.guidelines[i])
		}
	}
	shared := make([]*guideline.Guideline, len(l.guidelines))
	for i := range l.guidelines {
		shared[i] = &l.guidelines[i].Guideline
	}
	l.set, err = evaluator.CompileShared(shared)
	return err
}

// lock() returns a locked copy of a guideline.
func lock(g *rules.Source) *rules.Source {
	locked := *g
	locked.Locked = true
	return &locked
}

func (l *layer) find(id string) *rules.Source { return find(l.guidelines, id) }

// find() returns the guideline with the given id. If there is none, it returns the guideline that has this id as an
// alias. If there is no such guideline either, it returns nil.
func find(list []*rules.Source, id string) *rules.Source {
	if found := findBy(list, id, func(g **rules.Source) *guideline.Guideline { return &(*g).Guideline }); found != nil {
		return *found
	}
	return nil
}

func findBy[T any](list []T, id string, of func(*T) *guideline.Guideline) *T {
	var found *T
	for i := range list {
		g := of(&list[i])
		if g.ID == id {
			return &list[i]
		}
		if found == nil && slices.Contains(g.Aliases(), id) {
			found = &list[i]
		}
	}
	return found
}

// exceptions() returns the exceptions that apply to the layer's guidelines now: the layer's own exceptions, and
// exceptions of other layers for guidelines that are not locked.
func (l *layer) exceptions(now time.Time) []decide.Exception {
	var out []decide.Exception
	add := func(x config.Exception) {
		if now.Before(x.Expires) {
			out = append(out, decide.Exception{
				Guideline: x.Guideline, Tools: x.Tools, Reason: x.Reason, Expires: x.Expires,
			})
		}
	}
	for _, x := range l.Exceptions {
		add(x)
	}
	for _, x := range l.Others {
		if g := l.find(x.Guideline); g != nil && !l.isLocked(x.Guideline) {
			add(x)
		}
	}
	return out
}

func (l *layer) isLocked(id string) bool {
	return slices.ContainsFunc(l.guidelines, func(g *rules.Source) bool {
		return g.Locked && (g.ID == id || slices.Contains(g.Aliases(), id))
	})
}

// task() returns the layer's query for a request. It fills in missing fields from the layer's settings and from the
// prompt.
func (l *layer) task(ctx context.Context, common *evaluator.Query, r *Request, agent string) *evaluator.Query {
	q := *common
	if q.Agent == "" {
		q.Agent = agent
	}
	if q.Agent == "" {
		q.Agent = l.DefaultAgent
	}
	q.Metadata = metadata(l.Environment, r.Metadata)
	if q.Domain != "" && q.Action != "" {
		return &q
	}
	said := l.detector.Detect(ctx, r.Prompt)
	if q.Domain == "" {
		q.Domain = said.Domain
	}
	if q.Action == "" {
		q.Action = said.Action
	}
	return &q
}

// separate() keeps each guideline only in the highest layer that defines it. The result "hidden" has the definitions
// that separate() removed from lower layers. The notices name the guidelines that a lower layer defines differently,
// except guidelines of packs, because several layers can use the same pack.
func separate(layers []layer) (notices []string, hidden []hiddenSource) {
	known := map[string]*guideline.Guideline{}
	owner := map[string]string{}
	for i := range layers {
		l := &layers[i]
		var differing []string
		isHidden := func(g *rules.Source) bool { return known[g.ID] != nil }
		if slices.ContainsFunc(l.guidelines, isHidden) {
			l.guidelines = slices.Clone(l.guidelines)
		}
		l.guidelines = slices.DeleteFunc(l.guidelines, func(g *rules.Source) bool {
			other := known[g.ID]
			if other != nil && !guidelinefiles.IsFromPack(g) && !sameContent(other, &g.Guideline) {
				differing = append(differing, g.ID+" ("+owner[g.ID]+")")
			}
			if other != nil {
				hidden = append(hidden, hiddenSource{*g, l.Name})
			}
			return other != nil
		})
		for n := range l.guidelines {
			known[l.guidelines[n].ID], owner[l.guidelines[n].ID] = &l.guidelines[n].Guideline, l.Name
		}
		if len(differing) > 0 {
			notices = append(notices, "guardrails: the "+l.Name+"'s definition of these guidelines is ignored, because a "+
				"higher layer defines them too: "+strings.Join(differing, ", "))
		}
	}
	return notices, hidden
}

// ignored() returns the project's exceptions that do not apply. An exception for a guideline of a higher layer does not
// apply if the guideline is locked, or if nobody has accepted the exception.
func ignored(written *config.Layers, layers []layer) []config.Ignored {
	var out []config.Ignored
	own := &layers[len(layers)-1]
	for i := range layers[:len(layers)-1] {
		higher := &layers[i]
		for _, x := range own.Exceptions {
			accepted := slices.ContainsFunc(higher.Others, func(o config.Exception) bool {
				return o.Guideline == x.Guideline && o.Expires.Equal(x.Expires) && slices.Equal(o.Tools, x.Tools)
			})
			switch {
			case higher.find(x.Guideline) == nil:
			case higher.isLocked(x.Guideline):
				out = append(out, config.Ignored{
					Setting: "exceptions", Guideline: x.Guideline, Value: x.String(), Why: "the guideline is locked",
				})
			case !accepted:
				out = append(out, written.IgnoredException(&x))
			}
		}
	}
	return out
}
