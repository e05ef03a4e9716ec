package guideline

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"testing"
	"time"

	"guardrails/internal/document"
)

func TestCustomConditionsNeedACommonValueForEveryKey(t *testing.T) {
	text, err := os.ReadFile("testdata/custom.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		What  string
		Cases []struct {
			Custom, Metadata map[string]any
			Match            bool
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&table); err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Cases {
		if got := CustomMatches(c.Custom, c.Metadata); got != c.Match {
			t.Errorf("%v matches %v: %v, want %v", c.Custom, c.Metadata, got, c.Match)
		}
	}
}

func TestCustomConditionsMatchNumbersOfGoCode(t *testing.T) {
	for _, n := range []any{2, 2.0, document.Numeral("2"), document.Numeral("2.00"), json.Number("2")} {
		if !CustomMatches(map[string]any{"a": document.Numeral("2")}, map[string]any{"a": n}) {
			t.Errorf("2 is not %T(%v)", n, n)
		}
	}
	if CustomMatches(map[string]any{"a": int64(2)}, map[string]any{"a": int64(2)}) {
		t.Error("a value of a type that documents never have is equal to another value")
	}
}

func TestLongCustomListsAreComparedInLinearTime(t *testing.T) {
	var mine, theirs []any
	for i := range 200_000 {
		mine = append(mine, "a"+strconv.Itoa(i))
		theirs = append(theirs, "b"+strconv.Itoa(i))
	}
	checkLimit(t, 5*time.Second, "200,000 items each", func() {
		if CustomMatches(map[string]any{"a": mine}, map[string]any{"a": theirs}) {
			t.Error("lists without a common element match")
		}
	})
}
