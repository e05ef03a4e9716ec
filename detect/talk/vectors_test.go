package talk_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"guardrails/detect/advice"
	"guardrails/detect/talk"
	"guardrails/internal/fortests/detectorcases"
)

// run() answers a call of a tool as JSON.
func run(tool string, input []byte) ([]byte, error) {
	answer, err := call(tool, input)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

func call(tool string, input []byte) (any, error) {
	switch tool {
	case "check_rumination":
		in, err := talk.DecodeRumination(input)
		if err != nil {
			return nil, err
		}
		return talk.CheckRumination(&in), nil
	case "check_hyperfocus":
		in, err := talk.DecodeHyperfocus(input)
		if err != nil {
			return nil, err
		}
		return talk.CheckHyperfocus(&in), nil
	}
	in, err := talk.DecodeSycophancy(input)
	if err != nil {
		return nil, err
	}
	return talk.CheckSycophancy(&in), nil
}

// checkCase runs a case.
func checkCase(t *testing.T, c *detectorcases.Case) {
	t.Helper()
	answer, err := run(c.Tool, c.Arguments(t))
	if len(c.ExpectError) == 0 {
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		detectorcases.Check(t, c.ID, c.Expect, answer)
		return
	}
	problems, _ := errors.AsType[advice.Problems](err)
	if len(problems) != len(c.ExpectError) {
		t.Fatalf("%s: the problems are\n%v\nwant %v", c.ID, err, c.ExpectError)
	}
	for _, want := range c.ExpectError {
		if !slices.ContainsFunc(problems, func(p advice.Problem) bool {
			return string(p.Code) == want.Code && p.Path == want.Path
		}) {
			t.Errorf("%s: the problems are\n%v\nwant %v", c.ID, err, c.ExpectError)
		}
	}
}

func TestDetectorsAnswerAsTheContractSays(t *testing.T) {
	for _, file := range []string{"../testdata/detectors.json", "testdata/cases.json"} {
		for _, c := range detectorcases.Load(t, file).Detectors {
			t.Run(c.ID, func(t *testing.T) { checkCase(t, &c) })
		}
	}
}

func TestSimilarityAgreesWithTheContract(t *testing.T) {
	for _, file := range []string{"../testdata/detectors.json", "testdata/cases.json"} {
		for _, c := range detectorcases.Load(t, file).Similarity {
			if got := talk.Similarity(c.A, c.B); math.Abs(got-c.Jaccard) > 1e-9 {
				t.Errorf("%s: %v, want %v", c.ID, got, c.Jaccard)
			}
			for text, want := range map[string][]string{c.A: c.TokensA, c.B: c.TokensB} {
				if got := talk.Words(text); !slices.Equal(got, want) {
					t.Errorf("%s: %q has the words %q, want %q", c.ID, text, got, want)
				}
			}
		}
	}
}
