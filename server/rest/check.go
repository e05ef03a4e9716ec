package rest

import (
	"encoding/json"
	"net/http"
	"strings"

	"guardrails/detect/contract"
	"guardrails/server/access"
	"guardrails/service"
	"guardrails/service/screening"
	"guardrails/service/tools"
)

// checkRoutes returns the routes of the detectors and of the safety gate. Each route has the name of its tool.
func checkRoutes() []route {
	var out []route
	for _, name := range contract.Names() {
		r := checkRoute(name, "detect", "What was found, and why", contract.SchemaOf(name))
		r.body.most, r.counted = maxMany, base+"/detect/{detector}"
		out = append(out, r)
	}
	for _, name := range tools.Checks() {
		r := checkRoute(name, "check", "The verdict, and why", screening.SchemaOf(name))
		r.serve, r.hasDryRun = (*call).screen, true
		if name == tools.CheckResponse {
			r.dryRunNeeds = " If the server asks a model about answers, a dry run also needs the role `" + r.role.String() + "`."
		}
		out = append(out, r)
	}
	return out
}

func checkRoute(name, folder, about string, schema contract.Schema) route {
	return route{
		method: http.MethodPost, path: base + "/" + folder + "/" + checkWord(name), name: name, role: access.Decide,
		summary: schema.Title, about: schema.Description, serve: (*call).check,
		body: &body{schema: checkSchema(name) + "Input", most: maxOne},
		answers: []answer{{
			status: http.StatusOK, about: about, schema: checkSchema(name) + "Answer", types: []string{typeJSON},
		}},
	}
}

// checkWord returns the name that a tool has in a path, such as tool-loop for check_tool_loop.
func checkWord(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "check_"), "_", "-")
}

// checkSchema returns the name that a tool has in the OpenAPI document, such as ToolLoop for check_tool_loop.
func checkSchema(name string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(checkWord(name), "-") {
		out.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return out.String()
}

// addCheckSchemas adds the inputs and the answers of the detectors and of the safety gate to the schemas of the OpenAPI
// document.
func addCheckSchemas(out object) {
	add := func(name string, schema contract.Schema) {
		addSchema(out, checkSchema(name)+"Input", schema.Properties.Input)
		addSchema(out, checkSchema(name)+"Answer", schema.Properties.Output)
	}
	for _, name := range contract.Names() {
		add(name, contract.SchemaOf(name))
	}
	for _, name := range tools.Checks() {
		add(name, screening.SchemaOf(name))
	}
}

func addSchema(out object, name string, text json.RawMessage) {
	var value map[string]any
	if err := json.Unmarshal(text, &value); err != nil {
		panic(err) // as in Document, only an invalid schema can cause this
	}
	out[name] = value
}

// check() answers a call of a detector.
func (c *call) check() error {
	text, err := c.read()
	if err != nil {
		return err
	}
	return c.answerCheck(text)
}

// screen() answers a call of the safety gate.
func (c *call) screen() error {
	text, err := c.read()
	if err != nil {
		return err
	}
	if err := c.admitCheck(text); err != nil {
		return err
	}
	if !c.caller.May(c.route.role) {
		c.r = c.r.WithContext(service.WithoutCooldowns(c.r.Context()))
	}
	return c.answerCheck(text)
}

func (c *call) answerCheck(text []byte) error {
	answer, err := tools.Call(c.r.Context(), c.h.o.Service, c.route.name, text)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, answer)
}

// admitCheck returns an error if the caller may not make a call of the safety gate, or has made too many calls. Callers
// that may only read can make a dry run if this dry run cannot ask a model.
func (c *call) admitCheck(text []byte) error {
	if !tools.Costs(c.r.Context(), c.h.o.Service, c.route.name, text) {
		return nil
	}
	if !c.caller.May(c.route.role) {
		return c.needs(c.route.role)
	}
	return c.pace(1)
}

// pace() returns an error if the n changes of the request would exceed the caller's limit.
func (c *call) pace(n int) error {
	if c.h.o.Pace == nil {
		return nil
	}
	wait, err := c.h.o.Pace(c.r.Context(), n)
	if err == nil {
		return nil
	}
	if wait == 0 {
		return newProblem(http.StatusRequestEntityTooLarge, codeTooLarge, err.Error())
	}
	p := newProblem(http.StatusTooManyRequests, codeTooMany, err.Error())
	p.wait = wait
	return p
}
