package document_test

import (
	"testing"

	"guardrails/internal/document"
)

// JSON Schema says that 3.0 and 3e0 are integers, so they must be accepted like 3.
func TestAWholeNumberMayHaveAFractionOfZeroOrAnExponent(t *testing.T) {
	for text, want := range map[string]int{
		"3": 3, "3.0": 3, "4194303.0": 4194303, "1e3": 1000, "1.5e1": 15, "-0.0": 0, "0": 0,
		"3.5": -1, "1e-1": -1, "1e300": -1, "4194304": -1, "4194304.0": -1, "-1.0": -1, "1e999": -1,
	} {
		n, problems := document.ParseJSON("", []byte(text))
		if n == nil {
			t.Fatal(problems)
		}
		d := &document.Decoder{}
		got := d.Int(n, "n", 0, 4194303)
		if refused := len(d.Problems) > 0; refused != (want < 0) || !refused && got != want {
			t.Errorf("%s: got %d, %v", text, got, d.Problems)
		}
	}
}
