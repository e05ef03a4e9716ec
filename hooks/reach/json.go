package reach

import (
	"errors"
	"strconv"
	"unicode/utf8"
)

// maxDepth is how deep the values of a text may lie in one another.
const maxDepth = 200

// scanner steps over the values of a JSON text, each byte once, and keeps nothing. What it accepts is JSON, so that a
// part of a text that it has stepped over can be handed on as it is.
//
// Its methods report whether they succeeded; when one did not, why says what is wrong.
type scanner struct {
	text  []byte
	at    int
	depth int
	why   string
}

// onlyObject checks that a text is one JSON object and nothing else.
func onlyObject(text []byte) error {
	s := scanner{text: text}
	if s.peek() == '{' && s.skip() && s.end() {
		return nil
	}
	if s.why == "" {
		s.fail("is not a JSON object")
	}
	return s.err()
}

const notUTF8 = "is not UTF-8"

// answerObject checks that a text can be handed out as an answer.
func answerObject(text []byte) error {
	if err := onlyObject(text); err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return errors.New(notUTF8)
	}
	return nil
}

// err is the error of a text of which something was wrong, or came after its end.
func (s *scanner) err() error {
	if s.why == "" {
		return nil
	}
	return errors.New(s.why)
}

// fail keeps the first reason, with its place.
func (s *scanner) fail(why string) bool {
	switch {
	case s.why != "":
	case len(s.text) == 0:
		s.why = "is empty"
	case s.at >= len(s.text):
		s.why = "ends in the middle (after " + strconv.Itoa(len(s.text)) + " bytes)"
	default:
		s.why = why + " (at byte " + strconv.Itoa(s.at) + ": " + plain(s.text[s.at:min(s.at+20, len(s.text))]) + ")"
	}
	return false
}

func (s *scanner) end() bool {
	s.space()
	return s.at == len(s.text) || s.fail("goes on after its end")
}
