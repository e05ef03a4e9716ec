package remote

import "testing"

func FuzzServerAnswer(f *testing.F) {
	f.Add([]byte(`{"result": {"structuredContent": {"success": true, "source": "files", "definitions": [{"id": "a", "name": "a", "category": "custom", "action": {"type": "instruction"}}]}}}`))
	f.Add([]byte(`{"result": {"content": [{"text": "{\"success\": true, \"definitions\": []}"}]}}`))
	f.Add([]byte(`{"error": {"message": 3}}`))
	f.Add([]byte(`{"result": {"isError": true, "content": [[]]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		answer, err := toolAnswer(text)
		if err != nil {
			return
		}
		if sources, _, err := definitions(answer, "server"); err != nil && len(sources) > 0 {
			t.Fatalf("%d guidelines with error %v", len(sources), err)
		}
	})
}
