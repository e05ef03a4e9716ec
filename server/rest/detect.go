package rest

import (
	"net/http"
	"strings"

	"guardrails/detect/contract"
	"guardrails/server/access"
)

// detectorRoutes returns the routes that check what people and models write. Each route has the name of its tool.
func detectorRoutes() []route {
	var out []route
	for _, name := range contract.Names() {
		schema := contract.SchemaOf(name)
		out = append(out, route{
			method: http.MethodPost, path: base + "/detect/" + detectorWord(name), name: name, role: access.Decide,
			counted: base + "/detect/{detector}", summary: schema.Title, about: schema.Description,
			body: &body{schema: detectorSchema(name) + "Input", most: maxMany}, serve: (*call).detect,
			answers: []answer{{
				status: http.StatusOK, about: "What was found, and why", schema: detectorSchema(name) + "Answer",
				types: []string{typeJSON},
			}},
		})
	}
	return out
}

// detectorWord returns the name of a detector in a path, such as tool-loop for check_tool_loop.
func detectorWord(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "check_"), "_", "-")
}

// detectorSchema returns the name of a detector in the OpenAPI document, such as ToolLoop for check_tool_loop.
func detectorSchema(name string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(detectorWord(name), "-") {
		out.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return out.String()
}

// addDetectorSchemas adds the inputs and the answers of the detectors to the schemas of the OpenAPI document.
func addDetectorSchemas(out object) {
	for _, name := range contract.Names() {
		schema := contract.SchemaOf(name)
		addSchema(out, detectorSchema(name)+"Input", schema.Properties.Input)
		addSchema(out, detectorSchema(name)+"Answer", schema.Properties.Output)
	}
}

// detect answers a call of a detector.
func (c *call) detect() error {
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
