//go:build linux || darwin

package reach_test

import (
	"strconv"
	"strings"
	"testing"

	"guardrails/hooks/reach"
)

func chunked(body string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + body
}

func head(lines ...string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\n"
}

func TestPostReadsEveryStandardForm(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"length":              jsonAnswer(`{"a":1}`),
		"no reason":           strings.Replace(jsonAnswer(`{"a":1}`), "200 OK", "200", 1),
		"other letter case":   "HTTP/1.1 200 fine\r\nCONTENT-type:Application/JSON ;charset=utf-8\r\ncontent-LENGTH:\t7 \r\nX-Other: \"\xe4\"\r\n\r\n{\"a\":1}",
		"one chunk":           chunked("7\r\n{\"a\":1}\r\n0\r\n\r\n"),
		"several chunks":      chunked("1\r\n{\r\n05\r\n\"a\":1\r\n1\r\n}\r\n000\r\n\r\n"),
		"extension":           chunked("7 ;name=\"value\"\r\n{\"a\":1}\r\n0;last\r\n\r\n"),
		"trailers":            chunked("7\r\n{\"a\":1}\r\n0\r\nContent-Length: 3\r\nX-Sum: 1\r\n\r\n"),
		"header of 8 KiB":     head("X-Long: "+strings.Repeat("x", 8<<10-100), "Content-Length: 7") + `{"a":1}`,
		"small headers, many": head(strings.Repeat("X: y\r\n", 1300)+"Content-Length: 7") + `{"a":1}`,
	} {
		got, err := post(say(t, answer))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wantJSON(t, got, `{"a":1}`)
	}
}

// wrongAnswer is the text that a server sends, and the failure that the client must report.
type wrongAnswer struct{ answer, stage, why string }

func refuses(t *testing.T, answers map[string]wrongAnswer) {
	for name, c := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := post(say(t, c.answer))
			wantFailure(t, err, c.stage, c.why)
		})
	}
}

