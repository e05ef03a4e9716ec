// Bench compares times and sizes with their budgets, and fails if a budget is missed.
//
// The time of a function is the fastest of five runs of its Go benchmark. This time may exceed its budget by up to 25
// %; the table then says "over". A reference task measures the speed of the computer. On a slower computer, the budgets
// are proportionally larger.
//
// The time of a process is compared with the time of an empty Go program, because machines differ in speed. The two
// programs run alternately, and their median times are compared. The budgets of hook programs and of sizes have no
// tolerance. If a process misses its budget, it is timed again with new copies of the programs, up to five times in
// total, because the machine may be busy. The best run counts, and the table shows the number of that run.
//
// Start with run().
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"text/tabwriter"
)

// The constant "tolerance" is the factor by which the time of a function may exceed its budget, because times vary.
const tolerance = 1.25

// The constant "tries" is the largest number of runs for a process that misses its budget.
const tries = 5

// The constant "rounds" is the number of times that each process is timed in one run.
const rounds = 200

type result struct {
	name     string
	measured float64
	budget   float64
	unit     string
	// The field "limit" is the value above which the benchmark fails. It is at least as large as the budget.
	limit float64
	// The field "least" is set if the measured value must not be smaller than the budget, for example if it is a rate. The
	// benchmark then fails if the value is below the limit.
	least bool
	// The field "remark" is shown in the table after the result.
	remark string
}

func (r result) ok() bool { return r.within(r.limit) }

// within() reports whether the measured value is within a bound.
func (r result) within(bound float64) bool {
	if r.least {
		return r.measured >= bound
	}
	return r.measured <= bound
}

func main() {
	only := flag.Bool("processes", false, "leave out the benchmarks of functions")
	client := flag.Bool("client", false, "measure only the sessions of the client")
	whole := flag.Bool("goals", false, "measure only the goals for large companies, with the whole amount of data")
	small := flag.Bool("small-goals", false, "measure only the goals for large companies, with small amounts of data")
	names := flag.String("only", "", "measure only the goals that match this expression, such as SQLite/audit")
	flag.Parse()
	matches, err := regexp.Compile(*names)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: -only:", err)
		os.Exit(2)
	}
	measure := func() error { return run(!*only, matches) }
	if *whole {
		measure = func() error { return runGoals(wholeExtent(), matches) }
	}
	if *small {
		measure = func() error { return runGoals(smallExtent(), matches) }
	}
	if *client {
		measure = runClient
	}
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(functions bool, only *regexp.Regexp) error {
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
	// Only the script bench-full.sh sets the address of Elasticsearch. So these are the goals of the server and of
	// SQLite.
	goals, err := goalResults(smallExtent(), only)
	if err != nil {
		return err
	}
	return report(slices.Concat(results, sizes, processes, sessions, stores, load, goals))
}

func runClient() error {
	results, err := clientResults()
	if err != nil {
		return err
	}
	return report(results)
}

func runGoals(e extent, only *regexp.Regexp) error {
	results, err := goalResults(e, only)
	return errors.Join(err, report(results))
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
		case !r.within(r.budget):
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
		return fmt.Errorf("%d budgets were missed", missed)
	}
	return nil
}
