package cache_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/internal/private"
)

// stored() returns the encoded document after Seal has set the time and the signature.
func stored(t testing.TB, b *cache.Body, when time.Time) []byte {
	t.Helper()
	doc, err := cache.Encode(b)
	if err != nil {
		t.Fatal(err)
	}
	seal(t, doc, when)
	return doc
}

var key = private.Key{}.For("a session")

func seal(t testing.TB, doc []byte, when time.Time) {
	t.Helper()
	if err := cache.Seal(doc, when, key); err != nil {
		t.Fatal(err)
	}
}

func opened(doc []byte, at time.Time) (*cache.Cache, error) {
	return cache.Read(bytes.NewReader(doc), int64(len(doc)), at, key)
}

func empty() []cache.Layer { return make([]cache.Layer, 1) }

func full(t testing.TB) *cache.Body {
	t.Helper()
	yes, two := true, 2
	only := cache.Layer{
		Context: guideline.Context{
			Agent: "backend", Domain: "data", Action: "implement", GateType: "deploy", TenantID: "acme",
			Metadata: map[string]any{
				"text": "a\"b\n日", "yes": true, "whole": 3, "large": int64(1 << 40), "part": 1.5, "list": []any{"a", 1, nil}, "map": map[string]any{"b": 1, "a": "x"},
				"number": json.Number("12.50"), "nothing": nil,
			},
		},
		Guidelines: append(packs(t), guideline.Guideline{
			ID: "limits", Name: "Limits", Enabled: true, Category: guideline.Custom, Priority: 5,
			Action: guideline.Action{Type: guideline.Constraint, MaxFiles: &two, RequireTests: &yes, RequireReview: &yes},
		}),
		Exceptions: []cache.Exception{
			{Guideline: "a", Tools: []string{"Write(x/*)", "Bash"}, Reason: "the \"move\"", Expires: now.Add(time.Hour)},
			{Guideline: "b", Reason: "", Expires: now},
		},
	}
	return &cache.Body{
		Layers: []cache.Layer{only}, Strict: true, TTL: 300, Source: "store", Reason: "the server is away",
	}
}

func TestDocumentRoundTrips(t *testing.T) {
	b := full(t)
	doc := stored(t, b, now)
	if !json.Valid(doc) {
		t.Fatalf("not JSON: %s", doc)
	}
	c, err := opened(doc, now)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := c.Relevant(aWrite())
	if err != nil || !reflect.DeepEqual(layers[0].Exceptions, b.Layers[0].Exceptions) {
		t.Errorf("got %+v, %v", layers, err)
	}
	if !c.Strict || c.Source != b.Source || c.Reason != b.Reason || !c.Since.Equal(now) {
		t.Errorf("got %+v", c)
	}
	if c.Context().Agent != "backend" || c.Context().TenantID != "acme" || c.Context().GateType != "deploy" || c.Context().Metadata["text"] != "a\"b\n日" || len(c.Context().Metadata) != 9 {
		t.Errorf("got %+v", c.Context())
	}
}

func TestDocumentExpires(t *testing.T) {
	for after, want := range map[time.Duration]error{
		-time.Hour: cache.ErrFuture, -time.Second: cache.ErrFuture, 0: nil, 299 * time.Second: nil, 300 * time.Second: cache.ErrExpired, 24 * time.Hour: cache.ErrExpired,
	} {
		if _, err := opened(stored(t, &cache.Body{Layers: empty(), TTL: 300}, now), now.Add(after)); !errors.Is(err, want) {
			t.Errorf("%s later: got %v, want %v", after, err, want)
		}
	}
	if _, err := opened(stored(t, &cache.Body{Layers: empty(), TTL: 1 << 30}, now), now.Add(cache.MaxTTL*time.Second)); !errors.Is(err, cache.ErrExpired) {
		t.Errorf("the document is fresh for longer than MaxTTL: %v", err)
	}
}

func TestUnstampedDocumentIsNotFresh(t *testing.T) {
	doc, err := cache.Encode(&cache.Body{Layers: empty(), TTL: 300})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened(doc, now); err == nil {
		t.Error("a document without a timestamp is fresh")
	}
	for size := range doc {
		if err := cache.Seal(bytes.Clone(doc[:size]), now, key); size < 200 && err == nil {
			t.Errorf("the first %d bytes are signed", size)
		}
	}
}

func TestTruncatedDocumentIsNeverFresh(t *testing.T) {
	doc := stored(t, full(t), now)
	for size := range doc {
		if size > 400 && size%97 != 0 {
			continue
		}
		if _, err := opened(doc[:size], now); err == nil {
			t.Errorf("the first %d of %d bytes are fresh", size, len(doc))
		}
	}
	if _, err := cache.Read(bytes.NewReader(doc), int64(len(doc))+1, now, key); err == nil {
		t.Error("a document shorter than its size is fresh")
	}
}

