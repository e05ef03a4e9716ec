package rest

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

type parameter struct {
	name, about string
	// other is another accepted spelling of the name, or "". The documentation does not show it.
	other string
	kind  kind
	// choices are the allowed values if kind is choice.
	choices []string
	// low and high limit the value of a number. For a text, high is the largest length.
	low, high int
	// standard is the default value.
	standard string
}

// kind is the type of a parameter's values.
type kind int

const (
	text kind = iota
	flag
	number
	choice
	// The kind day is for the beginning of a time span: a day without a time means its first moment. The kind
	// lastDay is for the end of a time span: a day without a time means its last moment.
	day
	lastDay
)

// values maps the names of query parameters to their parsed values.
type values map[string]any

func (v values) text(name string) string {
	s, _ := v[name].(string)
	return s
}

// optional returns the text of a parameter that may be empty. If the parameter is not given, it returns nil.
func (v values) optional(name string) *string {
	if s, given := v[name].(string); given {
		return &s
	}
	return nil
}

func (v values) number(name string) int {
	n, _ := v[name].(int)
	return n
}

// numberIf returns nil if the query does not have the number.
func (v values) numberIf(name string) *int {
	if n, given := v[name].(int); given {
		return &n
	}
	return nil
}

func (v values) time(name string) time.Time {
	t, _ := v[name].(time.Time)
	return t
}

func (v values) flag(name string) *bool {
	if on, given := v[name].(bool); given {
		return &on
	}
	return nil
}

const maxQuery = 8 << 10

// parseQuery parses a query that may contain the known parameters. It reports all mistakes together.
func parseQuery(raw string, known []parameter) (values, document.Problems) {
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
	out, problems := values{}, document.Problems{}
	for _, name := range slices.Sorted(keys(given)) {
		p := named(known, name)
		if p == nil {
			problems.Add(document.Problem{Path: shown(name), Message: "unknown parameter", Remedy: remedyFor(name, known)})
			continue
		}
		value, problem := p.parse(given[name])
		if _, twice := out[p.name]; twice {
			problem = document.Problem{Message: "is the same as " + p.other, Remedy: "give one of them"}
		}
		if problem.Message != "" {
			problem.Path = name
			problems.Add(problem)
			continue
		}
		out[p.name] = value
	}
	out.checkSpan(&problems)
	out.checkPage(&problems)
	out.complete(known)
	return out, problems
}

// checkSpan reports a problem if a time span ends before it begins.
func (v values) checkSpan(problems *document.Problems) {
	from, to := v.time(store.AuditFrom), v.time(store.AuditTo)
	if !to.IsZero() && !from.Before(to) {
		problems.Add(document.Problem{
			Path: store.AuditFrom, Message: "is not before date_to",
			Remedy: "swap the two, or change one",
		})
	}
}

// checkPage reports a problem if the query has a page number and a cursor.
func (v values) checkPage(problems *document.Problems) {
	if v.text(cursorParameter) != "" && v.number("page") != 0 {
		problems.Add(document.Problem{
			Path: "page", Message: "is given together with a cursor",
			Remedy: "remove one of the two",
		})
	}
}

// complete sets the default value of each parameter that is not given.
func (v values) complete(known []parameter) {
	for i := range known {
		p := &known[i]
		if _, given := v[p.name]; !given && p.standard != "" {
			v[p.name], _ = p.parse([]string{p.standard})
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

func named(known []parameter, name string) *parameter {
	i := slices.IndexFunc(known, func(p parameter) bool { return p.name == name || p.other == name && name != "" })
	if i < 0 {
		return nil
	}
	return &known[i]
}

func remedyFor(name string, known []parameter) string {
	names := make([]string, len(known))
	for i := range known {
		names[i] = known[i].name
	}
	if near := document.Nearest(name, names, 2); near != "" {
		return "did you mean " + near + "?"
	}
	return "remove it, or use " + strings.Join(names, ", ")
}

// parse parses the value of a parameter. It reports a problem if the query contains the parameter more than once.
func (p *parameter) parse(given []string) (any, document.Problem) {
	if len(given) > 1 {
		return nil, document.Problem{Message: "is given " + strconv.Itoa(len(given)) + " times", Remedy: "give it once"}
	}
	s := given[0]
	switch p.kind {
	case flag:
		return s == "true", unless(s == "true" || s == "false", s, "write true or false")
	case number:
		n, err := strconv.Atoi(s)
		return n, unless(err == nil && n >= p.low && n <= p.high &&
			!strings.HasPrefix(s, "+"), s, "write a whole number between "+strconv.Itoa(p.low)+" and "+strconv.Itoa(p.high))
	case choice:
		return s, unless(slices.Contains(p.choices, s), s, "use one of "+strings.Join(p.choices, ", "))
	case day, lastDay:
		return p.moment(s)
	}
	return s, p.checkText(s)
}

func (p *parameter) checkText(s string) document.Problem {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return document.Problem{Message: "has control characters or is not UTF-8", Remedy: "remove them"}
	}
	if size := utf8.RuneCountInString(s); size > p.high {
		return document.Problem{
			Message: "has " + strconv.Itoa(size) + " characters, but the limit is " + strconv.Itoa(p.high),
			Remedy:  "shorten it",
		}
	}
	return document.Problem{}
}

// moment reads a time or a day. For the kind lastDay, it returns the end of the day.
func (p *parameter) moment(s string) (any, document.Problem) {
	t, ok := document.ParseMoment(s, p.kind == lastDay)
	return t, unless(ok, s, "write it as 2026-01-31, or as 2026-01-31T12:00:00Z")
}

func unless(fine bool, value, remedy string) document.Problem {
	if fine {
		return document.Problem{}
	}
	return document.Problem{Message: document.Excerpt(value) + " is not accepted", Remedy: remedy}
}

// shown shortens and escapes a name from a request, so that a message can contain it.
func shown(name string) string {
	quoted := document.Excerpt(name)
	return quoted[1 : len(quoted)-1]
}
