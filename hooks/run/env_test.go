package run

import (
	"os"
	"strings"
	"testing"
)

func TestVariablesAreReadFromTheProcess(t *testing.T) {
	env := environment()
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if started := env(name); name != "" && started != value && !setByTests(name) {
			t.Errorf("%s is %q, want %q", name, started, value)
		}
	}
	if got := env("GUARDRAILS_NO_SUCH_VARIABLE"); got != "" {
		t.Errorf("got %q", got)
	}
}

// setByTests reports whether the test binary itself sets or changes a variable when it starts.
func setByTests(name string) bool { return name == "PWD" || name == "GORACE" }
