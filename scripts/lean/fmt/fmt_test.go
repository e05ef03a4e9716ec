package fmt_test

import (
	"errors"
	"fmt"
	"testing"

	lean "guardrails/scripts/lean/fmt"
)

type named int

func (n named) String() string { return [...]string{"if", "do`ne", "a\nb"}[n] }

func TestFormattedTextsMatchTheStandardLibrary(t *testing.T) {
	for _, format := range []string{"%s", "%q", "%#q", "a %s b", "100%%: %s", "%#q must be followed by", "é%sé"} {
		for _, arg := range []any{"", "then", "back`quote", "two\nlines", "\x00\xff", "ü", named(0), named(1), named(2), []byte("EOF"), errors.New("broken")} {
			if got, want := lean.Sprintf(format, arg), fmt.Sprintf(format, arg); got != want {
				t.Errorf("%q of %v: got %q, want %q", format, arg, got, want)
			}
		}
	}
	if got, want := lean.Sprintf("%#q must be followed by %#q, %q", "if", named(0), "x"), fmt.Sprintf("%#q must be followed by %#q, %q", "if", named(0), "x"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := lean.Errorf("no %s", "way").Error(); got != "no way" {
		t.Errorf("got %q", got)
	}
}

// fixedText is a Formatter of this package. It formats the text "x y" with the verb for which it is called.
type fixedText struct{}

func (fixedText) Format(f lean.State, verb rune) {
	_, _ = lean.Fprintf(f, lean.FormatString(f, verb), "x y")
}

func TestFormattersReceiveTheSameVerb(t *testing.T) {
	for _, format := range []string{"%s", "%q", "%#q"} {
		if got, want := lean.Sprintf(format, fixedText{}), fmt.Sprintf(format, "x y"); got != want {
			t.Errorf("%s: got %q, want %q", format, got, want)
		}
	}
}

func TestAWrongFormatDoesNotPanic(t *testing.T) {
	for _, format := range []string{"%", "%#", "%s", "%s %s", "%T"} {
		_ = lean.Sprintf(format)
		_ = lean.Sprintf(format, struct{}{})
	}
}
