package toolcall

import (
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"guardrails/detect/toolcall/words"
)

func TestDecodersAgreeWithTheStandardLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		text := someText(random, "AQZaqz059+/=-_!\xff")
		if random.IntN(2) == 0 {
			text = base64.StdEncoding.EncodeToString([]byte(text))
		}
		want, err := base64.StdEncoding.DecodeString(text)
		checkDecoded(t, text, words.FromBase64, string(want), err)
		want, err = base64.RawStdEncoding.DecodeString(text)
		checkDecoded(t, text, words.FromPlainBase64, string(want), err)
		text = someText(random, "0123456789abcdefABCDEFg-")
		want, err = hex.DecodeString(text)
		checkDecoded(t, text, words.FromHex, string(want), err)
	}
}

func someText(random *rand.Rand, letters string) string {
	text := make([]byte, random.IntN(12))
	for i := range text {
		text[i] = letters[random.IntN(len(letters))]
	}
	return string(text)
}

func checkDecoded(t *testing.T, text string, decode func(string) (string, bool), want string, err error) {
	t.Helper()
	if got, ok := decode(text); ok != (err == nil) || ok && got != want {
		t.Fatalf("%q: got %q, %v, want %q, %v", text, got, ok, want, err)
	}
}

func TestDecodersStepOverWhiteSpace(t *testing.T) {
	if got, ok := words.FromBase64("cm0g\nLXJm IC8=\n"); got != "rm -rf /" || !ok {
		t.Errorf("got %q, %v", got, ok)
	}
	if got, ok := words.FromHex("72 6d\n0A"); got != "rm\n" || !ok {
		t.Errorf("got %q, %v", got, ok)
	}
}
