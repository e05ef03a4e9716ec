package guideline

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func FuzzParseJSON(f *testing.F) {
	for _, folder := range []string{"invalid", "canonical"} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.json"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := Parse("g.json", text)
		if err != nil {
			return
		}
		once, err := Encode(&g)
		if err != nil {
			t.Fatalf("%+v cannot be written: %v", g, err)
		}
		again, err := Parse("g.json", once)
		if err != nil {
			t.Fatalf("%s cannot be read again: %v", once, err)
		}
		if twice, err := Encode(&again); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("once:  %s\ntwice: %s %v", once, twice, err)
		}
	})
}