// small() returns a document with two guidelines. Both are relevant for a call that writes a.go.
func small(t testing.TB) string {
	t.Helper()
	deny := guideline.Action{Type: guideline.ToolRestriction, ToolsDenied: []string{"Write(a*)"}}
	b := cache.Body{TTL: 300, Source: "files", Layers: []cache.Layer{
		{Exceptions: []cache.Exception{{Guideline: "x", Expires: now}}},
	}}
	for _, id := range []string{"one", "two"} {
		g := guideline.Guideline{ID: id, Name: id, Enabled: true, Category: guideline.Custom, Action: deny}
		b.Layers[0].Guidelines = append(b.Layers[0].Guidelines, g)
	}
	return string(stored(t, &b, now))
}

func aWrite() *effect.Analysis {
	return toolcall.Analyze(&environment, "Write", []byte(`{"file_path":"a.go"}`))
}

func TestEveryAlteredByteIsDetected(t *testing.T) {
	doc := small(t)
	head, bodies := strings.Index(doc, "\n")+1, strings.Index(doc, "\"guidelines\":[\n")+len("\"guidelines\":[\n")
	end := strings.Index(doc, "\n],\n\"tool_restrictions\"")
	between := bodies + strings.Index(doc[bodies:], ",\n")
	for i := head; i < end; i++ {
		if i == between || i == between+1 {
			continue // no checksum covers the separator
		}
		altered := []byte(doc)
		altered[i] ^= 1
		c, err := opened(altered, now)
		if err == nil && i >= bodies {
			_, err = c.Relevant(aWrite())
		}
		if !errors.Is(err, cache.ErrBroken) && !errors.Is(err, cache.ErrUnsigned) {
			t.Errorf("byte %d of %d, in %q: %v", i, len(doc), doc[max(0, i-10):i+10], err)
		}
	}
}

// changed() replaces a text in the document and signs the head again.
func changed(t *testing.T, doc, old, new string) []byte {
	t.Helper()
	if !strings.Contains(doc, old) || len(old) != len(new) {
		t.Fatalf("cannot write %q over %q in %s", new, old, doc)
	}
	doc = strings.Replace(doc, old, new, 1)
	return cache.SignHead([]byte(doc), key)
}

func TestSignedDocumentIsStillChecked(t *testing.T) {
	doc := small(t)
	for old, wrong := range map[string]string{
		`"strict":false`: `"strict":"no" `, `"source":"files"`: `"source":["fil"]`, `"context":{`: `"context":[`, `"expires":"2026`: `"expires":"late`,
		`"index":[`: `"indox":[`, "\n],\n\"guidelines\"": "\n ,\n\"guidelines\"",
	} {
		if _, err := opened(changed(t, doc, old, wrong), now); !errors.Is(err, cache.ErrBroken) || err.Error() == "" {
			t.Errorf("%s: got %v", wrong, err)
		}
	}
	first := doc[strings.Index(doc, "\"index\":[\n")+len("\"index\":[\n"):]
	line, _, _ := strings.Cut(first, ",\n")
	for _, wrong := range []string{
		strings.Replace(line, ",", "x", 1), strings.Replace(line, ",", ";", 2), strings.ReplaceAll(line, ",", " "), "x" + line[1:], line[:len(line)-1] + "x",
	} {
		c, err := opened(changed(t, doc, line, wrong), now)
		if err == nil {
			_, err = c.Relevant(aWrite())
		}
		if !errors.Is(err, cache.ErrBroken) {
			t.Errorf("%s: got %v", wrong, err)
		}
	}
}

func TestInvalidDocumentReportsWhy(t *testing.T) {
	doc := string(stored(t, full(t), now))
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"an empty file":       {"", cache.ErrBroken},
		"another event table": {strings.Replace(doc, effect.TableHash, "00000000", 1), cache.ErrFormat},
		"other JSON":          {`{"format":3` + strings.Repeat(" ", 500) + "}", cache.ErrFormat},
		"an invalid time":     {strings.Replace(doc, `"timestamp":"20`, `"timestamp":"xx`, 1), cache.ErrBroken},
		"a negative time":     {strings.Replace(doc, `"ttl_seconds": 300`, `"ttl_seconds":-300`, 1), cache.ErrBroken},
		"an invalid size":     {strings.Replace(doc, `"size":`, `"size":x`, 1), cache.ErrBroken},
	} {
		if _, err := opened([]byte(c.text), now); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(stored(f, &cache.Body{Layers: empty(), TTL: 300}, now))
	f.Add([]byte(small(f)))
	f.Add([]byte(`{"format":1,"timestamp":"`))
	call := toolcall.AnalyzeCommand(&environment, "rm -rf src && echo x > a.go; git commit -m x")
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := opened(text, now)
		if err != nil {
			return
		}
		_, err = c.Relevant(call)
		if err != nil && !errors.Is(err, cache.ErrBroken) && !errors.Is(err, cache.ErrUnsigned) {
			t.Errorf("%v", err)
		}
	})
}
