//go:build linux || darwin

package reach_test

import (
	"encoding/json"
	"strings"
	"testing"

	"guardrails/hooks/reach"
)

// All these messages have the same answer.
func TestAskExtractsTheAnswerFromTheMessage(t *testing.T) {
	t.Parallel()
	for name, message := range map[string]string{
		"structured":          `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"other"}],"structuredContent":{"a":"ü\n"}}}`,
		"text":                `{"result":{"content":[{"type":"text","text":"{\"a\":\"\\u00fc\\n\"}"}]},"id":1}`,
		"text, escaped":       `{"result":{"content":[{"text":"\u007b\"a\":\"\u00fc\\n\"}"}],"isError":false}}`,
		"structured is null":  `{"result":{"structuredContent":null,"content":[{"text":"{\"a\":\"ü\\n\"}"},{"text":"{}"}]}}`,
		"error is null":       "\n { \"error\" : null , \"result\" : { \"structuredContent\" : { \"a\" : \"\\u00fc\\u000a\" } } } \r\n",
		"names with escapes":  `{"resul\u0074":{"structured\u0043ontent":{"a":"ü\n"}}}`,
		"other fields":        `{"x":[1,-2.5e+3,true,false,null,{"result":{}},[]],"result":{"_meta":{},"structuredContent":{"a":"ü\n"}}}`,
		"the last one counts": `{"result":{"isError":true},"result":{"structuredContent":{"a":1},"structuredContent":{"a":"ü\n"}}}`,
	} {
		answer, via, err := askServer(say(t, jsonAnswer(message)))
		if err != nil || via != reach.ViaServer {
			t.Errorf("%s: via %q, %v", name, via, err)
			continue
		}
		wantJSON(t, answer, `{"a":"ü\n"}`)
	}
}

func TestAskReportsWhatIsWrongWithAMessage(t *testing.T) {
	t.Parallel()
	for message, why := range map[string]string{
		``:                                       "the server's answer is empty",
		`null`:                                   "is not JSON: expected an object, found 'n'",
		`[]`:                                     "expected an object, found '['",
		`{}`:                                     "neither a result nor an error",
		`{"result":null}`:                        "neither a result nor an error",
		`{"result":3}`:                           "expected an object, found '3' (at byte 10",
		`{"result":{}}`:                          "neither structuredContent nor a text",
		`{"result":{"content":[]}}`:              "neither structuredContent nor a text",
		`{"result":{"content":["x"]}}`:           "neither structuredContent nor a text",
		`{"result":{"content":[{"text":1}]}}`:    "neither structuredContent nor a text",
		`{"result":{"content":[{"text":"no"}]}}`: "is not a JSON object",
		`{"result":{"content":[{"text":"{}x"}]}}`:                                "more text follows the document",
		`{"result":{"content":[{"text":"[]"}]}}`:                                 "is not a JSON object",
		`{"result":{"content":[{"text":""}]}}`:                                   "is empty",
		`{"result":{"structuredContent":{}}`:                                     "ends in the middle",
		`{"result":{"structuredContent":{}}} {}`:                                 "more text follows the document",
		`{"result":{"structuredContent":{"a":01}}}`:                              "has a number that is not valid in JSON",
		`{"result":{"structuredContent":{"a" 1}}}`:                               "expected a colon, found '1'",
		`{"result":{"structuredContent":{a:1}}}`:                                 "expected a key in quotes, found 'a'",
		"{\"result\":{\"structuredContent\":{\"a\":\"\n\"}}}":                    "a control character in a string",
		"{\"result\":{\"structuredContent\":{\"a\":\"\xff\"}}}":                  "is not UTF-8",
		`{"result":{"structuredContent":{"a":"\x"}}}`:                            "an unknown escape sequence",
		`{"result":{"structuredContent":{"a":1.}}}`:                              "has a number that is not valid in JSON",
		strings.Repeat(`{"result":`, 300):                                        "nests deeper than 200 levels",
		`{"error":{"code":-32602,"message":"unknown \u0022tool\u0022\n"}}`:       `the server refused: unknown "tool"`,
		`{"error":{"code":-32602}}`:                                              "the server refused: ",
		`{"error":{"message":"no"},"result":{"structuredContent":{}}}`:           "the server refused: no",
		`{"result":{"isError":true,"content":[{"text":"the store is away"}]}}`:   "the tool failed: the store is away",
		`{"result":{"structuredContent":{"a":1},"content":[],"isError":true  }}`: "the tool failed",
	} {
		_, _, err := askServer(say(t, jsonAnswer(message)))
		wantFailure(t, serverError(t, err), reach.StageAnswer, why)
	}
}

