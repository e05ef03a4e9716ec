package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/rules"
)

// The limits on the number of questions. The limits for contexts of single guidelines and for calls are lower, because
// the other kinds of questions are created later and need room too.
const (
	maxQuestions     = 5000
	maxOwnQuestions  = 2500
	maxCallQuestions = 3500
)

// Derive creates questions from the content of two or more sets, in this order: the cases in the sets, contexts that
// match the condition of each guideline, a call for each tool pattern and agent, and all combinations of the values in
// the conditions. Every question has the given metadata. If there were more questions than the limit, the result
// "truncated" is true.
func Derive(metadata map[string]any, sides ...*rules.Loaded) (list []Question, truncated bool) {
	d := deriver{metadata: metadata, seen: map[string]bool{}}
	var all []rules.Source
	for _, side := range sides {
		for i := range side.Cases {
			d.add(questionOf(&side.Cases[i]), maxQuestions)
		}
		all = append(all, side.Guidelines...)
	}
	for i := range all {
		d.addOwn(&all[i].Condition)
	}
	var values values
	for i := range all {
		values.merge(valuesOf(&all[i].Condition))
	}
	d.addCalls(all, values.agents)
	values.addNone()
	d.combine(values, Question{Context: guideline.Context{Metadata: d.metadata}}, maxQuestions)
	return d.list, d.truncated
}

type values struct {
	agents, domains, actions, paths, events, gates []string
}

func valuesOf(c *guideline.Condition) values {
	v := values{agents: c.Agents, domains: c.Domains, actions: c.Actions, events: c.Events, gates: c.GateTypes}
	for _, pattern := range c.Paths {
		if path := samplePath(pattern); path != "" {
			v.paths = append(v.paths, path)
		}
	}
	return v
}

func (v *values) fields() []*[]string {
	return []*[]string{&v.agents, &v.domains, &v.actions, &v.paths, &v.events, &v.gates}
}

func (v *values) merge(other values) {
	more := other.fields()
	for i, field := range v.fields() {
		for _, value := range *more[i] {
			if !slices.Contains(*field, value) {
				*field = append(*field, value)
			}
		}
	}
}

// addNone adds the empty value to every field, so that some contexts lack the field.
func (v *values) addNone() {
	for _, field := range v.fields() {
		*field = append([]string{""}, *field...)
	}
}

type deriver struct {
	metadata  map[string]any
	list      []Question
	seen      map[string]bool
	truncated bool
}

// add() adds a question unless the list already has it. It returns false if the list has reached the limit.
func (d *deriver) add(q Question, limit int) bool {
	key := q.key()
	if d.seen[key] {
		return true
	}
	if len(d.list) >= limit {
		d.truncated = true
		return false
	}
	d.seen[key] = true
	d.list = append(d.list, q)
	return true
}

// addOwn adds questions with contexts that match the condition of a guideline. If a custom condition accepts several
// values for a key, only the first value is used.
func (d *deriver) addOwn(c *guideline.Condition) {
	q := Question{Context: guideline.Context{Metadata: maps.Clone(d.metadata)}}
	var names []string
	for _, key := range slices.Sorted(maps.Keys(c.Custom)) {
		value := c.Custom[key]
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		q.Context.Metadata[key] = value
		names = append(names, fmt.Sprintf("%s=%v", key, value))
	}
	q.Name = strings.Join(names, ", ")
	d.combine(valuesOf(c), q, maxOwnQuestions)
}

func (d *deriver) combine(v values, q Question, limit int) {
	fields := v.fields()
	for _, field := range fields {
		if len(*field) == 0 {
			*field = []string{""}
		}
	}
	at := make([]int, len(fields))
	for {
		pick := func(i int) string { return (*fields[i])[at[i]] }
		c := &q.Context
		c.Agent, c.Domain, c.Action, c.Event, c.GateType = pick(0), pick(1), pick(2), pick(4), pick(5)
		c.Paths = nil
		if path := pick(3); path != "" {
			c.Paths = []string{path}
		}
		if !d.add(q, limit) || !advance(at, fields) {
			return
		}
	}
}

// advance() selects the next combination of values. It returns false after the last one.
func advance(at []int, fields []*[]string) bool {
	for i := range at {
		if at[i]++; at[i] < len(*fields[i]) {
			return true
		}
		at[i] = 0
	}
	return false
}

// addCalls adds questions with sample calls: for each tool pattern and each agent, one call that matches the pattern.
func (d *deriver) addCalls(guidelines []rules.Source, agents []string) {
	for i := range guidelines {
		action := &guidelines[i].Action
		for _, pattern := range slices.Concat(action.ToolsAllowed, action.ToolsDenied, action.ToolsAsked) {
			tool, input := sampleCall(pattern)
			if tool == "" {
				continue
			}
			for _, agent := range append([]string{""}, agents...) {
				c := guideline.Context{Agent: agent, Metadata: d.metadata}
				if !d.add(Question{Context: c, Tool: tool, Input: input}, maxCallQuestions) {
					return
				}
			}
		}
	}
}
