package reach

import (
	"encoding/json"
	"strings"
	"testing"
)

func BenchmarkCallAnswer(b *testing.B) {
	cache, err := json.Marshal(strings.Repeat(`{"id":"security-history","name":"History and other people's work"}`+"\n", 6000))
	if err != nil {
		b.Fatal(err)
	}
	structured := `{"session_cache":` + string(cache) + `}`
	text, err := json.Marshal(structured)
	if err != nil {
		b.Fatal(err)
	}
	for name, result := range map[string]string{
		"structured": `{"structuredContent":` + structured + `}`,
		"text":       `{"content":[{"type":"text","text":` + string(text) + `}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			message := []byte(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := callAnswer(message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
