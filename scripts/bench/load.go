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
	sessions, err := measureSessions()
	if err != nil {
		return nil, err
	}
	all := map[string]measurement{}
	if err := benchmark("./server", all, "-bench", "^BenchmarkStart$", "-benchtime", "3x", "-count", "3"); err != nil {
		return nil, err
	}
	if all["Start"].nanoseconds == 0 {
		return nil, fmt.Errorf("the command \"go test\" did not report BenchmarkStart of the server")
	}
	return []result{
		{
			name: "get_context on the socket, 1,000 guidelines, 200 sessions: 99 of 100 requests", measured: sessions.most,
			budget: 5, limit: 5, unit: "ms", remark: fmt.Sprintf("half of them within %.2f ms; %s", sessions.half, sessions.remark),
		},
		{name: "the same load: requests without an answer", measured: sessions.failed, unit: "", remark: "in all runs"},
		{
			name: "the same load: growth of the memory in the second half of the run", measured: sessions.grown,
			budget: 16, limit: 16, unit: "MiB", remark: sessions.remark,
		},
		{
			name: "a start with 10,000 guidelines in the store", measured: all["Start"].nanoseconds / 1e6, budget: 500,
			limit: 500 * tolerance, unit: "ms",
		},
	}, nil
}

// sessionLoad is the result of several runs of BenchmarkSessions.
type sessionLoad struct {
	// The fields "half" and "most" are the times in milliseconds within which half and 99 of 100 of the requests were
	// answered. The field "grown" is the growth of the memory in MiB. Each field is the median of all runs.
	half, most, grown float64
	// The field "failed" is the number of requests without an answer in all runs.
	failed float64
	remark string
}

// measureSessions runs BenchmarkSessions several times.
func measureSessions() (sessionLoad, error) {
	runs, err := sessionRuns()
	if err != nil {
		return sessionLoad{}, err
	}
	median := func(unit string) float64 {
		var values []float64
		for _, run := range runs {
			values = append(values, numberBefore(run, unit))
		}
		return quantile(values, 0.5)
	}
	out := sessionLoad{
		half: median("p50-ms"), most: median("p99-ms"), grown: median("grown-MiB"),
		remark: fmt.Sprintf("the median of %d runs", len(runs)),
	}
	for _, run := range runs {
		out.failed += numberBefore(run, "failed")
	}
	return out, nil
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
