package rest

import (
	"net/http"
	"strconv"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store"
)

// The headers that change what is asked.
const (
	headerKey   = "Idempotency-Key"
	headerMatch = "If-Match"
	headerNone  = "If-None-Match"
)

// writeID is what a caller calls a change, so that it happens once however often it is asked for. The header's draft has
// it in quotation marks.
func (c *call) writeID(problems *document.Problems) string {
	given, sent := c.header(headerKey)
	if !sent || !c.route.has(headerKey) {
		return ""
	}
	key := given
	if len(given) > 2 && given[0] == '"' && given[len(given)-1] == '"' {
		key = given[1 : len(given)-1]
	}
	if err := store.CheckWriteID(key); err != nil {
		problems.Add(document.Problem{Path: headerKey, Message: err.Error()})
	}
	return key
}

// etag names a version of a guideline.
func etag(version int) string { return strconv.Quote(strconv.Itoa(version)) }

// seen is the version that the caller saw: as the request's field has it, which is 0 when it is not given, or as If-Match
// has it. 0 means that any version will do; where that has to be said, it is by If-Match: *. Mistakes go to d.
func (c *call) seen(d *document.Decoder, field int, must bool) (int, error) {
	match, sent := c.header(headerMatch)
	switch {
	case sent && match != "*":
		return c.matched(d, field, match)
	case !sent && field == 0 && must:
		d.Report(nil, "version", "is missing", "give the version that you saw, here or in "+headerMatch)
	case field == 0 && c.key != "":
		d.Report(nil, "version", "is missing beside "+headerKey, "give the version that you saw, so that a repeated request is the same one")
	}
	return field, nil
}

// header is one of the request's, and whether it was sent. One that was sent twice has both values.
func (c *call) header(name string) (value string, sent bool) {
	values := c.r.Header.Values(name)
	return strings.Join(values, ", "), len(values) > 0
}

// matched is the version that If-Match names.
func (c *call) matched(d *document.Decoder, field int, match string) (int, error) {
	c.conditional = true
	if !isTag(match) {
		d.Report(nil, headerMatch, "is not one ETag", "give that of the version that you saw, such as \"3\", or *")
		return 0, nil
	}
	version, err := strconv.Atoi(strings.Trim(match, `"`))
	if err != nil || version < 1 || match != etag(version) {
		// Whatever it names, it is no version that this guideline has.
		return 0, newProblem(http.StatusPreconditionFailed, codePrecondition, headerMatch+" is not the ETag of a guideline, such as \"3\"; read the guideline again")
	}
	if field != 0 && field != version {
		d.Report(nil, "version", "is "+strconv.Itoa(field)+", and "+headerMatch+" is "+strconv.Itoa(version), "give one of them")
	}
	return version, nil
}

// isTag reports whether a text has the form of one ETag, which tagPattern is.
func isTag(s string) bool {
	s = strings.TrimPrefix(s, "W/")
	return len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' && !strings.ContainsFunc(s[1:len(s)-1], func(r rune) bool { return r <= ' ' || r == '"' || r > '~' })
}

const tagPattern = `(W/)?"[!#-~]*"`

// attempts is how often a change of whatever version is tried when others change the guideline too.
const attempts = 5

// onto makes a change onto the version that the caller saw, else onto whichever there is at an attempt.
func onto(version int, attempt func() (guideline.Guideline, error)) (g guideline.Guideline, err error) {
	for range attempts {
		if g, err = attempt(); version != 0 || store.CodeOf(err) != store.Conflict {
			break
		}
	}
	return g, err
}

// unchanged reports whether the caller has the guideline as it is.
func (c *call) unchanged(version int) bool {
	for item := range strings.SplitSeq(c.r.Header.Get(headerNone), ",") {
		if item = strings.TrimSpace(item); item == "*" || strings.TrimPrefix(item, "W/") == etag(version) {
			return true
		}
	}
	return false
}
