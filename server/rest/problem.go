package rest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"guardrails/detect/advice"
	"guardrails/internal/document"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
)

// The type "problem" describes a failure in the form of RFC 9457, with further fields for programs.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	// Code names the kind of failure, so that programs can recognize it.
	Code string `json:"code"`
	// Errors are all mistakes in the request, each with its place.
	Errors []mistake `json:"errors,omitempty"`
	// CurrentVersion is the current version of the guideline. It is set if the caller saw an older version.
	CurrentVersion int `json:"current_version,omitempty"`
	// The field "Changed" is "no" if a change that failed has certainly not been made, and "unknown" if it may have been
	// made.
	Changed string `json:"changed,omitempty"`
	// Fault names what is wrong with the store, as /readyz does: "older", "lost" or "full".
	Fault string `json:"fault,omitempty"`
	// Items are the results of an import that failed.
	Items []store.ImportItem `json:"items,omitempty"`

	// The field "allow" lists the methods that the path supports. The field "wait" is the number of seconds after
	// which the caller may try again.
	allow string
	wait  int
	// The field "untouched" is set if the request certainly changed nothing.
	untouched bool
	// The field "place" is an error of the store. Its text can contain the location of the store. Detail is made from
	// this error.
	place error
}

type mistake struct {
	// Path is the name of a parameter or header, or the place of a field in the body.
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
	// Code is the kind of a mistake in the input of a detector.
	Code    advice.Code `json:"code,omitempty"`
	Message string      `json:"message"`
	Remedy  string      `json:"remedy,omitempty"`
}

func (p *problem) Error() string { return p.Detail }

func mistakeIn(p document.Problem) mistake {
	return mistake{Path: p.Path, Line: p.Line, Message: p.Message, Remedy: p.Remedy}
}

func (m *mistake) text() string {
	return document.Problem{Path: m.Path, Line: m.Line, Message: m.Message, Remedy: m.Remedy}.Error()
}

// The codes of problems that do not come from the store.
const (
	codeForbidden    = "forbidden"
	codeMethod       = "method_not_allowed"
	codeAcceptable   = "not_acceptable"
	codePrecondition = "precondition_failed"
	codeTooLarge     = "too_large"
	codeMedia        = "unsupported_media_type"
	codeBusy         = "busy"
	codeUnauthorized = "unauthorized"
	codeTooMany      = "too_many_requests"
	codeMisdirected  = "misdirected"
)

// codes() lists the codes of all problems, for the OpenAPI document.
func codes() []string {
	return []string{
		string(store.Invalid), string(store.NotFound), string(store.Conflict), string(store.Unavailable),
		string(store.ReadOnly), string(store.Internal),
		codeForbidden, codeMethod, codeAcceptable, codePrecondition, codeTooLarge, codeMedia, codeBusy, codeUnauthorized,
		codeTooMany, codeMisdirected,
	}
}

func newProblem(status int, code, detail string) *problem {
	return &problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Code: code}
}

// invalid() returns the problem that lists the mistakes in a request.
func invalid(problems document.Problems) *problem {
	p := newProblem(http.StatusBadRequest, string(store.Invalid), "the request has mistakes; see errors")
	for _, one := range problems {
		if one.Line == 1 {
			one.Line = 0 // a line number says nothing about a body with only one line
		}
		p.Errors = append(p.Errors, mistakeIn(one))
	}
	if len(problems) == 1 {
		p.Detail = p.Errors[0].text()
	}
	return p
}

// invalidInput returns the problem that lists the mistakes in the input of a detector.
func invalidInput(problems advice.Problems) *problem {
	p := newProblem(http.StatusBadRequest, string(store.Invalid), "the input has mistakes; see errors")
	for _, one := range problems {
		p.Errors = append(p.Errors, mistake{Path: one.Path, Code: one.Code, Message: one.Message, Remedy: one.Remedy})
	}
	if len(problems) == 1 {
		p.Detail = problems[0].Error()
	}
	return p
}

// bodyProblem returns a problem that concerns the whole body.
func bodyProblem(message, remedy string) *problem {
	return invalid(document.Problems{{Message: message, Remedy: remedy}})
}

func forbidden(detail string) *problem {
	return newProblem(http.StatusForbidden, codeForbidden, detail)
}

func busy(detail string) *problem {
	p := newProblem(http.StatusServiceUnavailable, codeBusy, detail)
	p.wait, p.untouched = 5, true
	return p
}

// unavailable() returns the problem for a store that cannot be used at the moment.
func unavailable(code store.Code, err error) *problem {
	p := newProblem(http.StatusServiceUnavailable, string(code), err.Error())
	p.Fault = storefault.Named(err)
	p.wait, p.untouched, p.place = 2, store.ChangedNothing(err), store.Errorf(code, "%w", err)
	return p
}

