package access

import "testing"

func FuzzDecodeToken(f *testing.F) {
	f.Add([]byte(`{"name":"ci","tenant":"t","role":"read","sha256":"0000000000000000000000000000000000000000000000000000000000000000","created":"2026-02-05T10:00:00Z","expires":"2026-02-06T10:00:00Z"}`))
	f.Add([]byte(`{"name":"","role":"admin","sha256":"00"}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		token, err := decodeToken(text)
		if err != nil {
			return
		}
		again, err := token.encode()
		if err != nil {
			return // a time beyond the year 9999
		}
		if back, err := decodeToken(again); err != nil || back.Name != token.Name || back.Tenant != token.Tenant ||
			back.Role != token.Role || back.hash != token.hash {
			t.Errorf("%s\nwas encoded as %s: %v", text, again, err)
		}
	})
}
