package rules

import "maps"

func addShortForm(def, defs schema, all map[string]schema) {
	fields := def["properties"].(schema)
	var actions []schema
	for _, p := range places {
		if p.part == inAction {
			actions = append(actions, schema{"required": []string{p.name}})
		}
		if fields[p.name] == nil {
			fields[p.name] = shortField(&p, defs, all)
		}
	}
	// At least one field must say what the guideline does.
	def["anyOf"] = append(actions, schema{"required": []string{"action"}})
}

// shortField returns the schema of a field of the short form. Its description comes from the note of this field or,
// if there is none, from the note of the full field.
func shortField(p *place, defs schema, all map[string]schema) schema {
	out := schema{}
	switch p.form {
	case asDecoded:
		maps.Copy(out, fullField(p, defs))
	case everyTool, everyCall:
		out["anyOf"] = []schema{{"const": true}, {"type": "string", "minLength": 1}, fullField(p, defs)}
	default:
		out["anyOf"] = []schema{{"type": "string", "minLength": 1}, fullField(p, defs)}
	}
	maps.Copy(out, all["Guideline."+p.name])
	if out["description"] == nil {
		out["description"] = all[definitionOf(p.part)+"."+p.full]["description"]
	}
	return out
}

// fullField returns the schema of the full field that a short field stands for. It removes the description.
func fullField(p *place, defs schema) schema {
	owner, _ := defs[definitionOf(p.part)].(schema)
	if owner == nil {
		return schema{"type": "string"}
	}
	out := maps.Clone(owner["properties"].(schema)[p.full].(schema))
	delete(out, "description")
	return out
}

// definitionOf returns the name of the schema's definition for a part. There is no definition for parameters,
// because they may have any form.
func definitionOf(p part) string { return [...]string{"Guideline", "Condition", "Action", ""}[p] }
