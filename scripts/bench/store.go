package main

import (
	"fmt"
	"strings"
)

// storeResults measures how long a store with 10,000 guidelines and 1,000,000 audit entries takes to return a page.
// Filling the store takes a minute. The budget of a page is a delay that people do not notice.
func storeResults() ([]result, error) {
	all := map[string]measurement{}
	if err := benchmark("./store/sqlite", all, "-bench", "^Benchmark(Guidelines|Audit)$", "-benchtime", "10x",
		"-count", "2", "-timeout", "20m"); err != nil {
		return nil, err
	}
	if err := benchmark("./store/sqlite", all, "-bench", "^BenchmarkAppend$/callers-64", "-benchtime", "20000x", "-count", "3"); err != nil {
		return nil, err
	}
	guidelines, list := slowest(all, "Guidelines/", "Guidelines/all")
	const twoFilters = "Audit/actor-result"
	entries, page := slowest(all, "Audit/", twoFilters)
	both, measuredBoth := all[twoFilters]
	each, measured := all["Append/callers-64"]
	if list == "" || page == "" || !measured || !measuredBoth {
		return nil, fmt.Errorf("the benchmarks of the store do not exist")
	}
	return []result{
		{name: "slowest page of 10,000 guidelines (" + list + ")", measured: guidelines / 1e6, budget: 50, limit: 50 * tolerance, unit: "ms"},
		{name: "slowest page of 1,000,000 audit entries (" + page + ")", measured: entries / 1e6, budget: 50, limit: 50 * tolerance, unit: "ms"},
		{
			name:     "a page of 1,000,000 audit entries, with two filters that each match many entries",
			measured: both.nanoseconds / 1e6, budget: 500, limit: 500 * tolerance, unit: "ms",
		},
		{
			name:     "an append to the audit on the disk, by 64 callers at the same time (200 µs are 5,000 a second)",
			measured: each.nanoseconds / 1e3, budget: 200, limit: 200 * tolerance, unit: "µs",
		},
	}, nil
}

// slowest() returns the slowest benchmark of a group and its time. It ignores the benchmarks whose names are in the
// parameter "except".
func slowest(all map[string]measurement, group string, except ...string) (nanoseconds float64, name string) {
	for benchmark, m := range all {
		skip := !strings.HasPrefix(benchmark, group)
		for _, e := range except {
			skip = skip || benchmark == e
		}
		if !skip && m.nanoseconds > nanoseconds {
			nanoseconds, name = m.nanoseconds, strings.TrimPrefix(benchmark, group)
		}
	}
	return nanoseconds, name
}
