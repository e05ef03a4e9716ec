package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"guardrails/internal/fortests/slowness"
)

// The type "measurement" is the result of a benchmark's fastest run. Other work on the machine disturbs the fastest run
// least.
type measurement struct{ nanoseconds, allocations float64 }

// functionResults runs the Go benchmarks of functions and compares them with the budgets.
func functionResults() ([]result, error) {
	all := map[string]measurement{}
	var slow []float64
	for _, pkg := range []string{
		"./evaluator", "./detect", "./detect/toolcall", "./detect/talk", "./detect/loop", "./detect/pii", "./detect/safety", "./policy",
	} {
		slow = append(slow, slowness.Now())
		if err := benchmark(pkg, all, "-bench", ".", "-benchtime", "200ms", "-count", "5"); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{
		"Match1000", "Match10000", "Compile1000", "TypicalCommand", "Script100KB", "Detect2KB", "Policies",
		"Safety/prose_2_KiB", "Safety/prose_32_KiB", "Answer/prose_2_KiB",
	} {
		if _, ok := all[name]; !ok {
			return nil, fmt.Errorf("the benchmark %s does not exist", name)
		}
	}
	micro := func(name string) float64 { return all[name].nanoseconds / 1e3 }
	results := []result{
		{name: "evaluate a context, 1,000 guidelines", measured: micro("Match1000"), budget: 50, unit: "µs"},
		{name: "evaluate a context, 1,000 guidelines: allocations", measured: all["Match1000"].allocations, budget: 0, unit: ""},
		{name: "10,000 guidelines, the same ten match: times 1,000", measured: micro("Match10000") / micro("Match1000"), budget: 2, unit: "×"},
		{name: "compile 1,000 guidelines", measured: micro("Compile1000") / 1e3, budget: 20, unit: "ms"},
		{name: "effects of a typical Bash call", measured: micro("TypicalCommand"), budget: 30, unit: "µs"},
		{name: "effects of a 100 KB script", measured: micro("Script100KB") / 1e3, budget: 20, unit: "ms"},
		{name: "detect the context of a 2 KB prompt", measured: micro("Detect2KB"), budget: 20, unit: "µs"},
		{name: "apply 500 rules of a policy file to 2 KB", measured: micro("Policies"), budget: 50, unit: "µs"},
		{name: "check a message of 2 KiB", measured: micro("Safety/prose_2_KiB"), budget: 100, unit: "µs"},
		{name: "check a message of 32 KiB", measured: micro("Safety/prose_32_KiB") / 1e3, budget: 5, unit: "ms"},
		{name: "six gates and personal data for an answer of 2 KiB", measured: micro("Answer/prose_2_KiB"), budget: 200, unit: "µs"},
	}
	for _, detector := range []string{"Talk", "Loop", "PII"} {
		small, large := slowestOf(all, detector, "2_KiB"), slowestOf(all, detector, "100_KiB")
		if small == 0 || large == 0 {
			return nil, fmt.Errorf("the benchmarks %s do not exist", detector)
		}
		results = append(results,
			result{name: "slowest of " + detector + " on 2 KiB", measured: small / 1e3, budget: 100, unit: "µs"},
			result{name: "slowest of " + detector + " on 100 KiB", measured: large / 1e6, budget: 5, unit: "ms"})
	}
	slices.Sort(slow)
	for i := range results {
		results[i].scale(slow[len(slow)/2])
		results[i].limit = results[i].budget * tolerance
	}
	return results, nil
}

// slowestOf returns how many nanoseconds the slowest benchmark of a detector takes with a text of the given size.
func slowestOf(all map[string]measurement, detector, size string) float64 {
	most := 0.0
	for name, m := range all {
		if strings.HasPrefix(name, detector+"/") && strings.HasSuffix(name, "_"+size) {
			most = max(most, m.nanoseconds)
		}
	}
	return most
}

// scale() increases the budget for a time if this computer is slower than the computer for which the budget was set.
func (r *result) scale(slow float64) {
	if strings.HasSuffix(r.unit, "s") && slow > 1 {
		r.remark = fmt.Sprintf("the budget of %.0f %s is for a computer that does the reference task in %v; this one takes %.2f times as long",
			r.budget, r.unit, slowness.Usual, slow)
		r.budget *= slow
	}
}

// benchmark() runs the benchmarks of a package. For each benchmark, it keeps the fastest run.
func benchmark(pkg string, into map[string]measurement, how ...string) error {
	out, err := exec.Command("go", append([]string{"test", pkg, "-run", "^$", "-benchmem"}, how...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("benchmarks of %s: %w\n%s", pkg, err, out)
	}
	processors := "-" + strconv.Itoa(runtime.GOMAXPROCS(0)) // the end of a name, unless there is one processor
	times, allocations := map[string][]float64{}, map[string][]float64{}
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		f := strings.Fields(s.Text())
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(f[0], "Benchmark"), processors)
		times[name] = append(times[name], numberBefore(f, "ns/op"))
		allocations[name] = append(allocations[name], numberBefore(f, "allocs/op"))
	}
	for name := range times {
		into[name] = measurement{slices.Min(times[name]), slices.Min(allocations[name])}
	}
	return nil
}

// numberBefore returns the number to the left of a unit in the output of a benchmark.
func numberBefore(fields []string, unit string) float64 {
	if i := slices.Index(fields, unit); i > 0 {
		v, _ := strconv.ParseFloat(fields[i-1], 64)
		return v
	}
	return 0
}
