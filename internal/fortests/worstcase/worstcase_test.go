package worstcase_test

import (
	"testing"

	"guardrails/internal/document"
	"guardrails/internal/fortests/worstcase"
)

func TestEachCallHasANameOfItsOwnAndItsSize(t *testing.T) {
	const size = 8 << 10
	names := map[string]bool{}
	for _, c := range worstcase.Calls(size) {
		if names[c.Name] {
			t.Errorf("two calls have the name %q", c.Name)
		}
		names[c.Name] = true
		if len(c.Input) > 32*size {
			t.Errorf("%s has %d bytes", c.Name, len(c.Input))
		}
		if _, err := document.Members(c.Input); err != nil && c.Tool == "Bash" {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}
