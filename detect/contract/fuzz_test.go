package contract_test

import (
	"encoding/json"
	"testing"

	"guardrails/detect/contract"
)

func FuzzCall(f *testing.F) {
	for _, name := range contract.Names() {
		var schema struct {
			Examples []struct{ Input json.RawMessage }
		}
		if err := json.Unmarshal(contract.Text(name), &schema); err != nil {
			f.Fatal(err)
		}
		for _, e := range schema.Examples {
			f.Add([]byte(e.Input))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, name := range contract.Names() {
			answer, err := contract.Call(name, input)
			problems := asProblems(err)
			if (err == nil) != (answer != nil) || (err != nil) != (len(problems) > 0) {
				t.Fatalf("%s: %v and %v", name, answer, err)
			}
			for _, p := range problems {
				if p.Code == "" || p.Error() == "" {
					t.Errorf("%s: %+v", name, p)
				}
			}
			if text, err := json.Marshal(answer); err != nil || !json.Valid(text) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
