package reach

import (
	"errors"
	"strconv"
	"unicode/utf8"

	"guardrails/internal/document"
)

// maxDepth limits how deeply the values of a message may nest.
const maxDepth = 200

const notUTF8 = "is not UTF-8"

// checkObject checks that a text is exactly one JSON object. If it is not, checkObject returns an error.
func checkObject(text []byte) error {
	s := document.NewScanner(text, maxDepth)
	switch first := s.Peek(); {
	case first == 0:
		return errors.New("is empty")
	case first != '{':
		s.Fail("is not a JSON object", "")
	case s.Skip() && s.End():
		return nil
	}
	return syntaxError(text, &s)
}

func checkAnswer(text []byte) error {
	if err := checkObject(text); err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return errors.New(notUTF8)
	}
	return nil
}

// syntaxError returns the scanner's error with an excerpt of the text.
func syntaxError(text []byte, s *document.Scanner) error {
	e := s.Err()
	rest := text[e.Offset:]
	return errors.New(e.Message + " (at byte " + strconv.Itoa(e.Offset) + ": " + plain(rest[:min(20, len(rest))]) + ")")
}
