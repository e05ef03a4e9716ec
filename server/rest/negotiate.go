package rest

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"guardrails/internal/document"
)

// negotiate() checks the content type of the request, and whether the caller accepts the content type of the answer.
func (c *call) negotiate() error {
	if b := c.route.body; b != nil && (c.r.ContentLength != 0 || !b.optional) && !slices.ContainsFunc(b.types(), c.sends) {
		return newProblem(http.StatusUnsupportedMediaType, codeMedia,
			"the body must be "+b.format()+"; send it as Content-Type: "+strings.Join(b.types(), " or "))
	}
	if encoding := c.r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return newProblem(http.StatusUnsupportedMediaType, codeMedia,
			"the body is encoded as "+document.Excerpt(encoding)+"; send it without Content-Encoding")
	}
	return c.checkAccepted(c.route.types()...)
}

// checkAccepted returns an error if the caller accepts none of the content types.
func (c *call) checkAccepted(types ...string) error {
	if accept := c.r.Header.Values("Accept"); len(types) > 0 && !slices.ContainsFunc(types,
		func(t string) bool { return isAccepted(accept, t) }) {
		return newProblem(http.StatusNotAcceptable, codeAcceptable,
			"the answer is "+strings.Join(types, " or ")+"; name one of these types in the header Accept")
	}
	return nil
}

// format() returns the allowed formats of a body, in words for people.
func (b *body) format() string {
	if b.yaml {
		return "JSON or YAML"
	}
	return "JSON"
}

func (b *body) types() []string {
	if b.yaml {
		return []string{typeJSON, typeYAML}
	}
	return []string{typeJSON}
}

// sends() reports whether the body of the request has the given content type.
func (c *call) sends(contentType string) bool {
	name, parameters, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	charset, given := parameters["charset"]
	return err == nil && name == contentType && (!given || strings.EqualFold(charset, "utf-8"))
}

// types() returns the content types that successful answers of a route can have.
func (r *route) types() []string {
	var out []string
	for i := range r.answers {
		out = append(out, r.answers[i].types...)
	}
	return out
}

// isAccepted reports whether an Accept header allows a content type. It ignores invalid parts of the header.
func isAccepted(accept []string, contentType string) bool {
	if len(accept) == 0 {
		return true
	}
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		wanted, parameters, err := mime.ParseMediaType(item)
		if err != nil || isZeroWeight(parameters["q"]) {
			continue
		}
		family, all := strings.CutSuffix(wanted, "/*")
		if wanted == "*/*" || wanted == contentType || all && strings.HasPrefix(contentType, family+"/") {
			return true
		}
	}
	return false
}

// isZeroWeight reports whether the weight of a content type is zero, which means that the caller does not
// accept it.
func isZeroWeight(q string) bool { return q != "" && strings.Trim(q, "0.") == "" }

// read() reads the body. The body may be empty.
func (c *call) read() ([]byte, error) {
	text, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, c.route.body.most))
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, newProblem(http.StatusRequestEntityTooLarge, codeTooLarge,
			"the body is larger than "+decimal(int(tooLarge.Limit>>10))+" KiB"+"; send less")
	}
	if err != nil {
		return nil, bodyProblem("the body did not arrive completely", "send it again")
	}
	return text, nil
}

// tree() parses the body. It returns the body, and a decoder for it. For a missing optional body, it returns an empty
// object.
func (c *call) tree() (*document.Node, *document.Decoder, error) {
	text, err := c.read()
	if err != nil {
		return nil, nil, err
	}
	if len(text) == 0 && c.route.body.optional {
		return &document.Node{Kind: document.Object}, &document.Decoder{}, nil
	}
	n, problems := document.ParseJSON("", text)
	if n == nil {
		return nil, nil, invalid(problems)
	}
	return n, &document.Decoder{Problems: problems}, nil
}

// object() parses the body, which must be a JSON object. It returns the body, and a decoder for it.
func (c *call) object() (*document.Node, *document.Decoder, error) {
	n, d, err := c.tree()
	if err == nil && n.Kind != document.Object {
		err = bodyProblem("the body is "+n.Kind.String()+" where an object is expected", "write an object")
	}
	return n, d, err
}
