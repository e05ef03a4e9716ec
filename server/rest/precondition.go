package rest

import (
	"strconv"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/store"
)

// The names of the headers for repeated and conditional requests.
const (
	headerKey   = "Idempotency-Key"
	headerMatch = "If-Match"
	headerNone  = "If-None-Match"
)

// writeID returns the value of the Idempotency-Key header. If a client repeats a change with the same key, the change
// is made only once. The draft standard of this header puts the key in quotation marks, so writeID removes the
// quotation marks.
func (c *call) writeID(problems *document.Problems) string {
	given, sent := c.header(headerKey)
	if !sent || !c.route.usesHeader(headerKey) {
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

func etag(version int) string { return strconv.Quote(strconv.Itoa(version)) }

// seen() returns the version that the caller saw. It takes the version from the If-Match header or, if the header has
// no version, from the body. The parameter "field" is the version from the body, or 0 if the body has none. If the
// result is 0, the caller accepts any version. If the parameter "must" is set, the caller must send a version, or
// the header "If-Match: *". The method reports mistakes to d.
func (c *call) seen(d *document.Decoder, field int, must bool) int {
	match, sent := c.header(headerMatch)
	switch {
	case sent && match != "*":
		return c.matched(d, field, match)
	case !sent && field == 0 && must:
		d.Report(nil, "version", "is missing", "give the version that you saw, here or in "+headerMatch)
	case field == 0 && c.key != "":
		d.Report(nil, "version", "is missing; it is needed with "+headerKey,
			"give the version that you saw, because a repeated request must name the same version")
	}
	return field
}

// header() returns the value of a request header, and whether the header was sent. If the header was sent twice, the
// result contains both values.
func (c *call) header(name string) (value string, sent bool) {
	values := c.r.Header.Values(name)
	return strings.Join(values, ", "), len(values) > 0
}

// noVersion is a version number that no guideline and no webhook ever has.
const noVersion = maxVersion

// matched() returns the version in the If-Match header. For an ETag that belongs to no version, it returns noVersion,
// so that the change is refused. Mistakes in the body are reported first.
func (c *call) matched(d *document.Decoder, field int, match string) int {
	c.conditional = true
	if !isTag(match) {
		d.Report(nil, headerMatch, "is not one ETag", "give the ETag of the version that you saw, such as \"3\", or *")
		return 0
	}
	version, err := strconv.Atoi(strings.Trim(match, `"`))
	if err != nil || version < 1 || version >= noVersion || match != etag(version) {
		return noVersion
	}
	if field != 0 && field != version {
		d.Report(nil, "version", "is "+strconv.Itoa(field)+", and "+headerMatch+" is "+strconv.Itoa(version),
			"give one of them")
	}
	return version
}

// isTag reports whether s is exactly one ETag. It accepts the same texts as the regular expression in tagPattern.
func isTag(s string) bool {
	s = strings.TrimPrefix(s, "W/")
	return len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' &&
		!strings.ContainsFunc(s[1:len(s)-1], func(r rune) bool { return r <= ' ' || r == '"' || r > '~' })
}

const tagPattern = `(W/)?"[!#-~]*"`

// The constant "attempts" limits how often the server tries a change without a version. The server has to try again
// if another caller changes the guideline at the same time.
const attempts = 5

// changeVersion makes a change to the version that the caller saw. If the parameter "version" is 0, changeVersion
// changes the current version. In this case, changeVersion tries again if another caller changed the guideline at the
// same time.
func changeVersion(version int, attempt func() (guideline.Guideline, error)) (g guideline.Guideline, err error) {
	for range attempts {
		if g, err = attempt(); version != 0 || store.CodeOf(err) != store.Conflict {
			break
		}
	}
	return g, err
}

// unchanged() reports whether the caller already has the given version.
func (c *call) unchanged(version int) bool {
	for item := range strings.SplitSeq(c.r.Header.Get(headerNone), ",") {
		if item = strings.TrimSpace(item); item == "*" || strings.TrimPrefix(item, "W/") == etag(version) {
			return true
		}
	}
	return false
}
