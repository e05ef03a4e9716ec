package loop_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/advice"
	"guardrails/detect/loop"
	"guardrails/internal/fortests/detectorcases"
)

func files() []string { return []string{"../testdata/detectors.json", "testdata/cases.json"} }

func check(t testing.TB, input []byte) *loop.Answer {
	t.Helper()
	in, err := loop.Decode(input)
	if err != nil {
		t.Fatalf("%v\n%s", err, input)
	}
	return loop.Check(&in)
}

func TestLoopsAreFoundAndSimilarCallsAreNot(t *testing.T) {
	for _, file := range files() {
		for _, c := range detectorcases.Load(t, file).ToolLoops {
			t.Run(c.ID+" "+c.About, func(t *testing.T) {
				answer, err := json.Marshal(check(t, detectorcases.LoopArguments(c.Calls)))
				if err != nil {
					t.Fatal(err)
				}
				detectorcases.Check(t, c.ID, c.Expect, answer)
			})
		}
	}
}

func TestWrongInputsAreRefusedWithAllProblems(t *testing.T) {
	for _, c := range detectorcases.Load(t, "testdata/cases.json").Detectors {
		_, err := loop.Decode(c.Arguments(t))
		problems, _ := errors.AsType[advice.Problems](err)
		var got, want []string
		for _, p := range problems {
			got = append(got, string(p.Code)+" "+p.Path)
		}
		for _, w := range c.ExpectError {
			want = append(want, w.Code+" "+w.Path)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s %s: %v, want %v", c.ID, c.About, got, want)
		}
	}
}

func TestLimitsCanBeChanged(t *testing.T) {
	const call = `{"tool":"Read","input":{},"ok":true}`
	two := `{"calls":[` + call + `,` + call + `],"note_at":{"repetition":2},"ask_at":{"repetition":3}}`
	if a := check(t, []byte(two)); a.Level != loop.LevelNote || a.Confidence != 0.65 || len(a.OverrideOptions) != 4 {
		t.Errorf("%+v", a)
	}
}

// long() returns an input for Decode. The inputs of all its calls together have about the given size.
func long(size int) []byte {
	const calls = 20
	call := `{"tool":"Write","input":{"b":"` + strings.Repeat("x ", size/calls/2) + `","a":[1,2,{"c":null}]},"ok":false,"error":"` +
		strings.Repeat("ab12 ", size/calls/10) + `"}`
	return []byte(`{"calls":[` + strings.Repeat(call+",", calls-1) + call + `]}`)
}

func BenchmarkLoop(b *testing.B) {
	for name, size := range map[string]int{"2 KiB": 2 << 10, "100 KiB": 100 << 10} {
		in, err := loop.Decode(long(size))
		if err != nil {
			b.Fatal(err)
		}
		b.Run("calls "+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				loop.Check(&in)
			}
		})
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"calls":[{"tool":"Bash","input":{"command":"a"},"ok":false,"error":"0x1 550e8400-e29b-41d4-a716-446655440000","at":1}]}`))
	f.Add(long(200))
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := loop.Decode(text)
		if err != nil {
			return
		}
		a := loop.Check(&in)
		if a.Detected != (len(a.Calls) > 0) || a.Count != len(a.Calls) || a.Detected != (len(a.OverrideOptions) > 0) ||
			a.Detected != (a.Level != loop.LevelNone) || a.Confidence < 0 || a.Confidence > 1 {
			t.Errorf("%+v", a)
		}
		for _, i := range a.Calls {
			if i < 0 || i >= len(in.Calls) {
				t.Errorf("%+v", a)
			}
		}
	})
}
