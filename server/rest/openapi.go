package rest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"guardrails/server/access"
	"guardrails/server/rest/query"
	"guardrails/server/rest/schema"
)

// The type "object" is a JSON object in the OpenAPI document.
type object map[string]any

// Document returns the OpenAPI 3.1 document of the API. It is generated from the table of routes.
func Document() []byte {
	all := routes()
	text, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info":    object{"title": "guardrails", "version": apiVersion, "description": introduction},
		"servers": []object{{"url": "/"}},
		"security": []object{
			{"bearer": []string{}},
			{"key": []string{}},
			{"session": []string{}},
		},
		"paths": paths(all),
		"components": object{
			"schemas":   schemas(),
			"responses": refusals(),
			"securitySchemes": object{
				"bearer": object{
					"type": "http", "scheme": "bearer",
					"description": "A token that `guardrails token create` made, or the server's own token.",
				},
				"key": object{
					"type": "apiKey", "in": "header", "name": "X-API-Key",
					"description": "The same token, for clients that cannot send the header `Authorization`.",
				},
				"session": object{
					"type": "apiKey", "in": "cookie", "name": cookiePrefix + "7117",
					"description": "The cookie of a browser's session. Its name ends with the port of the server, and begins with " + securePrefix +
						" over TLS. Changes also need the header " + HeaderPage + ".",
				},
			},
		},
	}, "", "  ")
	if err != nil {
		// Only an invalid schema can cause this error. All tests of the OpenAPI document would then fail.
		panic(err)
	}
	return append(text, '\n')
}

// apiVersion is the version of the API. Every change that can break a client increases it.
const apiVersion = "1.0.0"

const introduction = "Guidelines for coding agents, their versions, and the audit of all changes and decisions. A " +
	"token gives access to one tenant. Bodies and answers are JSON. Unknown parameters or fields and invalid values are " +
	"errors; the answer lists every error and says where it is. Problems have the form of RFC 9457, with a `code` for " +
	"programs. A request from a web page of another origin gets 403. A request to a host name that does not belong to " +
	"the server gets 421."

func (c *call) describe() error { return c.write(http.StatusOK, typeJSON, c.h.document) }

func paths(all []route) object {
	out := object{}
	for i := range all {
		r := &all[i]
		path, _ := out[r.path].(object)
		if path == nil {
			path = object{}
			out[r.path] = path
		}
		path[strings.ToLower(r.method)] = r.operation(words(all))
	}
	return out
}

// operation() describes a route in the OpenAPI document. The parameter "words" lists the fixed words, such as
// "export", that some paths have in the place of an id.
func (r *route) operation(words []string) object {
	out := object{
		"operationId": r.name, "summary": r.summary,
		"description": strings.TrimSpace(r.about + " " + r.needs()),
		"parameters":  r.described(words), "responses": r.responses(),
	}
	if r.role == access.Nobody {
		out["security"] = []object{}
	}
	if r.body != nil {
		content := object{typeJSON: object{"schema": ref(r.body.schema)}}
		if r.body.yaml {
			content[typeYAML] = object{"schema": object{"description": "A guideline file, as in .claude/guardrails."}}
		}
		out["requestBody"] = object{"required": !r.body.optional, "content": content}
	}
	return out
}

func (r *route) needs() string {
	switch {
	case r.role == access.Nobody:
		return "Needs no token."
	case r.hasDryRun:
		return "Needs the role `" + r.role.String() + "`. For a dry run, `" + r.least().String() + "` is enough." + r.dryRunNeeds
	}
	return "Needs the role `" + r.role.String() + "`."
}

// described() returns the OpenAPI description of all parameters of a route, in the path, in the query and in the
// headers.
func (r *route) described(words []string) []object {
	out := []object{}
	switch {
	case r.idAbout != "":
		out = append(out, object{
			"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}, "description": r.idAbout,
		})
	case strings.Contains(r.path, idSegment):
		out = append(out, object{
			"name": "id", "in": "path", "required": true,
			"schema": object{"type": "string", "pattern": idPattern, "not": object{"enum": words}},
			"description": "The guideline's id, or an alias. Write a tilde before an id that is also a fixed word in the API's paths (" +
				strings.Join(words, ", ") + ").",
		})
	}
	if strings.Contains(r.path, deliverySegment) {
		out = append(out, object{
			"name": "delivery", "in": "path", "required": true,
			"schema": object{"type": "string"}, "description": "The id of a delivery.",
		})
	}
	known := r.known()
	for i := range known {
		p := &known[i]
		out = append(out, object{"name": p.Name, "in": "query", "description": p.About + ".", "schema": schemaOf(p)})
	}
	for _, h := range r.headers {
		out = append(out, object{"name": h.name, "in": "header", "description": h.about + ".", "schema": h.schema()})
	}
	return out
}

const idPattern = "^~?[a-z0-9][a-z0-9._-]{0,127}$"

func schemaOf(p *query.Parameter) object {
	out := object{"type": "string"}
	switch p.Kind {
	case query.Flag:
		out["type"] = "boolean"
	case query.Number:
		out["type"], out["minimum"], out["maximum"] = "integer", p.Low, p.High
	case query.Choice:
		out["enum"] = p.Choices
	case query.Day, query.LastDay:
		out["anyOf"] = []object{{"format": "date"}, {"format": "date-time"}}
	case query.Text:
		out["maxLength"], out["pattern"] = p.High, schema.OneLine
	}
	if p.Standard != "" {
		out["default"] = defaultValue(p)
	}
	return out
}

func defaultValue(p *query.Parameter) any {
	value, _ := p.Parse([]string{p.Standard})
	return value
}

// responses() describes all answers of a route in the OpenAPI document.
func (r *route) responses() object {
	out := object{}
	for i := range r.answers {
		a := &r.answers[i]
		described := object{"description": a.about + ".", "headers": describedHeaders(a.headers)}
		content := object{}
		for _, t := range a.types {
			content[t] = a.content(t)
		}
		if len(content) > 0 {
			described["content"] = content
		}
		out[strconv.Itoa(a.status)] = described
	}
	for _, status := range r.refusals() {
		out[strconv.Itoa(status)] = object{"$ref": "#/components/responses/" + refusalName(status)}
	}
	return out
}

func (a *answer) content(contentType string) object {
	switch contentType {
	case typeJSON:
		return object{"schema": ref(a.schema)}
	case typeLines:
		return object{"schema": object{"type": "string", "description": "Each line is one " + a.schema}}
	case typeYAML:
		return object{"schema": object{"type": "object"}}
	}
	return object{"schema": object{"type": "string"}}
}

func describedHeaders(headers []header) object {
	out := object{}
	for _, h := range headers {
		out[h.name] = object{"description": h.about + ".", "required": true, "schema": h.schema()}
	}
	return out
}

func (h *header) schema() object {
	out := object{"type": "string"}
	if h.pattern != "" {
		out["pattern"] = h.pattern
	}
	return out
}

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

func schemas() object {
	out := object(schema.All())
	addCheckSchemas(out)
	problem, _ := out["Problem"].(map[string]any)
	properties, _ := problem["properties"].(map[string]any)
	properties["code"] = object{"type": "string", "enum": codes(), "description": "The kind of failure."}
	return out
}
