package rest

import (
	"encoding/json"
	"net/http"
	"strings"

	"guardrails/server/access"
	"guardrails/service"
	"guardrails/service/screening"
)

// checkRoutes returns the routes of the safety gate. Each route has the name of its tool.
func checkRoutes() []route {
	var out []route
	for _, name := range service.CheckTools() {
		schema := screening.SchemaOf(name)
		out = append(out, route{
			method: http.MethodPost, path: base + "/check/" + strings.TrimPrefix(name, "check_"), name: name,
			role: access.Decide, summary: schema.Title, about: schema.Description,
			body: &body{schema: detectorSchema(name) + "Input", most: maxOne}, serve: (*call).check,
			answers: []answer{{
				status: http.StatusOK, about: "The verdict, and why", schema: detectorSchema(name) + "Answer",
				types: []string{typeJSON},
			}},
		})
	}
	return out
}

// addCheckSchemas adds the inputs and the answers of the safety gate to the schemas of the OpenAPI document.
func addCheckSchemas(out object) {
	for _, name := range service.CheckTools() {
		schema := screening.SchemaOf(name)
		addSchema(out, detectorSchema(name)+"Input", schema.Properties.Input)
		addSchema(out, detectorSchema(name)+"Answer", schema.Properties.Output)
	}
}

func addSchema(out object, name string, text json.RawMessage) {
	var value map[string]any
	if err := json.Unmarshal(text, &value); err != nil {
		panic(err) // as in Document, only a wrong schema can cause this
	}
	out[name] = value
}

// check answers a call of the safety gate.
func (c *call) check() error {
	text, err := c.read()
	if err != nil {
		return err
	}
	answer, err := c.h.o.Service.Call(c.r.Context(), c.route.name, text)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, answer)
}
