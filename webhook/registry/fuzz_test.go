package registry_test

import (
	"testing"

	"guardrails/internal/document"
	"guardrails/webhook/registry"
)

// FuzzDecode fails if Decode reports no mistake, but the choice that it returns lacks a field of the request.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"url": "https://example.com/", "events": ["safety.*"], "allow_private": false, "enabled": true}`))
	f.Add([]byte(`{"url": null, "format": 3, "events": "x", "description": "\u0000", "more": {}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, problems := document.ParseJSON("", text)
		if n == nil || len(problems) > 0 || n.Kind != document.Object {
			return
		}
		var d document.Decoder
		c := registry.Decode(&d, n)
		if len(d.Problems) > 0 {
			return
		}
		given := map[string]bool{
			"url": c.URL != nil, "format": c.Format != nil, "events": c.Events != nil, "allow_private": c.AllowPrivate != nil,
			"description": c.Description != nil, "enabled": c.Enabled != nil,
		}
		for _, field := range n.Fields {
			if !given[field.Name] {
				t.Fatalf("%q is lost from %q", field.Name, text)
			}
		}
	})
}
