package guideline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/fortests/golden"
)

func encoded(t *testing.T, text []byte) []byte {
	t.Helper()
	g, err := Parse("g.json", text)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	out, err := Encode(&g)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return out
}

func TestEncodingIsCanonical(t *testing.T) {
	eachJSON(t, "canonical", func(t *testing.T, _ string, text []byte, goldenFile string) {
		once := encoded(t, text)
		if twice := encoded(t, once); !bytes.Equal(once, twice) {
			t.Errorf("once:  %s\ntwice: %s", once, twice)
		}
		golden.Check(t, *update, goldenFile, string(once)+"\n")
	})
}

func TestEncodingKeepsNumbersAsTheyWereWritten(t *testing.T) {
	for _, number := range []string{"1e400", "12345678901234567890", "1.0", "-0", "0.10", "1E+2", "-1e-400"} {
		text := `{"id":"a","name":"A","category":"custom","action":{"type":"instruction"},"metadata":{"n":` + number + `}}`
		if out := encoded(t, []byte(text)); !bytes.Contains(out, []byte(`"n":`+number+`}`)) {
			t.Errorf("%s became %s", number, out)
		}
	}
}

func TestEncodingDoesNotDependOnTheOrderOfKeys(t *testing.T) {
	a := encoded(t, []byte(`{"id":"a","name":"A","category":"custom","action":{"type":"instruction"},"metadata":{"x":1,"y":{"b":1,"a":2}}}`))
	b := encoded(t, []byte(`{"metadata":{"y":{"a":2,"b":1},"x":1},"action":{"type":"instruction"},"category":"custom","name":"A","id":"a"}`))
	if !bytes.Equal(a, b) {
		t.Errorf("%s\n%s", a, b)
	}
}

func TestAValueThatJSONCannotExpressIsNotEncoded(t *testing.T) {
	for _, value := range []any{func() {}, math.NaN(), math.Inf(-1)} {
		if out, err := Encode(&Guideline{Metadata: map[string]any{"f": value}}); err == nil {
			t.Errorf("got %s", out)
		}
	}
	if out, err := Encode(&Guideline{CreatedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Errorf("got %s", out)
	}
}

func TestRandomGuidelinesAreTheSameAfterDecoding(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		g := randomGuideline(random)
		once, err := Encode(&g)
		if err != nil {
			t.Fatal(err)
		}
		if twice := encoded(t, once); !bytes.Equal(once, twice) {
			t.Fatalf("once:  %s\ntwice: %s", once, twice)
		}
		if want := standard(t, &g); !bytes.Equal(once, want) {
			t.Fatalf("got  %s\nwant %s", once, want)
		}
	}
}

func standard(t *testing.T, g *Guideline) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(g); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

func TestMapsAreEncodedAsInTheStandardLibrary(t *testing.T) {
	values := []any{
		nil, true, "", "\x00\b\f\n\r\t\x1f\x7f\"\\/<>&\u2028\u2029\ufffd\xff\xc3(", 0, -12,
		[]string{"a", "b"},
		[]any{},
		map[string]any{},
		0.0, 1.5, -2.0, 1e20, 1e21, 1e-6, 1e-7, -1e-9, 123456789.125, 1e300, 5e-324, document.Numeral("1.50"),
		[]any{1, []any{nil, "x"}, map[string]any{"b": 1, "a": 2}},
	}
	for _, value := range values {
		g := Guideline{Metadata: map[string]any{"v": value}}
		got, err := Encode(&g)
		if want := standard(t, &g); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: got %s, %v, want %s", value, got, err, want)
		}
	}
}

func randomGuideline(r *rand.Rand) Guideline {
	g := Guideline{
		ID: fmt.Sprintf("g-%d.x_y", r.IntN(1000)), Name: "N" + randomText(r), Description: randomText(r), Enabled: maybe(r),
		Category: pick(r, Categories()...), Priority: r.IntN(MaxPriority + 1), Condition: randomCondition(r), Action: randomAction(r),
		Metadata: randomMap(r, 3), Version: r.IntN(3), CreatedBy: randomText(r), TenantID: randomText(r),
	}
	if maybe(r) {
		g.CreatedAt = time.Unix(r.Int64N(1<<33), r.Int64N(1e9)).UTC()
	}
	if maybe(r) {
		g.UpdatedAt = time.Unix(r.Int64N(1<<33), 0).UTC()
	}
	return g
}

func randomCondition(r *rand.Rand) Condition {
	return Condition{
		Agents: some(r, "backend", "日本"), Domains: some(r, "P01", "<&>"), Actions: some(r, "implement", "fix"),
		Paths: some(r, "src/*", "~/.ssh/**", "{a,b}/[!c]?", "*"), Events: some(r, "commit", "push"), GateTypes: some(r, "review"),
		Custom: randomMap(r, 2),
	}
}

func randomAction(r *rand.Rand) Action {
	a := Action{
		Type: pick(r, Instruction, ToolRestriction, HITLGate, Constraint), Instruction: randomText(r), GateType: "gate" + randomText(r),
		ToolsAllowed: some(r, "Write(src/*)", "Read", "mcp__a__*"), ToolsDenied: some(r, "Bash(rm -rf:*)", "*", "WebFetch(domain:a.example)"),
		ToolsAsked: some(r, "Write(migrations/**)", "mcp__db"), GateThreshold: pick(r, "", Mandatory, Advisory), Parameters: randomMap(r, 2),
	}
	if maybe(r) {
		n, yes, no := r.IntN(50), maybe(r), maybe(r)
		a.MaxFiles, a.RequireTests, a.RequireReview = &n, &yes, &no
	}
	return a
}

func maybe(r *rand.Rand) bool { return r.IntN(2) == 0 }

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func some(r *rand.Rand, from ...string) []string {
	var out []string
	for _, s := range from {
		if maybe(r) {
			out = append(out, s)
		}
	}
	return out
}

func randomText(r *rand.Rand) string {
	var out []rune
	for range r.IntN(6) {
		out = append(out, pick(r, []rune("aZ é日😀<>&\"\\/\u2028\ufffd")...))
	}
	return string(out)
}

func randomMap(r *rand.Rand, depth int) map[string]any {
	if maybe(r) {
		return nil
	}
	out := map[string]any{}
	for range 1 + r.IntN(3) {
		out[randomText(r)] = randomValue(r, depth)
	}
	return out
}

func randomValue(r *rand.Rand, depth int) any {
	switch kind := r.IntN(7); {
	case kind == 0:
		return nil
	case kind == 1:
		return maybe(r)
	case kind == 2:
		return pick(r, document.Numeral("1e400"), document.Numeral("-0"), document.Numeral("1.50"), document.Numeral("12345678901234567890"))
	case kind == 3 && depth > 0:
		return []any{randomValue(r, depth-1), randomValue(r, depth-1)}
	case kind == 4 && depth > 0:
		return map[string]any{randomText(r): randomValue(r, depth-1)}
	default:
		return randomText(r)
	}
}
