package rest

import (
	"net/url"
	"slices"
	"strings"

	"guardrails/server/access"
)

// route is one operation of the API: what it is called, who may use it, what it takes and what it answers.
type route struct {
	method, path string
	// name is the operation's own, by which generated clients call it.
	name string
	// summary is a sentence, about says more.
	summary, about string
	role           access.Role
	parameters     []parameter
	headers        []header
	body           *body
	answers        []answer
	serve          func(*call) error
}

// body is what a request carries. It is JSON always.
type body struct {
	schema string
	// most is how many bytes are read.
	most int64
	// optional is set where a request may come without.
	optional bool
}

// answer is one way in which a route answers when all is well.
type answer struct {
	status int
	about  string
	// schema describes JSON and lines of JSON; other types have none.
	schema  string
	types   []string
	headers []header
}

// header is one that a request may have or that an answer has. The pattern is of what it can be; empty is anything.
type header struct{ name, about, pattern string }

// The types of contents.
const (
	typeJSON    = "application/json"
	typeProblem = "application/problem+json"
	typeLines   = "application/x-ndjson"
	typeCSV     = "text/csv"
	typeYAML    = "application/yaml"
	typeEvents  = "text/event-stream"
)

// has reports whether a header of requests means something to the route.
func (r *route) has(name string) bool {
	return slices.ContainsFunc(r.headers, func(h header) bool { return h.name == name })
}

const idSegment = "{id}"

// find gives the routes of a path, which differ in method. Paths that are words go before those that are ids. An id that is
// such a word is written with a tilde before it, which no id begins with.
func (h *Handler) find(escaped string) (found []*route, id string) {
	segments := strings.Split(escaped, "/")
	for i := range h.routes {
		r := &h.routes[i]
		if len(found) > 0 && r.path != found[0].path {
			continue
		}
		if at, ok := matches(r.path, segments); ok {
			found, id = append(found, r), at
		}
	}
	return found, id
}

// matches compares a path with a template, and gives the id that stands in it.
func matches(template string, segments []string) (id string, ok bool) {
	parts := strings.Split(template, "/")
	if len(parts) != len(segments) {
		return "", false
	}
	for i, part := range parts {
		plain, err := url.PathUnescape(segments[i])
		switch {
		case err != nil:
			return "", false
		case part == idSegment && plain != "":
			id = strings.TrimPrefix(plain, "~")
		case part != plain:
			return "", false
		}
	}
	return id, true
}

// methods are those that some routes of one path answer to.
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

// words are the segments that stand where an id could, in the paths of routes.
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
