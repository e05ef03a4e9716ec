package rest

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"guardrails/server/access"
	"guardrails/server/rest/query"
)

// The type "route" is one operation of the API.
type route struct {
	method, path string
	// idAbout describes the id in the path if it is not the id of a guideline.
	idAbout string
	// The field "counted" is the path under which metrics count requests. If it is empty, metrics use the field "path".
	counted string
	// The field "name" is the operation's id in the OpenAPI document. Generated clients use it as the name of a method.
	name string
	// The field "summary" describes the operation in one sentence. The field "about" has more details.
	summary, about string
	role           access.Role
	// hasDryRun is set if the body can ask for a dry run. In this case, a caller with the role access.Read can use the
	// route, and serve() checks whether the body asks for a dry run. The field dryRunNeeds says in which cases the role
	// access.Read is not enough.
	hasDryRun   bool
	dryRunNeeds string
	parameters  []query.Parameter
	headers     []header
	body        *body
	answers     []answer
	// The field "limit" is how long a request may take. Zero means the usual limit.
	limit time.Duration
	serve func(*call) error
}

// least() returns the role that every caller of the route must have.
func (r *route) least() access.Role {
	if r.hasDryRun {
		return access.Read
	}
	return r.role
}

// The type "body" describes the body of a request. It is JSON.
type body struct {
	schema string
	// The field "yaml" is set if the body may also be YAML.
	yaml bool
	// The field "most" is the largest size of the body in bytes.
	most int64
	// The flag "optional" is set if the body may be missing.
	optional bool
}

// The type "answer" describes a successful answer of a route.
type answer struct {
	status int
	about  string
	// The field "schema" describes the body of the answer, or each line of this body. It is empty if the body is not
	// JSON.
	schema  string
	types   []string
	headers []header
}

// The type "header" describes a header of a request or an answer. An empty pattern allows any value.
type header struct{ name, about, pattern string }

const (
	typeJSON    = "application/json"
	typeProblem = "application/problem+json"
	typeLines   = "application/x-ndjson"
	typeCSV     = "text/csv"
	typeYAML    = "application/yaml"
	typeEvents  = "text/event-stream"
)

// usesHeader reports whether the route uses the given request header.
func (r *route) usesHeader(name string) bool {
	return slices.ContainsFunc(r.headers, func(h header) bool { return h.name == name })
}

const (
	idSegment       = "{id}"
	deliverySegment = "{delivery}"
)

// pathIDs are the ids in a path.
type pathIDs struct{ id, delivery string }

// find() returns the routes of a path, one for each method, and the ids in the path. A fixed word takes precedence over
// an id. An id that is equal to a fixed word must be written with a tilde before it. The tilde is unambiguous, because
// no id begins with a tilde.
func (h *Handler) find(escaped string) (found []*route, ids pathIDs) {
	segments := strings.Split(escaped, "/")
	for i := range h.routes {
		r := &h.routes[i]
		if len(found) > 0 && r.path != found[0].path {
			continue
		}
		if at, ok := matches(r.path, segments); ok {
			found, ids = append(found, r), at
		}
	}
	return found, ids
}

// matches() reports whether a path matches a template. If the path matches, the result "ids" has the ids in the
// path.
func matches(template string, segments []string) (ids pathIDs, ok bool) {
	parts := strings.Split(template, "/")
	if len(parts) != len(segments) {
		return ids, false
	}
	for i, part := range parts {
		plain, err := url.PathUnescape(segments[i])
		switch {
		case err != nil:
			return ids, false
		case part == idSegment && plain != "":
			ids.id = strings.TrimPrefix(plain, "~")
		case part == deliverySegment && plain != "":
			ids.delivery = plain
		case part != plain:
			return ids, false
		}
	}
	return ids, true
}

// changes() reports whether the route changes something in the store. All routes that change something have the header
// Idempotency-Key.
func (r *route) changes() bool { return r != nil && r.usesHeader(headerKey) }

// methods() returns the methods of the routes as one text.
func methods(found []*route) string {
	var out []string
	for _, r := range found {
		out = append(out, r.method)
		if r.method == "GET" {
			out = append(out, "HEAD")
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// words() returns the fixed words, such as "export", that some paths have in the place of an id.
func words(all []route) []string {
	var out []string
	for i := range all {
		rest, below := strings.CutPrefix(all[i].path, base+"/")
		word, _, _ := strings.Cut(rest, "/")
		if below && word != idSegment && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}
