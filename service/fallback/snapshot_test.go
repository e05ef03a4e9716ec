package fallback

import "testing"

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
