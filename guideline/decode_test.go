package guideline

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/fortests/golden"
)

func TestAllProblemsOfAGuidelineAreReported(t *testing.T) {
	eachJSON(t, "invalid", func(t *testing.T, name string, text []byte, goldenFile string) {
		_, err := Parse(name, text)
		var problems document.Problems
		if !errors.As(err, &problems) {
			t.Fatalf("got %v, want problems", err)
		}
		for _, p := range problems {
			if p.File != name || p.Message == "" || p.Remedy == "" {
				t.Errorf("a problem without file, message or remedy: %+v", p)
			}
		}
		golden.Check(t, *update, goldenFile, err.Error()+"\n")
	})
}

func TestDeepNestingIsRefusedAtOnce(t *testing.T) {
	for name, text := range map[string]string{
		"lists":           strings.Repeat("[", 2<<20),
		"balanced lists":  strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20),
		"objects":         strings.Repeat(`{"a":`, 2<<20/5),
		"inside metadata": `{"id":"a","metadata":` + strings.Repeat("[\n", 1<<20),
	} {
		checkLimit(t, 5*time.Second, name, func() {
			_, err := Parse("deep.json", []byte(text))
			if err == nil || !strings.Contains(err.Error(), "nests deeper than 64 levels; flatten it") {
				t.Errorf("%s: %.200v", name, err)
			}
		})
	}
}

func TestHugeObjectsStayFast(t *testing.T) {
	const head = `{"id":"a","name":"A","category":"custom","action":{"type":"instruction"}`
	for name, c := range map[string]struct {
		format string
		count  int
		want   string
	}{
		"a million fields":    {`,"x%d":0`, 1_000_000, "is larger than 8 MiB"},
		"unknown fields":      {`,"x%d":0`, 600_000, "has more mistakes than are listed; fix these first"},
		"duplicates":          {`,"id":%d`, 600_000, "has more mistakes than are listed; fix these first"},
		"long unknown fields": {`,"` + strings.Repeat("x", 50) + `%d":0`, 130_000, "has more mistakes than are listed"},
	} {
		var b strings.Builder
		b.WriteString(head)
		for i := range c.count {
			fmt.Fprintf(&b, c.format, i)
		}
		b.WriteString("}")
		checkLimit(t, 20*time.Second, name, func() {
			_, err := Parse("huge.json", []byte(b.String()))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %.300v", name, err)
			}
		})
	}
}

func TestAHugeMapIsReadWhole(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"id":"a","name":"A","category":"custom","action":{"type":"instruction"},"metadata":{"first":0`)
	for i := range 700_000 {
		fmt.Fprintf(&b, `,"%x":0`, i)
	}
	b.WriteString("}}")
	checkLimit(t, 20*time.Second, "700,000 keys", func() {
		g, err := Parse("huge.json", []byte(b.String()))
		if err != nil || len(g.Metadata) != 700_001 {
			t.Errorf("%d keys, %v", len(g.Metadata), err)
		}
	})
}

func TestListsMayHaveAThousandItems(t *testing.T) {
	list := strings.TrimSuffix(strings.Repeat(`"a",`, MaxListItems), ",")
	parse := func(list string) error {
		_, err := Parse("x.json", []byte(`{"id":"a","name":"A","category":"custom","action":{"type":"instruction"},"condition":{"agents":[`+list+`]}}`))
		return err
	}
	if err := parse(list); err != nil {
		t.Error(err)
	}
	const want = "x.json:1: condition.agents: has 1001 items, but the limit is 1000; split the guideline"
	if err := parse(list + `,"b"`); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestAGuidelineMayBeAPartOfADocument(t *testing.T) {
	n, problems := document.ParseJSON("set.json", []byte("{\"guidelines\": [\n{\"id\": 1}]}"))
	if problems != nil {
		t.Fatal(problems)
	}
	d := &document.Decoder{File: "set.json"}
	Decode(d, n.Field("guidelines").Items[0], "guidelines[0]")
	want := "set.json:2: guidelines[0].id: is a number where a string is expected; write a string"
	if first, _, _ := strings.Cut(d.Problems.Error(), "\n"); first != want {
		t.Errorf("got %s, want %s", first, want)
	}
}

func TestThresholdDefaultsToMandatory(t *testing.T) {
	if got := (&Action{}).Threshold(); got != Mandatory {
		t.Errorf("got %q", got)
	}
	if got := (&Action{GateThreshold: Advisory}).Threshold(); got != Advisory {
		t.Errorf("got %q", got)
	}
}

func TestAliasesAreTheStringsOfMetadata(t *testing.T) {
	g := Guideline{Metadata: map[string]any{"aliases": []any{"old", 1, "older"}}}
	if got := fmt.Sprint(g.Aliases()); got != "[old older]" {
		t.Errorf("got %s", got)
	}
	g.Metadata["aliases"] = "old"
	if got := g.Aliases(); got != nil {
		t.Errorf("got %v", got)
	}
}
