package screening_test

import (
	"testing"

	"guardrails/detect/safety"
	"guardrails/service/screening"
)

func TestAnswersWithoutAnIDHaveDifferentNoise(t *testing.T) {
	noise := func(text, id string) float64 {
		in := screening.Response{Text: text, MessageID: id}
		a := in.Check(&screening.Setup{Dissent: true}, func(bool) safety.Dependence { return safety.Dependence{} })
		for _, g := range a.Gates {
			if g.Noise != nil {
				return *g.Noise
			}
		}
		t.Fatal("there is no noise")
		return 0
	}
	if noise("one", "") != noise("one", "") || noise("one", "") == noise("two", "") {
		t.Error("without an id, the noise must depend on the answer, and on nothing else")
	}
	if noise("one", "m-1") != noise("two", "m-1") {
		t.Error("the noise does not depend on the id")
	}
}
