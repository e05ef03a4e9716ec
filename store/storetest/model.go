package storetest

import (
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// The type "model" is a simple implementation of the contract in memory. It contains the guidelines of one tenant.
type model struct {
	now map[string]content
	// The map "last" has the newest version number of each guideline. The map "past" has the content of every version of
	// each guideline. The keys of both maps are the ids of guidelines.
	last map[string]int
	past map[string]map[int]content
	// The map "changes" has the number of changes of each guideline. The field "commits" is the number of changes of all
	// guidelines.
	changes map[string]int
	commits int
}

// The type "content" is the part of a guideline that random operations change.
type content struct {
	name    string
	enabled bool
	agents  string
}

func newModel() *model {
	return &model{
		now: map[string]content{}, last: map[string]int{}, past: map[string]map[int]content{}, changes: map[string]int{},
	}
}

// commit() adds the next version of a guideline. If the parameter "deleted" is true, this version is a deletion.
func (m *model) commit(id string, c content, deleted bool) {
	m.last[id]++
	m.changes[id]++
	m.commits++
	if deleted {
		delete(m.now, id)
		return
	}
	m.now[id] = c
	if m.past[id] == nil {
		m.past[id] = map[int]content{}
	}
	m.past[id][m.last[id]] = c
}

// lock() returns the error code with which the store must refuse a change of the given version. If the store must allow
// the change, the result is "".
func (m *model) lock(id string, version int) store.Code {
	switch _, live := m.now[id]; {
	case !live:
		return store.NotFound
	case version < 1:
		return store.Invalid
	case version != m.last[id]:
		return store.Conflict
	}
	return ""
}

// do() executes an operation in the model. It returns the code that the store must return.
func (m *model) do(o *operation) store.Code {
	switch o.what {
	case create:
		if _, live := m.now[o.id]; live {
			return store.Conflict
		}
		m.commit(o.id, o.content, false)
		return ""
	case restore:
		return m.restore(o)
	case importTwo:
		return m.importBoth(o)
	}
	code := m.lock(o.id, o.version)
	if code != "" {
		return code
	}
	c := o.content
	if o.what == toggle {
		c = m.now[o.id]
		c.enabled = !c.enabled
	}
	m.commit(o.id, c, o.what == remove)
	return ""
}

func (m *model) restore(o *operation) store.Code {
	old, known := m.past[o.id][o.to]
	switch {
	case m.last[o.id] == 0:
		return store.NotFound
	case o.version < 1:
		return store.Invalid
	case o.version != m.last[o.id]:
		return store.Conflict
	case !known:
		return store.NotFound
	}
	m.commit(o.id, old, false)
	return ""
}

func (m *model) importBoth(o *operation) store.Code {
	if o.id == o.second {
		return store.Invalid
	}
	ids := []string{o.id, o.second}
	for _, id := range ids {
		if _, live := m.now[id]; live && o.how == store.FailOnConflict {
			return store.Conflict
		}
	}
	for _, id := range ids {
		c, live := m.now[id]
		if !live || o.how == store.UpdateOnConflict && c != o.content {
			m.commit(id, o.content, false)
		}
	}
	return ""
}

// list() returns the ids that match a filter, ordered by name.
func (m *model) list(f *store.Filter) []string {
	var ids []string
	for id, c := range m.now {
		if (f.Enabled == nil || *f.Enabled == c.enabled) && (f.Agent == "" || slices.Contains(
			strings.Fields(c.agents), f.Agent,
		)) &&
			(f.Search == "" || strings.Contains(strings.ToLower(c.name), strings.ToLower(f.Search))) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		if c := strings.Compare(strings.ToLower(m.now[a].name), strings.ToLower(m.now[b].name)); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	return ids
}

func (c *content) guideline(id string, version int) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Version: version, Name: c.name, Enabled: c.enabled, Category: guideline.Custom, Priority: 500,
		Condition: guideline.Condition{
			Agents: strings.Fields(c.agents),
		}, Action: guideline.Action{Type: guideline.Instruction},
	}
}

func contentOf(g *guideline.Guideline) content {
	return content{g.Name, g.Enabled, strings.Join(g.Condition.Agents, " ")}
}
