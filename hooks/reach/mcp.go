package reach

import "unicode/utf8"

// reply is a JSON-RPC message of which only the parts that matter are kept, as they are written.
type reply struct {
	scanner
	result  toolResult
	refused toolResult
}

// toolResult is what a result of tools/call, or an error, says.
type toolResult struct {
	there      bool
	structured []byte
	// text is the inside of the JSON string that the first content is.
	text   []byte
	failed bool
}

// callAnswer takes the answer out of a message; found is false when the message is neither a result nor an error.
func callAnswer(message []byte) (answer []byte, found bool, err error) {
	r := reply{scanner: scanner{text: message}}
	if !r.message() || !r.end() {
		return nil, false, badAnswer(r.err().Error())
	}
	switch {
	case r.refused.there:
		return nil, true, &Failure{StageAnswer, "the server refused: " + plain(unescape(r.refused.text))}
	case !r.result.there:
		return nil, false, nil
	case r.result.failed:
		return nil, true, &Failure{StageAnswer, "the tool failed: " + plain(unescape(r.result.text))}
	}
	answer, err = r.result.answer()
	return answer, true, err
}

// answer is the object that the result hands over: as it is, or as a text.
func (t *toolResult) answer() ([]byte, error) {
	switch {
	case t.structured != nil:
		if !utf8.Valid(t.structured) {
			return nil, badAnswer(notUTF8)
		}
		return t.structured, nil
	case t.text == nil:
		return nil, badAnswer("has neither structuredContent nor a text")
	}
	answer := unescape(t.text)
	if err := answerObject(answer); err != nil {
		return nil, badAnswer(err.Error())
	}
	return answer, nil
}

func badAnswer(why string) *Failure { return &Failure{StageAnswer, "the server's answer " + why} }

func (r *reply) message() bool {
	return r.members(func(name []byte) bool {
		switch string(name) {
		case "result":
			return r.optional(&r.result, r.resultMember)
		case "error":
			return r.optional(&r.refused, r.errorMember)
		}
		return r.skip()
	})
}

// optional reads an object that may also be null. When a name stands twice, the last one counts, as in every reader of
// JSON.
func (r *reply) optional(into *toolResult, member func([]byte) bool) bool {
	*into = toolResult{}
	if r.peek() == 'n' {
		return r.word("null")
	}
	into.there = true
	return r.members(member)
}

func (r *reply) resultMember(name []byte) bool {
	switch string(name) {
	case "structuredContent":
		r.result.structured = nil
		if r.peek() == '{' {
			return r.keep(&r.result.structured)
		}
	case "content":
		r.result.text = nil
		if r.peek() == '[' {
			return r.content()
		}
	case "isError":
		r.result.failed = r.peek() == 't'
	}
	return r.skip()
}

// content reads the list of contents, of which the first counts.
func (r *reply) content() bool {
	first := true
	return r.items(func() bool {
		if !first || r.peek() != '{' {
			first = false
			return r.skip()
		}
		first = false
		return r.members(func(name []byte) bool { return r.textMember(name, "text", &r.result.text) })
	})
}

func (r *reply) errorMember(name []byte) bool { return r.textMember(name, "message", &r.refused.text) }

// textMember keeps the inside of the string that stands under one name, and steps over everything else.
func (r *reply) textMember(name []byte, want string, into *[]byte) bool {
	if string(name) != want {
		return r.skip()
	}
	*into = nil
	if r.peek() != '"' {
		return r.skip()
	}
	if !r.keep(into) {
		return false
	}
	*into = (*into)[1 : len(*into)-1]
	return true
}

// keep steps over a value and keeps it.
func (r *reply) keep(into *[]byte) bool {
	r.space()
	from := r.at
	if !r.skip() {
		return false
	}
	*into = r.text[from:r.at:r.at]
	return true
}
