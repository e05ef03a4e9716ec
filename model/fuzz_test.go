package model

import (
	"encoding/json"
	"testing"
)

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"tool_use","name":"judge","input":{"ok":true,"why":"x"}}]}`))
	f.Add([]byte(`{"content":[{"type":"text","text":"SAFE"}]}`))
	f.Add([]byte(`{"content":[{"type":"tool_use","name":"judge","input":{"ok":true,"ok":false,"why":null}}]}`))
	tool := Tool{Name: "judge", Fields: []Field{{Name: "ok", IsFlag: true}, {Name: "why", Most: 10, OrNull: true}}}
	f.Fuzz(func(t *testing.T, body []byte) {
		input, err := decode(body, &tool)
		if err != nil {
			return
		}
		var read struct {
			OK  *bool
			Why *string
		}
		if err := json.Unmarshal(input, &read); err != nil || read.OK == nil {
			t.Fatalf("accepted %s: %v", input, err)
		}
	})
}
