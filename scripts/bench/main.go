// Bench measures the engine's budgets and fails when one is missed by more than a quarter. Times of functions are
// the fastest of five runs of Go benchmarks; whole processes are timed in turn with an empty Go program built the same
// way, and compared as a ratio, because machines differ.
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

// tolerance is how far a budget may be missed before the run fails: a quarter, for noise.
const tolerance = 1.25

// result is one budget with what was measured.
type result struct {
	name     string
	measured float64
	budget   float64
	unit     string
}

func (r result) ok() bool { return r.measured <= r.budget*tolerance }

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	functions, err := functionResults()
	if err != nil {
		return err
	}
	processes, err := processResults(200)
	if err != nil {
		return err
	}
	return report(append(functions, processes...))
}

func report(results []result) error {
	table := "what\tmeasured\tbudget\t\n"
	missed := 0
	for _, r := range results {
		verdict := "ok"
		if !r.ok() {
			verdict = "MISSED"
			missed++
		}
		table += fmt.Sprintf("%s\t%.2f %s\t%.2f %s\t%s\n", r.name, r.measured, r.unit, r.budget, r.unit, verdict)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	if _, err := io.WriteString(w, table); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if missed > 0 {
		return fmt.Errorf("%d budgets are missed by more than a quarter", missed)
	}
	return nil
}