func TestPostRefusesBrokenHeads(t *testing.T) {
	t.Parallel()
	refuses(t, map[string]wrongAnswer{
		"no bytes":              {"", reach.StageReceive, "closed the connection without an answer"},
		"half a status":         {"HTTP/1.1 20", reach.StageReceive, "in the middle of the answer's header lines"},
		"garbage":               {"\x00\x01\x02\r\n", reach.StageHTTP, "not an HTTP/1.1 answer"},
		"another protocol":      {"SSH-2.0-OpenSSH_9\r\n", reach.StageHTTP, `not an HTTP/1.1 answer: "SSH-2.0-OpenSSH_9"`},
		"HTTP/1.0":              {strings.Replace(jsonAnswer(`{}`), "1.1", "1.0", 1), reach.StageHTTP, "not an HTTP/1.1 answer"},
		"status of two digits":  {strings.Replace(jsonAnswer(`{}`), "200 ", "20 ", 1), reach.StageHTTP, "not an HTTP/1.1 answer"},
		"status of four digits": {strings.Replace(jsonAnswer(`{}`), "200 ", "2000 ", 1), reach.StageHTTP, "not an HTTP/1.1 answer"},
		"interim answer":        {"HTTP/1.1 100 Continue\r\n\r\n" + jsonAnswer(`{}`), reach.StageAnswer, "answered 100 Continue"},
		"half a header":         {"HTTP/1.1 200 OK\r\nContent-Le", reach.StageReceive, "in the middle of the answer's header lines"},
		"header without end":    {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", reach.StageReceive, "in the middle of the answer's header lines"},
		"1 MiB header":          {head("X: " + strings.Repeat("x", 1<<20)), reach.StageHTTP, "header lines are too long"},
		"1 MiB of headers":      {head(strings.Repeat("X: y\r\n", 1<<18)), reach.StageHTTP, "header lines are too long"},
		"line feed alone":       {"HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\n{}", reach.StageHTTP, "does not end in CR LF"},
		"folded header":         {head("X: a\r\n b", "Content-Length: 2") + "{}", reach.StageHTTP, "not a header line"},
		"space before colon":    {head("Content-Length : 2") + "{}", reach.StageHTTP, "not a header line"},
		"no colon":              {head("Content-Length 2") + "{}", reach.StageHTTP, "not a header line"},
		"no name":               {head(": 2") + "{}", reach.StageHTTP, "not a header line"},
		"control character":     {head("X: a\x00b", "Content-Length: 2") + "{}", reach.StageHTTP, "control character"},
		"carriage return":       {head("X: a\rContent-Length: 2") + "{}", reach.StageHTTP, "control character"},
	})
}

func TestPostRefusesUnexpectedBodies(t *testing.T) {
	t.Parallel()
	refuses(t, map[string]wrongAnswer{
		"no length":             {head("X: y") + "{}", reach.StageHTTP, "neither a Content-Length nor chunks"},
		"both lengths":          {head("Content-Length: 2", "Transfer-Encoding: chunked") + "2\r\n{}\r\n0\r\n\r\n", reach.StageHTTP, "both a Content-Length and chunks"},
		"length twice":          {head("Content-Length: 2", "Content-Length: 2") + "{}", reach.StageHTTP, "content-length twice"},
		"list of lengths":       {head("Content-Length: 2, 2") + "{}", reach.StageHTTP, "which is not a length"},
		"negative length":       {head("Content-Length: -2") + "{}", reach.StageHTTP, "which is not a length"},
		"signed length":         {head("Content-Length: +2") + "{}", reach.StageHTTP, "which is not a length"},
		"hexadecimal length":    {head("Content-Length: 0x2") + "{}", reach.StageHTTP, "which is not a length"},
		"empty length":          {head("Content-Length: ") + "{}", reach.StageHTTP, "which is not a length"},
		"huge length":           {head("Content-Length: 99999999999999999999") + "{}", reach.StageHTTP, "which is not a length"},
		"length over the limit": {head("Content-Length: "+strconv.Itoa(limit+1)) + "{}", reach.StageHTTP, "longer than the 8388608 bytes"},
		"length too large":      {head("Content-Length: 9") + "{}", reach.StageReceive, "in the middle of the answer's body"},
		"length too small":      {head("Content-Length: 1") + "{}", reach.StageHTTP, "longer than its Content-Length of 1"},
		"long, length small":    {head("Content-Length: 100000") + strings.Repeat("x", 100_001), reach.StageHTTP, "longer than its Content-Length"},
		"no body":               {head("Content-Length: 9"), reach.StageReceive, "in the middle of the answer's body"},
		"other encoding":        {head("Transfer-Encoding: gzip, chunked"), reach.StageHTTP, `Transfer-Encoding is "gzip, chunked"`},
		"encoding twice":        {head("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), reach.StageHTTP, "transfer-encoding twice"},
		"compressed":            {head("Content-Encoding: gzip", "Content-Length: 2") + "{}", reach.StageHTTP, `is encoded: "gzip"`},
		"text":                  {strings.Replace(jsonAnswer("{}"), "application/json", "text/html", 1), reach.StageHTTP, `Content-Type is "text/html"`},
		"event stream":          {strings.Replace(jsonAnswer("{}"), "application/json", "text/event-stream", 1), reach.StageHTTP, "not application/json"},
		"no type":               {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", reach.StageHTTP, `Content-Type is ""`},
		"type twice":            {head("Content-Type: text/html", "Content-Length: 2") + "{}", reach.StageHTTP, "content-type twice"},
		"second answer":         {jsonAnswer("{}") + jsonAnswer("{}"), reach.StageHTTP, "longer than its Content-Length"},
	})
}

func TestPostRefusesBrokenChunks(t *testing.T) {
	t.Parallel()
	refuses(t, map[string]wrongAnswer{
		"chunk without length":              {chunked("\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "has no length"},
		"chunk length that is not a number": {chunked("zz\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, `has no length: "zz"`},
		"signed chunk":                      {chunked("+2\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "has no length"},
		"space before a chunk":              {chunked(" 2\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "has no length"},
		"huge chunk":                        {chunked("ffffffffffffffffffff\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "has no length"},
		"chunk over the limit":              {chunked("7fffffff\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "longer than the 8388608 bytes"},
		"chunk too short":                   {chunked("4\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "a chunk of the answer is longer than its stated size"},
		"chunk too long":                    {chunked("1\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "a chunk of the answer is longer than its stated size"},
		"chunks without end":                {chunked("2\r\n{}\r\n"), reach.StageReceive, "in the middle of the chunks' header lines"},
		"chunk breaks off":                  {chunked("9\r\n{"), reach.StageReceive, "in the middle of the answer's body"},
		"long chunk line":                   {chunked("2;" + strings.Repeat("x", 300) + "\r\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "header lines are too long"},
		"chunk with LF":                     {chunked("2\n{}\r\n0\r\n\r\n"), reach.StageHTTP, "does not end in CR LF"},
		"trailers without end":              {chunked("2\r\n{}\r\n0\r\n"), reach.StageReceive, "in the middle of the answer's trailer lines"},
		"trailer without a name":            {chunked("2\r\n{}\r\n0\r\nx\r\n\r\n"), reach.StageHTTP, "not a header line"},
		"long trailers":                     {chunked("2\r\n{}\r\n0\r\n" + strings.Repeat("X: y\r\n", 2000) + "\r\n"), reach.StageHTTP, "trailer lines are too long"},
		"after the last chunk":              {chunked("2\r\n{}\r\n0\r\n\r\nmore"), reach.StageHTTP, "longer than its announced length"},
	})
}
