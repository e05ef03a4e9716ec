package kernelclock_test

import (
	"testing"

	"guardrails/internal/kernelclock"
)

func TestTheTimeSinceTheStartOfTheComputerGrows(t *testing.T) {
	first, known := kernelclock.Read()
	if !known {
		t.Skip("the kernel does not answer")
	}
	if second, _ := kernelclock.Read(); first.SinceBoot <= 0 || second.SinceBoot < first.SinceBoot {
		t.Errorf("%s, then %s", first.SinceBoot, second.SinceBoot)
	}
}
