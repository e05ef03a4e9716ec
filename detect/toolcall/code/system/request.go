package system

// request.go judges the requests that code sends to an API, as in requests.post(url, json={…}).

import (
	"strings"

	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/words"
)

// NoteRequest judges a request by its method, its address and its body.
func (s *System) NoteRequest(method string, url, args value.Value) {
	if s.NoWeb {
		return
	}
	r := network.Request{Method: method, URL: url.ToTrace().Text}
	for _, options := range args.OptionSets() {
		if body, ok := options.Entry("json data body"); ok && r.Body == "" && s.Trace.Spend(64) {
			r.Body = string(appendJSON(nil, body, 0))
		}
		_, login := options.Entry("auth")
		headers, _ := options.Entry("headers")
		for _, p := range headers.Pairs {
			login = login || network.IsLoginHeader(strings.ToLower(p.Key))
		}
		r.SignedIn = r.SignedIn || login
	}
	if len(args.Items) > 1 && r.Body == "" {
		r.Body = string(appendJSON(nil, args.Items[1], 0)) // as in axios.post(url, {…})
	}
	r.Mark(s.Trace, s.Command)
}

// methodOf returns the HTTP method that the arguments of a call name, or "".
func methodOf(args value.Value) string {
	first := value.Argument(args, 0).Text
	if method, _, _ := strings.Cut(first, " "); words.OneOf(strings.ToUpper(method), "POST PUT PATCH DELETE") {
		return method // as in request("DELETE", url)
	}
	for _, options := range args.OptionSets() {
		if method, ok := options.Entry("method"); ok {
			return method.Text
		}
	}
	return ""
}

// The constant maxBody is the number of bytes of a body that the analysis writes as JSON.
const maxBody = 8 << 10

// appendJSON adds a value to a text in the form of JSON. A part that is unknown becomes null.
func appendJSON(out []byte, v value.Value, depth int) []byte {
	switch {
	case v == nil || depth > 4 || len(out) > maxBody:
		return append(out, "null"...)
	case len(v.Pairs) > 0:
		for i, p := range v.Pairs {
			out = append(append(append(out, "{,"[min(i, 1)], '"'), p.Key...), '"', ':')
			out = appendJSON(out, p.Value, depth+1)
		}
		return append(out, '}')
	case v.List:
		out = append(out, '[')
		for _, item := range v.Items {
			out = append(appendJSON(out, item, depth+1), ',')
		}
		return append(out, ']')
	case v.Number:
		return append(out, v.Text...)
	case v.Known && depth == 0:
		return append(out, v.Text...) // the text is the whole body
	case v.Known:
		return append(append(append(out, '"'), v.Text...), '"')
	case words.OneOf(v.Name, "True true False false"):
		return append(out, strings.ToLower(v.Name)...)
	}
	return append(out, "null"...)
}
