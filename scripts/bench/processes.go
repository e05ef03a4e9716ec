package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// processResults times whole processes in turn with an empty Go program.
func processResults(rounds int) ([]result, error) {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	empty := filepath.Join(dir, "empty")
	if err := buildEmpty(dir, empty); err != nil {
		return nil, err
	}
	tool, err := filepath.Abs("bin/guardrails")
	if err != nil {
		return nil, err
	}
	evaluate := []string{tool, "evaluate", "--agent", "backend", "--action", "implement", "-o", "json"}
	ratio, err := compare(dir, []string{empty}, evaluate, rounds)
	if err != nil {
		return nil, err
	}
	return []result{{"guardrails evaluate as a process: times an empty Go program", ratio, 3, "×"}}, nil
}

func buildEmpty(dir, binary string) error {
	files := map[string]string{"go.mod": "module empty\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() {}\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildmode=exe", "-ldflags", "-s -w", "-o", binary, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the empty program: %w\n%s", err, out)
	}
	return nil
}

// compare runs two commands in turn and returns the ratio of their median times.
func compare(dir string, base, other []string, rounds int) (float64, error) {
	var a, b []float64
	for i := range rounds + 5 {
		x, err := timed(dir, base)
		if err != nil {
			return 0, err
		}
		y, err := timed(dir, other)
		if err != nil {
			return 0, err
		}
		if i >= 5 { // the first rounds warm the file cache
			a, b = append(a, x), append(b, y)
		}
	}
	return median(b) / median(a), nil
}

func timed(dir string, argv []string) (float64, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%v: %w", argv, err)
	}
	return float64(time.Since(start)), nil
}
