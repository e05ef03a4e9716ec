package rules

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"guardrails/guideline"
)

type schema map[string]any

// Schema returns the JSON Schema (draft 2020-12) of guideline files, for editors. It is derived from the Go types.
func Schema() []byte {
	root := schema{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"title":       "Guideline file",
		"description": "Guidelines and cases, one guideline, or a list of guidelines.",
		"if":          schema{"type": "array"},
		"then":        listOf(ref("Guideline")),
		"else": schema{
			"type": "object",
			"if":   schema{"anyOf": []schema{{"required": []string{"guidelines"}}, {"required": []string{"cases"}}}},
			"then": ref("File"),
			"else": ref("Guideline"),
		},
		"$defs": definitions(),
	}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		// Only a mistake in notes() can cause this error, and every test of the schema would fail then.
		panic(err)
	}
	return append(text, '\n')
}

// These types exist only for the schema. They describe parts of a file that have no Go type elsewhere.
type (
	guidelineSet struct {
		Schema     string                `json:"$schema"`
		Guidelines []guideline.Guideline `json:"guidelines"`
		Cases      []Case                `json:"cases"`
	}
	caseContext struct {
		guideline.Context
		Unknown []string `json:"unknown"`
	}
)

func definitions() schema {
	all := notes()
	defs := schema{}
	for name, t := range map[string]reflect.Type{
		"File":        reflect.TypeFor[guidelineSet](),
		"Guideline":   reflect.TypeFor[guideline.Guideline](),
		"Condition":   reflect.TypeFor[guideline.Condition](),
		"Action":      reflect.TypeFor[guideline.Action](),
		"Case":        reflect.TypeFor[Case](),
		"Context":     reflect.TypeFor[caseContext](),
		"Expect":      reflect.TypeFor[Expect](),
		"Constraints": reflect.TypeFor[Constraints](),
		"Facts":       reflect.TypeFor[Facts](),
		"Exception":   reflect.TypeFor[Exception](),
	} {
		def := schema{"type": "object", "additionalProperties": false, "properties": properties(name, t, all)}
		if required := requiredFields(name); required != nil {
			def["required"] = required
		}
		defs[name] = def
	}
	addShortForm(defs["Guideline"].(schema), defs, all)
	return defs
}

func properties(owner string, t reflect.Type, all map[string]schema) schema {
	out := schema{}
	for f := range t.Fields() {
		if f.Anonymous {
			for name, p := range properties(owner, f.Type, all) {
				out[name] = p
			}
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		property := ofType(f.Type)
		for key, value := range all[owner+"."+name] {
			property[key] = value
		}
		out[name] = property
	}
	return out
}

func ofType(t reflect.Type) schema {
	switch t {
	case reflect.TypeFor[time.Time]():
		return schema{"type": "string", "format": "date-time"}
	case reflect.TypeFor[guideline.Category]():
		return oneOf(guideline.Categories())
	case reflect.TypeFor[guideline.ActionType]():
		return oneOf(guideline.ActionTypes())
	case reflect.TypeFor[guideline.Threshold]():
		return oneOf(guideline.Thresholds())
	}
	switch t.Kind() {
	case reflect.Pointer:
		return ofType(t.Elem())
	case reflect.Slice:
		return listOf(ofType(t.Elem()))
	case reflect.Map:
		return schema{"type": "object"}
	case reflect.Struct:
		return ref(t.Name())
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int:
		return schema{"type": "integer"}
	case reflect.String:
		return schema{"type": "string"}
	}
	panic(fmt.Sprintf("guideline files cannot represent the type %v", t))
}

func listOf(item schema) schema {
	if item["type"] == "string" {
		item["minLength"] = 1
	}
	return schema{"type": "array", "items": item}
}

func oneOf[T ~string](values []T) schema { return schema{"type": "string", "enum": values} }

func ref(name string) schema { return schema{"$ref": "#/$defs/" + name} }

func requiredFields(owner string) []string {
	switch owner {
	case "Guideline":
		return []string{"name"}
	case "Case":
		return []string{"name", "expect"}
	case "Exception":
		return []string{"guideline"}
	}
	return nil
}
