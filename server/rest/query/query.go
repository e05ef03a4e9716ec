// Package query reads the parameters in the query of a request, and reports all mistakes in it.
//
// Start with Parse.
package query

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"guardrails/internal/document"
	"guardrails/store"
)

// Parameter is a parameter that a route knows.
type Parameter struct {
	Name, About string
	// The field "Other" is another accepted spelling of the name, or "". The documentation does not show it.
	Other string
	Kind  Kind
	// Choices are the allowed values if Kind is Choice.
	Choices []string
	// Low and High limit the value of a number. For a text, High is the largest length.
	Low, High int
	// Standard is the default value.
	Standard string
}

// Kind is the type of a parameter's values.
type Kind int

// The kinds of parameters.
const (
	Text Kind = iota
	Flag
	Number
	Choice
	// The kind Day is for the beginning of a period: a day without a time means the first moment of the day. The kind
	// LastDay is for the end of a period: a day without a time means the last moment of the day.
	Day
	LastDay
)

// Values maps the names of query parameters to their parsed values.
type Values map[string]any

// Text returns the text of a parameter, or "" if it is not given.
func (v Values) Text(name string) string {
	s, _ := v[name].(string)
	return s
}

// Optional returns the text of a parameter that may be empty. If the parameter is not given, it returns nil.
func (v Values) Optional(name string) *string {
	if s, given := v[name].(string); given {
		return &s
	}
	return nil
}

// Number returns the number of a parameter, or 0 if it is not given.
func (v Values) Number(name string) int {
	n, _ := v[name].(int)
	return n
}

// NumberIf returns the number of a parameter, or nil if it is not given.
func (v Values) NumberIf(name string) *int {
	if n, given := v[name].(int); given {
		return &n
	}
	return nil
}

// Time returns the time of a parameter, or the zero time if it is not given.
func (v Values) Time(name string) time.Time {
	t, _ := v[name].(time.Time)
	return t
}

// Flag returns the flag of a parameter, or nil if it is not given.
func (v Values) Flag(name string) *bool {
	if on, given := v[name].(bool); given {
		return &on
	}
	return nil
}

// Cursor is the name of a parameter that lists have. It says where a page begins, and replaces the page number.
const Cursor = "cursor"

const maxQuery = 8 << 10

// Parse parses a query that may contain the known parameters. It reports all mistakes together.
func Parse(raw string, known []Parameter) (Values, document.Problems) {
	if len(raw) > maxQuery {
		return nil, document.Problems{{
			Message: "the query is longer than " + strconv.Itoa(maxQuery) + " bytes",
			Remedy:  "shorten it",
		}}
	}
	given, err := url.ParseQuery(raw)
	if err != nil {
		return nil, document.Problems{{
			Message: "the query cannot be read: " + err.Error(),
			Remedy:  "in names and values, escape everything but letters and digits as %XX",
		}}
	}
	out, problems := Values{}, document.Problems{}
	for _, name := range slices.Sorted(keys(given)) {
		p := Find(known, name)
		if p == nil {
			problems.Add(document.Problem{Path: shown(name), Message: "unknown parameter", Remedy: remedyFor(name, known)})
			continue
		}
		value, problem := p.Parse(given[name])
		if _, twice := out[p.Name]; twice {
			problem = document.Problem{Message: "is the same as " + p.Other, Remedy: "give one of them"}
		}
		if problem.Message != "" {
			problem.Path = name
			problems.Add(problem)
			continue
		}
		out[p.Name] = value
	}
	out.checkSpan(&problems)
	out.checkPage(&problems)
	out.complete(known)
	return out, problems
}

// checkSpan reports a problem if a period ends before it begins.
func (v Values) checkSpan(problems *document.Problems) {
	from, to := v.Time(store.AuditFrom), v.Time(store.AuditTo)
	if !to.IsZero() && !from.Before(to) {
		problems.Add(document.Problem{
			Path: store.AuditFrom, Message: "is not before date_to",
			Remedy: "swap the two, or change one",
		})
	}
}

// checkPage reports a problem if the query has both a page number and a cursor.
func (v Values) checkPage(problems *document.Problems) {
	if v.Text(Cursor) != "" && v.Number("page") != 0 {
		problems.Add(document.Problem{
			Path: "page", Message: "is given together with a cursor",
			Remedy: "remove one of the two",
		})
	}
}

// complete() sets the default value of each parameter that is not given.
func (v Values) complete(known []Parameter) {
	for i := range known {
		p := &known[i]
		if _, given := v[p.Name]; !given && p.Standard != "" {
			v[p.Name], _ = p.Parse([]string{p.Standard})
		}
	}
}

func keys(given url.Values) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for name := range given {
			if !yield(name) {
				return
			}
		}
	}
}

// Find returns the parameter with the given name, or nil.
func Find(known []Parameter, name string) *Parameter {
	i := slices.IndexFunc(known, func(p Parameter) bool { return p.Name == name || p.Other == name && name != "" })
	if i < 0 {
		return nil
	}
	return &known[i]
}

func remedyFor(name string, known []Parameter) string {
	names := make([]string, len(known))
	for i := range known {
		names[i] = known[i].Name
	}
	if near := document.Nearest(name, names, 2); near != "" {
		return "did you mean " + near + "?"
	}
	return "remove it, or use " + strings.Join(names, ", ")
}

// Parse parses the value of a parameter. It reports a problem if the query contains the parameter more than once.
func (p *Parameter) Parse(given []string) (any, document.Problem) {
	if len(given) > 1 {
		return nil, document.Problem{Message: "is given " + strconv.Itoa(len(given)) + " times", Remedy: "give it once"}
	}
	s := given[0]
	switch p.Kind {
	case Flag:
		return s == "true", unless(s == "true" || s == "false", s, "write true or false")
	case Number:
		n, err := strconv.Atoi(s)
		return n, unless(err == nil && n >= p.Low && n <= p.High &&
			!strings.HasPrefix(s, "+"), s, "write a whole number between "+strconv.Itoa(p.Low)+" and "+strconv.Itoa(p.High))
	case Choice:
		return s, unless(slices.Contains(p.Choices, s), s, "use one of "+strings.Join(p.Choices, ", "))
	case Day, LastDay:
		return p.moment(s)
	}
	return s, p.checkText(s)
}

func (p *Parameter) checkText(s string) document.Problem {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return document.Problem{Message: "has control characters or is not UTF-8", Remedy: "remove them"}
	}
	if size := utf8.RuneCountInString(s); size > p.High {
		return document.Problem{
			Message: "has " + strconv.Itoa(size) + " characters, but the limit is " + strconv.Itoa(p.High),
			Remedy:  "shorten it",
		}
	}
	return document.Problem{}
}

// moment() reads a time or a day. For the kind LastDay, it returns the end of the day.
func (p *Parameter) moment(s string) (any, document.Problem) {
	t, ok := document.ParseMoment(s, p.Kind == LastDay)
	return t, unless(ok, s, "write it as 2026-01-31, or as 2026-01-31T12:00:00Z")
}

func unless(fine bool, value, remedy string) document.Problem {
	if fine {
		return document.Problem{}
	}
	return document.Problem{Message: document.Excerpt(value) + " is not accepted", Remedy: remedy}
}

// shown() shortens and escapes a name from a request, so that a message can contain it.
func shown(name string) string {
	quoted := document.Excerpt(name)
	return quoted[1 : len(quoted)-1]
}
