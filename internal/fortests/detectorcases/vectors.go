// Package detectorcases gives tests the cases in detect/testdata/detectors.json: inputs of the detectors, each with the
// answer that the detector must give.
package detectorcases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// File contains all cases.
type File struct {
	Detectors  []Case
	Similarity []struct {
		ID, A, B string
		TokensA  []string `json:"tokens_a"`
		TokensB  []string `json:"tokens_b"`
		Jaccard  float64
	}
	PII []struct {
		ID, About, Text, Masked string
		Options                 []string
		Expect                  []struct{ Category, Text string }
	}
	ToolLoops []struct {
		ID, About string
		Calls     json.RawMessage
		Expect    map[string]any
	} `json:"tool_loops"`
	Policies   []Policy
	RiskScores []struct {
		ID, Category  string
		Strengths     []string
		BenignContext bool `json:"benign_context"`
		Expect        struct {
			RiskScore float64 `json:"risk_score"`
			Action    string
		}
	} `json:"risk_scores"`
	Signatures []struct {
		ID, Secret, Body, Expect string
		Timestamp                int64
	}
	Cooldowns []struct {
		ID, About string
		Rule      any
		Steps     []struct {
			At                 float64
			About              string
			Events, Suppressed []string
		}
	}
}

// Policy has rules, facts, and the answer that the rules must give for these facts.
type Policy struct {
	ID, About    string
	Rules, Facts any
	Expect       map[string]any
}

// Case is an input of a tool, with the answer or the problems that it must give.
type Case struct {
	ID, Tool, About string
	Input           any
	Expect          map[string]any
	ExpectError     []struct{ Code, Path string } `json:"expect_error"`
}

// Load reads the cases from a file.
func Load(t testing.TB, file string) *File {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var f File
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return &f
}

// Arguments returns the input of a case as JSON.
func (c *Case) Arguments(t testing.TB) []byte {
	t.Helper()
	text, err := json.Marshal(expand(c.Input))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// LoopArguments returns the arguments of a tool-loop case as JSON.
func LoopArguments(calls json.RawMessage) []byte {
	return slices.Concat([]byte(`{"calls":`), calls, []byte(`}`))
}

// expand() replaces the short forms of long values: {"$repeat": [text, n]}, {"$concat": [...]} and {"$times": [value,
// n]}.
func expand(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = expand(v[i])
		}
		return out
	case map[string]any:
		for key, inner := range v {
			if list, ok := inner.([]any); ok && strings.HasPrefix(key, "$") {
				return long(key, list)
			}
		}
		out := map[string]any{}
		for key, inner := range v {
			out[key] = expand(inner)
		}
		return out
	}
	return value
}

func long(kind string, list []any) any {
	switch kind {
	case "$repeat":
		return strings.Repeat(list[0].(string), int(list[1].(float64)))
	case "$times":
		return slices.Repeat([]any{expand(list[0])}, int(list[1].(float64)))
	}
	var b strings.Builder
	for _, part := range list {
		fmt.Fprint(&b, expand(part))
	}
	return b.String()
}

// Check fails if a value in the parameter "expect" is missing from the answer. The parameter "answer" is the JSON of
// the answer.
func Check(t testing.TB, id string, expect map[string]any, answer []byte) {
	t.Helper()
	var got map[string]any
	decoder := json.NewDecoder(bytes.NewReader(answer))
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("%s: %v\n%s", id, err, answer)
	}
	for key, want := range expect {
		if have := value(got, key); !equal(key, want, have) {
			t.Errorf("%s: %s is %v, want %v\n%s", id, key, have, want, answer)
		}
	}
}

// value() returns the part of an answer that is compared with the expected value of a key.
func value(got map[string]any, key string) any {
	switch key {
	case "heuristic":
		h, _ := got["heuristic"].(map[string]any)
		return h["name"]
	case "override_tokens":
		tokens := []any{}
		options, _ := got["override_options"].([]any)
		for _, o := range options {
			option, _ := o.(map[string]any)
			tokens = append(tokens, option["token"])
		}
		return tokens
	case "counter_prompt":
		text, _ := got["counter_prompt"].(string)
		return text != ""
	}
	return got[key]
}

func equal(key string, want, have any) bool {
	w, isNumber := want.(float64)
	h, _ := have.(float64)
	switch {
	case isNumber && key == "confidence":
		return have != nil && math.Abs(w-h) <= 1e-4
	case isNumber:
		return have != nil && math.Abs(w-h) <= 1e-9
	}
	list, isList := want.([]any)
	if !isList {
		if object, ok := want.(map[string]any); ok {
			return equalObject(object, have)
		}
		return reflect.DeepEqual(want, have)
	}
	other, ok := have.([]any)
	if !ok || len(list) != len(other) {
		return false
	}
	for i := range list {
		if !equal("", list[i], other[i]) {
			return false
		}
	}
	return true
}

func equalObject(want map[string]any, have any) bool {
	other, ok := have.(map[string]any)
	if !ok {
		return false
	}
	for key := range want {
		if !equal(key, want[key], other[key]) {
			return false
		}
	}
	return true
}
