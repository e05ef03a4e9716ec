package live

import (
	"encoding/json"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

// compact() returns copies of guidelines that take less memory. The strings of the guidelines that a driver returns are
// parts of larger texts, so they keep these texts in memory. compact() copies the strings. If several guidelines have
// the same text, list or map, they share one copy.
func compact(list []guideline.Guideline) []*guideline.Guideline {
	p := pool{texts: map[string]string{}, lists: map[string][]string{}, maps: map[string]map[string]any{}}
	out := make([]*guideline.Guideline, len(list))
	for i := range list {
		g := p.guideline(list[i]) // a variable of its own: its memory is freed as soon as nobody uses this guideline
		out[i] = &g
	}
	return out
}

// The type "pool" has the texts, lists and maps that were seen before.
type pool struct {
	texts map[string]string
	lists map[string][]string
	maps  map[string]map[string]any
}

func (p *pool) guideline(g guideline.Guideline) guideline.Guideline {
	// Most guidelines have different values in these fields, so the pool would not help.
	g.ID, g.Name, g.Description = strings.Clone(g.ID), strings.Clone(g.Name), strings.Clone(g.Description)
	g.Category = guideline.Category(p.text(string(g.Category)))
	g.CreatedBy, g.TenantID, g.ProjectID = p.text(g.CreatedBy), p.text(g.TenantID), p.text(g.ProjectID)
	g.Metadata = p.object(g.Metadata)
	c, a := &g.Condition, &g.Action
	for _, l := range []*[]string{
		&c.Agents, &c.Domains, &c.Actions, &c.Paths, &c.Events, &c.GateTypes, &a.ToolsAllowed, &a.ToolsDenied, &a.ToolsAsked,
	} {
		*l = p.list(*l)
	}
	c.Custom, a.Parameters = p.object(c.Custom), p.object(a.Parameters)
	a.Type, a.Instruction = guideline.ActionType(p.text(string(a.Type))), p.text(a.Instruction)
	a.GateType, a.GateThreshold = p.text(a.GateType), guideline.Threshold(p.text(string(a.GateThreshold)))
	return g
}

func (p *pool) text(s string) string {
	known, ok := p.texts[s]
	if !ok {
		known = strings.Clone(s)
		p.texts[known] = known
	}
	return known
}

func (p *pool) list(l []string) []string {
	if len(l) == 0 {
		return l
	}
	key := strings.Join(l, "\x00") // no text of a guideline has this character
	known, ok := p.lists[key]
	if !ok {
		known = make([]string, len(l))
		for i := range l {
			known[i] = p.text(l[i])
		}
		p.lists[key] = known
	}
	return known
}

func (p *pool) object(m map[string]any) map[string]any {
	if len(m) == 0 {
		return m
	}
	key, err := json.Marshal(m)
	if err != nil {
		return m // a store has only values that can be encoded
	}
	known, ok := p.maps[string(key)]
	if !ok {
		known = p.value(m).(map[string]any)
		p.maps[string(key)] = known
	}
	return known
}

// value() returns a copy of a value of a map.
func (p *pool) value(v any) any {
	switch v := v.(type) {
	case string:
		return p.text(v)
	case document.Numeral:
		return document.Numeral(p.text(string(v)))
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = p.value(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[p.text(name)] = p.value(item)
		}
		return out
	}
	return v
}
