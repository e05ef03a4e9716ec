// Bench measures the budgets and fails when one is missed. Times of functions are the fastest of five runs of Go
// benchmarks; they may be over their budgets by a quarter, and are called so. A slower computer, as a reference work beside
// them tells, has budgets that are larger in proportion. Whole processes are timed in turn with an empty Go program and
// compared by their medians, because machines differ. Their budgets, and sizes, hold as they stand.
//
// Start with run. On a busy machine the processes that are over are timed again, up to five times in all; the best run
// counts, and the table says that there were several.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
)

// tolerance is how far the time of a function may be over its budget before the run fails: a quarter, for noise.
const tolerance = 1.25

// tries is how often what is over its budget is timed at most.
const tries = 5

// rounds is how often each process is timed.
const rounds = 200

// result is one budget with what was measured.
type result struct {
	name     string
	measured float64
	budget   float64
	unit     string
	// limit is what fails the run; at least the budget.
	limit float64
	// remark is what else there is to know.
	remark string
}

func (r result) ok() bool { return r.measured <= r.limit }

func main() {
	only := flag.Bool("processes", false, "leave the benchmarks of functions out")
	client := flag.Bool("client", false, "measure the sessions of the client alone")
	flag.Parse()
	measure := func() error { return run(!*only) }
	if *client {
		measure = runClient
	}
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(functions bool) error {
	var results []result
	if functions {
		var err error
		if results, err = functionResults(); err != nil {
			return err
		}
	}
	sizes, err := sizeResults()
	if err != nil {
		return err
	}
	processes, err := processResults()
	if err != nil {
		return err
	}
	stores, err := storeResults()
	if err != nil {
		return err
	}
	sessions, err := clientResults()
	if err != nil {
		return err
	}
	load, err := loadResults()
	if err != nil {
		return err
	}
	return report(slices.Concat(results, sizes, processes, sessions, stores, load))
}

func runClient() error {
	results, err := clientResults()
	if err != nil {
		return err
	}
	return report(results)
}

func report(results []result) error {
	table := "what\tmeasured\tbudget\t\t\n"
	missed := 0
	for _, r := range results {
		verdict := "ok"
		switch {
		case !r.ok():
			verdict = "MISSED"
			missed++
		case r.measured > r.budget:
			verdict = "over"
		}
		table += fmt.Sprintf("%s\t%.2f %s\t%.2f %s\t%s\t%s\n", r.name, r.measured, r.unit, r.budget, r.unit, verdict, r.remark)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	if _, err := io.WriteString(w, table); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if missed > 0 {
		return fmt.Errorf("%d budgets are missed", missed)
	}
	return nil
}
