package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// measurement is what one benchmark gave: the fastest of its runs, which other work on the machine disturbs least.
type measurement struct{ nanoseconds, allocations float64 }

// functionResults runs the Go benchmarks and holds them against the budgets.
func functionResults() ([]result, error) {
	all := map[string]measurement{}
	for _, pkg := range []string{"./evaluator", "./detect", "./detect/tooluse"} {
		if err := benchmark(pkg, all); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"Match1000", "Match10000", "Compile1000", "TypicalCommand", "Script100KB", "Detect2KB"} {
		if _, ok := all[name]; !ok {
			return nil, fmt.Errorf("the benchmark %s is gone", name)
		}
	}
	micro := func(name string) float64 { return all[name].nanoseconds / 1e3 }
	return []result{
		{"evaluate a context, 1,000 guidelines", micro("Match1000"), 50, "µs"},
		{"allocations of it", all["Match1000"].allocations, 0, ""},
		{"10,000 guidelines, the same ten match: times 1,000", micro("Match10000") / micro("Match1000"), 2, "×"},
		{"compile 1,000 guidelines", micro("Compile1000") / 1e3, 20, "ms"},
		{"effects of a typical Bash call", micro("TypicalCommand"), 30, "µs"},
		{"effects of a 100 KB script", micro("Script100KB") / 1e3, 20, "ms"},
		{"detect the context of a 2 KB prompt", micro("Detect2KB"), 20, "µs"},
	}, nil
}

// benchmark runs a package's benchmarks five times and keeps the fastest.
func benchmark(pkg string, into map[string]measurement) error {
	out, err := exec.Command("go", "test", pkg, "-run", "^$", "-bench", ".", "-benchmem", "-benchtime", "200ms", "-count", "5").CombinedOutput()
	if err != nil {
		return fmt.Errorf("benchmarks of %s: %w\n%s", pkg, err, out)
	}
	times, allocations := map[string][]float64{}, map[string][]float64{}
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		f := strings.Fields(s.Text())
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(f[0], "Benchmark"), "-")
		times[name] = append(times[name], before(f, "ns/op"))
		allocations[name] = append(allocations[name], before(f, "allocs/op"))
	}
	for name := range times {
		into[name] = measurement{slices.Min(times[name]), slices.Min(allocations[name])}
	}
	return nil
}

// before is the number that stands before a unit in a benchmark's line.
func before(fields []string, unit string) float64 {
	if i := slices.Index(fields, unit); i > 0 {
		v, _ := strconv.ParseFloat(fields[i-1], 64)
		return v
	}
	return 0
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
