package evaluator

import (
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
)

type conditionField struct {
	bit  guideline.Fields
	name string
	// The fields "prefix" and "joiner" turn the wanted values into a clause. With the prefix "event is " and the joiner
	// " or ", the values "commit" and "push" become "event is commit or push".
	prefix string
	joiner string
	wanted func(*guideline.Condition) []string
}

// conditionFields lists the fields of a condition in the order of their bits in guideline.Fields.
func conditionFields() [7]conditionField {
	return [7]conditionField{
		{guideline.FieldAgent, "agents", "agent is ", " or ", func(c *guideline.Condition) []string { return c.Agents }},
		{guideline.FieldDomain, "domains", "domain is ", " or ", func(c *guideline.Condition) []string { return c.Domains }},
		{guideline.FieldAction, "actions", "action is ", " or ", func(c *guideline.Condition) []string { return c.Actions }},
		{guideline.FieldPaths, "paths", "paths match ", " or ", func(c *guideline.Condition) []string { return c.Paths }},
		{guideline.FieldEvent, "events", "event is ", " or ", func(c *guideline.Condition) []string { return c.Events }},
		{guideline.FieldGateType, "gate_types", "gate type is ", " or ", func(c *guideline.Condition) []string { return c.GateTypes }},
		{guideline.FieldMetadata, "custom", "metadata ", "; metadata ", func(c *guideline.Condition) []string { return customClauses(c.Custom) }},
	}
}

// fieldsSet returns the fields that are not empty in a condition.
func fieldsSet(c *guideline.Condition) guideline.Fields {
	var set guideline.Fields
	for i, size := range [7]int{
		len(c.Agents), len(c.Domains), len(c.Actions), len(c.Paths), len(c.Events), len(c.GateTypes), len(c.Custom),
	} {
		if size > 0 {
			set |= guideline.FieldAgent << i
		}
	}
	return set
}

func fieldNames(set guideline.Fields) []string {
	names := []string{}
	for _, f := range conditionFields() {
		if set.Has(f.bit) {
			names = append(names, f.name)
		}
	}
	return names
}

// onlyFields returns a copy of a condition. The copy has only the fields in the given set. If the set is empty,
// onlyFields returns nil.
func onlyFields(c *guideline.Condition, set guideline.Fields) *guideline.Condition {
	if set == 0 {
		return nil
	}
	part := *c
	for i, list := range [6]*[]string{
		&part.Agents, &part.Domains, &part.Actions, &part.Paths,
		&part.Events, &part.GateTypes,
	} {
		if !set.Has(guideline.FieldAgent << i) {
			*list = nil
		}
	}
	if !set.Has(guideline.FieldMetadata) {
		part.Custom = nil
	}
	return &part
}

// clauses() returns a text such as "agent is backend; event is commit or push" for the given fields of a condition.
func clauses(c *guideline.Condition, set guideline.Fields) string {
	var parts []string
	for _, f := range conditionFields() {
		if set.Has(f.bit) {
			parts = append(parts, f.prefix+strings.Join(f.wanted(c), f.joiner))
		}
	}
	return strings.Join(parts, "; ")
}

func customClauses(custom map[string]any) []string {
	var out []string
	for _, key := range document.SortedKeys(custom) {
		var values []string
		for _, v := range alternatives(custom[key]) {
			values = append(values, guideline.Show(v))
		}
		out = append(out, key+" is "+strings.Join(values, " or "))
	}
	return out
}

// alternatives() returns the values that a custom condition accepts. It converts a scalar to a list with one item.
func alternatives(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}
