package fallback

import (
	"bufio"
	"bytes"
	"fmt"
	"testing"

	"guardrails/guideline"
)

// The parser must read what SaveShared writes. For any text, it must return either a result or an error.
func FuzzShared(f *testing.F) {
	var list []*guideline.Guideline
	for _, g := range named("a", "b") {
		list = append(list, &g.Guideline)
	}
	var written bytes.Buffer
	out := bufio.NewWriter(&written)
	_, _ = fmt.Fprintf(out, sharedHead, 7, `"time":"2026-02-05T10:00:00Z",`)
	if err := writeGuidelines(out, list); err != nil {
		f.Fatal(err)
	}
	if s, err := parseShared(written.Bytes()); err != nil || s.Changes != 7 || len(s.Guidelines) != 2 {
		f.Fatalf("got %+v, %v", s, err)
	}
	f.Add(written.Bytes())
	f.Add([]byte(`{"format":1,"changes":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := parseShared(text); (s == nil) != (err != nil) {
			t.Fatalf("got %v with error %v", s, err)
		}
	})
}

func FuzzSnapshot(f *testing.F) {
	f.Add([]byte(`{"format":1,"project":"/p","time":"2026-02-05T10:00:00Z","settings":{"tenant":"","strict":true},"guidelines":[]}`))
	f.Add([]byte(`{"format":1,"project":"/p","time":"2026-02-05T10:00:00Z","settings":{},"guidelines":[{"id":"a","name":"a","category":"custom","action":{"type":"instruction"}}]}`))
	f.Add([]byte(`{"format":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := parseSnapshot("/p", text); (s == nil) != (err != nil) {
			t.Fatalf("got %v with error %v", s, err)
		}
	})
}
