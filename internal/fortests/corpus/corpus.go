// Package corpus gives tests the labelled examples of a detector, and measures the detector with them.
//
// A corpus is a folder of JSON Lines. Every line has the fields of Header, and the fields that the detector needs.
// The examples with the split "train" may be read to improve the detector. The examples with the split "test" may
// only be counted.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Header has the fields that every line has. Label is the answer that a person expects. Note says why.
type Header struct {
	ID, Label, Category, Note, Source, Split string
}

// Head returns the header.
func (h Header) Head() Header { return h }

// Line is one example. It is a struct that embeds Header.
type Line interface{ Head() Header }

// Load reads the lines of all files *.jsonl in a folder. It fails if a field is unknown, wrong or missing, or if two
// lines have the same id.
func Load[L Line](t testing.TB, folder string) []L {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files *.jsonl in %s: %v", folder, err)
	}
	var lines []L
	for _, file := range files {
		lines = append(lines, read[L](t, file)...)
	}
	checkHeaders(t, lines)
	return lines
}

func read[L Line](t testing.TB, file string) (lines []L) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(bytes.NewReader(text))
	scanner.Buffer(nil, len(text)+1)
	for scanner.Scan() {
		var line L
		decoder := json.NewDecoder(bytes.NewReader(scanner.Bytes()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&line); err != nil {
			t.Fatalf("%s:%d: %v", file, len(lines)+1, err)
		}
		lines = append(lines, line)
	}
	return lines
}

func checkHeaders[L Line](t testing.TB, lines []L) {
	seen := map[string]bool{}
	for _, line := range lines {
		h := line.Head()
		if h.ID == "" || seen[h.ID] {
			t.Errorf("the id %q is empty or occurs twice", h.ID)
		}
		seen[h.ID] = true
		if h.Label == "" || h.Note == "" {
			t.Errorf("%s has no label or no note", h.ID)
		}
		if !slices.Contains([]string{"written", "idiom", "paraphrase", "published"}, h.Source) {
			t.Errorf("%s has the source %q", h.ID, h.Source)
		}
		if !slices.Contains(splits(), h.Split) {
			t.Errorf("%s has the split %q", h.ID, h.Split)
		}
	}
}

func splits() []string { return []string{"train", "test"} }
