package guideline

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// eachJSON calls check() for every JSON file in a folder of testdata. The argument "golden" is the path of the
// file's golden file.
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

// checkLimit calls run() up to five times. The test fails only if every call takes longer than the limit, because a
// busy machine can make single calls slow.
func checkLimit(t *testing.T, limit time.Duration, what string, run func()) {
	t.Helper()
	var took time.Duration
	for range 5 {
		begin := time.Now()
		run()
		if took = time.Since(begin); took <= limit {
			return
		}
	}
	t.Errorf("%s: %v, more than %v", what, took, limit)
}
