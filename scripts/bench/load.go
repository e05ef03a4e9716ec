package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// loadResults measures the server as its callers see it: on the hooks' socket with 200 sessions at the same time, compared
// with a handler of the same server that does nothing, and a start with 10,000 guidelines in the store.
func loadResults() ([]result, error) {
	lines, err := benchmarkLines("-bench", "^Benchmark(Socket|Sessions)$", "-benchtime", "20000x")
	if err != nil {
		return nil, err
	}
	all := map[string]measurement{}
	if err := benchmark("./server", all, "-bench", "^BenchmarkStart$", "-benchtime", "3x", "-count", "3"); err != nil {
		return nil, err
	}
	socket, hook, sessions := lines["Socket/context"], lines["Socket/hook"], lines["Sessions"]
	if socket == nil || hook == nil || sessions == nil || all["Start"].nanoseconds == 0 {
		return nil, fmt.Errorf("the benchmarks of the server do not exist")
	}
	return []result{
		{name: "get_context on the socket, 1,000 guidelines, another session each time: times an empty handler, half of the questions", measured: before(socket, "p50-ratio"), budget: 1.5, limit: 1.5 * tolerance, unit: "×"},
		{name: "the same, 99 of 100 questions", measured: before(socket, "p99-ratio"), budget: 5, limit: 5 * tolerance, unit: "×"},
		{name: "the same for a hook, half of the questions", measured: before(hook, "p50-ratio"), budget: 2, limit: 2 * tolerance, unit: "×"},
		{name: "200 sessions at once: questions that were not answered", measured: before(sessions, "failed"), unit: ""},
		{name: "200 sessions at once: memory grown in the second half", measured: before(sessions, "grown-MiB"), budget: 16, limit: 16, unit: "MiB"},
		{name: "a start with 10,000 guidelines in the store", measured: all["Start"].nanoseconds / 1e6, budget: 500, limit: 500 * tolerance, unit: "ms"},
	}, nil
}

// benchmarkLines runs the benchmarks of the server and keeps the line of each.
func benchmarkLines(how ...string) (map[string][]string, error) {
	out, err := exec.Command("go", append([]string{"test", "./server", "-run", "^$", "-cpu", "2"}, how...)...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("benchmarks of the server: %w\n%s", err, out)
	}
	lines := map[string][]string{}
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		f := strings.Fields(s.Text())
		if len(f) > 0 && strings.HasPrefix(f[0], "Benchmark") {
			lines[strings.TrimSuffix(strings.TrimPrefix(f[0], "Benchmark"), "-2")] = f
		}
	}
	return lines, nil
}