// The text in the message is a JSON string. The string contains the JSON of the answer, so it is unescaped.
func TestAskUnescapesTextLikeEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, inside := range []string{
		`plain`, `\" \\ \/ \b \f \n \r \t`, `\u00fc \u00FC \u6f22 \u0000`, `\ud83e\udd80`, `\ud83e`, `\udd80`, `\ud83e\ud83e\udd80`, `\ud83ex`,
		`\ud83e\n`, `12345678\"12345678\\`, `\u002f/\/`,
	} {
		var unescaped string
		must(t, json.Unmarshal([]byte(`"`+inside+`"`), &unescaped))
		want, err := json.Marshal(map[string]string{"a": unescaped})
		must(t, err)
		message := `{"result":{"content":[{"text":"{ \"a\" : ` + strings.ReplaceAll(strings.ReplaceAll(`"`+inside+`"`, `\`, `\\`), `"`, `\"`) + `}"}]}}`
		answer, _, err := askServer(say(t, jsonAnswer(message)))
		if err != nil {
			t.Errorf("%s: %v", inside, err)
			continue
		}
		wantJSON(t, answer, string(want))

		outer := `{"result":{"content":[{"text":"{\"a\":\"x\"}` + strings.Repeat(`\u0020\n\r\t`, 2) + `"}],"` + inside + `":0}}`
		if _, _, err := askServer(say(t, jsonAnswer(outer))); err != nil {
			t.Errorf("the name %s: %v", inside, err)
		}
	}
}

func TestAskReadsAnEventStream(t *testing.T) {
	t.Parallel()
	const result = `{"id":1,"result":{"structuredContent":{"a":1}}}`
	for name, stream := range map[string]string{
		"one event":          "event: message\ndata: " + result + "\n\n",
		"without a space":    "data:" + result + "\n\n",
		"CR LF":              "event: message\r\ndata: " + result + "\r\n\r\n",
		"several lines":      "data: {\"id\":1,\ndata: \"result\":{\"structuredContent\":{\"a\":\ndata: 1}}}\n\n",
		"comments and ids":   ": hello\n\nid: 7\nretry: 10\ndata: " + result + "\n\n",
		"progress before it": "data: {\"method\":\"notifications/progress\",\"params\":{}}\n\ndata: " + result + "\n\n",
		"the first of two":   "data: " + result + "\n\ndata: {\"error\":{\"message\":\"late\"}}\n\n",
		"text after it":      "data: " + result + "\n\ngarbage",
		"other event names":  "event: other\nname\ndata: " + result + "\n\n",
	} {
		answer, _, err := askServer(say(t, streamed(stream)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wantJSON(t, answer, `{"a":1}`)
	}
}

func streamed(stream string) string {
	return strings.Replace(jsonAnswer(stream), "application/json", "text/event-stream", 1)
}

func TestAskReportsWhatIsWrongWithAnEventStream(t *testing.T) {
	t.Parallel()
	for stream, why := range map[string]string{
		"":           "an event stream without a result",
		": ping\n\n": "an event stream without a result",
		"data: {\"result\":{\"structuredContent\":{}}}\n": "an event stream without a result",
		"data: {\"method\":\"x\"}\n\n":                    "an event stream without a result",
		"data:\n\n":                                       "is empty",
		"data: {\n\n":                                     "ends in the middle",
		"data: {\"error\":{\"message\":\"no\"}}\n\n":      "the server refused: no",
	} {
		_, _, err := askServer(say(t, streamed(stream)))
		wantFailure(t, serverError(t, err), reach.StageAnswer, why)
	}
}

func TestAskReturnsLargeAnswersUnchanged(t *testing.T) {
	t.Parallel()
	want, err := json.Marshal(map[string]any{"session_cache": strings.Repeat("{\"guideline\":\"ü \\ \t\u2028🦀\"}\n", 20_000)})
	must(t, err)
	text, err := json.Marshal(string(want))
	must(t, err)
	for _, result := range []string{`{"structuredContent":` + string(want) + `}`, `{"content":[{"text":` + string(text) + `}]}`} {
		answer, _, err := askServer(say(t, jsonAnswer(`{"result":`+result+`}`)))
		if err != nil || string(answer) != string(want) {
			t.Errorf("got %d bytes, want %d, %v", len(answer), len(want), err)
		}
	}
}