// explained() converts an error into a problem that the caller may see.
func (c *call) explained(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if mistakes, ok := errors.AsType[document.Problems](err); ok && len(mistakes) > 0 {
		return invalid(mistakes)
	}
	if mistakes, ok := errors.AsType[advice.Problems](err); ok {
		return invalidInput(mistakes)
	}
	code := store.CodeOf(err)
	switch code {
	case store.Invalid:
		return newProblem(http.StatusBadRequest, string(code), err.Error())
	case store.NotFound:
		detail := err.Error()
		if _, other := errors.AsType[*live.OtherProjectError](err); other {
			detail += "; name the guideline's project in " + projectParameter + ", or leave this parameter out for all projects"
		}
		return newProblem(http.StatusNotFound, string(code), detail)
	case store.Conflict:
		return c.conflict(err)
	case store.Unavailable, store.ReadOnly:
		return unavailable(code, err)
	}
	return c.internal(err)
}

// conflict() returns the problem for a change to a version that is not the current one. The status is 412 if the
// request has an If-Match header, and 409 otherwise.
func (c *call) conflict(err error) *problem {
	p := newProblem(http.StatusConflict, string(store.Conflict), err.Error())
	if c.conditional {
		p = newProblem(http.StatusPreconditionFailed, codePrecondition, err.Error())
	}
	if at, ok := errors.AsType[*store.Error](err); ok {
		p.CurrentVersion = at.Version
	}
	return p
}

// internal() logs an error. The problem that it returns does not show the error to the caller.
func (c *call) internal(err error) *problem {
	if !errors.Is(err, context.Canceled) {
		c.h.o.Log.Error("a request failed", "method", c.r.Method, "path", c.r.URL.Path, "caller", c.caller.Name, "error", err)
	}
	return newProblem(http.StatusInternalServerError, string(store.Internal), "the server failed; its log says why")
}

// fail() answers the request with the problem for an error.
func (c *call) fail(err error) {
	c.w.Header().Del("ETag")
	fault := ""
	if c.caller.Tenant != c.h.o.Tenant {
		c.logPlace(err)
		fault = storefault.Named(err)
		err = withoutPlace(err)
	}
	p := c.explained(err)
	p.Fault = cmp.Or(p.Fault, fault)
	if c.route.changes() && p.Status >= http.StatusInternalServerError {
		c.sayWhetherChanged(p)
	}
	p.write(c.w)
}

// withoutPlace returns an error that does not say where the store is.
func withoutPlace(err error) error {
	if p, ok := errors.AsType[*problem](err); ok {
		if p.place != nil {
			p.Detail = storefault.WithoutPlace(p.place).Error()
		}
		return p
	}
	return storefault.WithoutPlace(err)
}

// logPlace logs an error of the store whose details the caller does not get.
func (c *call) logPlace(err error) {
	if code := store.CodeOf(err); code == store.Unavailable || code == store.ReadOnly {
		c.h.o.Log.Warn("a request failed", "path", c.r.URL.Path, "caller", c.caller.Name, "tenant", c.caller.Tenant,
			"fault", storefault.Of(err), "error", err)
	}
}

// The values of the field Changed.
const (
	changedNo      = "no"
	changedUnknown = "unknown"
)

// sayWhetherChanged completes a problem: it says whether the change may have been made, and what the caller should do.
func (c *call) sayWhetherChanged(p *problem) {
	switch {
	case p.untouched:
		if p.Changed = changedNo; !strings.Contains(p.Detail, store.NothingChanged) {
			p.Detail += "; " + store.NothingChanged
		}
	case c.key != "":
		p.Changed = changedUnknown
		p.Detail += "; the change may have been made, so send the request again with the same " + headerKey
	default:
		p.Changed = changedUnknown
		p.Detail += "; the change may have been made, so read the guideline before you send the request again"
	}
}

// Refuse answers a request before it reaches the API. The answer has the same form as the API's problems.
func Refuse(w http.ResponseWriter, status int, detail string) {
	code := codeForbidden
	switch status {
	case http.StatusUnauthorized:
		code = codeUnauthorized
	case http.StatusTooManyRequests:
		code = codeTooMany
	case http.StatusServiceUnavailable:
		code = codeBusy
	case http.StatusMisdirectedRequest:
		code = codeMisdirected
	case http.StatusNotFound:
		code = string(store.NotFound)
	}
	newProblem(status, code, detail).write(w)
}

func (p *problem) write(w http.ResponseWriter) {
	body, err := json.Marshal(p)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", typeProblem)
	if p.allow != "" {
		header.Set("Allow", p.allow)
	}
	if p.wait > 0 {
		header.Set("Retry-After", strconv.Itoa(p.wait))
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // an error means that the caller has disconnected
}
