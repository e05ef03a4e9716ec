package reach

import (
	"unicode/utf8"

	"guardrails/internal/document"
)

// The type "reply" reads a JSON-RPC message and keeps the parts that are needed.
type reply struct {
	document.Scanner
	message []byte
	result  toolResult
	refused toolResult
}

// toolResult is the result of a tool call, or the error of the server.
type toolResult struct {
	present    bool
	structured []byte
	// The field "text" is the text of the first content, as a JSON string.
	text   []byte
	failed bool
}

// callAnswer returns the answer in a message. If the message is neither a result nor an error, the result "found"
// is false.
func callAnswer(message []byte) (answer []byte, found bool, err error) {
	r := reply{Scanner: document.NewScanner(message, maxDepth), message: message}
	if r.Peek() == 0 {
		return nil, false, badAnswer("is empty")
	}
	if !r.read() || !r.End() {
		return nil, false, badAnswer(syntaxError(message, &r.Scanner).Error())
	}
	switch {
	case r.refused.present:
		return nil, true, &Failure{StageAnswer, "the server refused: " + r.refused.words()}
	case !r.result.present:
		return nil, false, nil
	case r.result.failed:
		return nil, true, &Failure{StageAnswer, "the tool failed: " + r.result.words()}
	}
	answer, err = r.result.answer()
	return answer, true, err
}

// answer() returns the JSON object in the result. A result contains the object either as structured content or as text.
func (t *toolResult) answer() ([]byte, error) {
	switch {
	case t.structured != nil:
		if !utf8.Valid(t.structured) {
			return nil, badAnswer(notUTF8)
		}
		return t.structured, nil
	case t.text == nil:
		return nil, badAnswer("has neither structuredContent nor a text")
	case !utf8.Valid(t.text):
		return nil, badAnswer(notUTF8)
	}
	answer, _ := document.TextBytes(t.text)
	if err := checkAnswer(answer); err != nil {
		return nil, badAnswer(err.Error())
	}
	return answer, nil
}

func (t *toolResult) words() string {
	text, _ := document.TextBytes(t.text)
	return plain(text)
}

func badAnswer(why string) *Failure { return &Failure{StageAnswer, "the server's answer " + why} }

func (r *reply) read() bool {
	return r.Object(func(name string) bool {
		switch name {
		case "result":
			return r.optional(&r.result, r.resultMember)
		case "error":
			return r.optional(&r.refused, r.errorMember)
		}
		return r.Skip()
	})
}

// optional() reads an object or null. If a name occurs twice in the message, the last value is used, as in other JSON
// readers.
func (r *reply) optional(into *toolResult, member func(string) bool) bool {
	*into = toolResult{}
	if r.Peek() == 'n' {
		return r.Skip()
	}
	into.present = true
	return r.Object(member)
}

func (r *reply) resultMember(name string) bool {
	switch name {
	case "structuredContent":
		r.result.structured = nil
		if r.Peek() == '{' {
			return r.keep(&r.result.structured)
		}
	case "content":
		r.result.text = nil
		if r.Peek() == '[' {
			return r.content()
		}
	case "isError":
		r.result.failed = r.Peek() == 't'
	}
	return r.Skip()
}

// content() reads the list of contents and keeps the text of the first content.
func (r *reply) content() bool {
	first := true
	return r.List(func() bool {
		if !first || r.Peek() != '{' {
			first = false
			return r.Skip()
		}
		first = false
		return r.Object(func(name string) bool { return r.textMember(name, "text", &r.result.text) })
	})
}

func (r *reply) errorMember(name string) bool { return r.textMember(name, "message", &r.refused.text) }

// textMember keeps the value of a field if the field has the wanted name and the value is a string. Otherwise it skips
// the value.
func (r *reply) textMember(name, want string, into *[]byte) bool {
	if name != want {
		return r.Skip()
	}
	*into = nil
	if r.Peek() != '"' {
		return r.Skip()
	}
	return r.keep(into)
}

// keep() steps over the next value and stores the JSON text of this value.
func (r *reply) keep(into *[]byte) bool {
	raw, ok := r.Raw()
	end := r.Offset()
	*into = r.message[end-len(raw) : end : end]
	return ok
}
