package guideline

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// eachJSON runs a check on every JSON file of a folder of testdata, with the name of the golden file beside it.
func eachJSON(t *testing.T, folder string, check func(t *testing.T, name string, text []byte, golden string)) {
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(name, ".json"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			check(t, name, text, strings.TrimSuffix(file, ".json")+".golden")
		})
	}
}
