package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// The type "contest" describes a process whose time is compared with the time of the empty program.
type contest struct {
	name   string
	budget float64
	limit  float64
	argv   []string
	env    []string
	// The field "stdin" is the name of the file that the process reads as its stdin.
	stdin string
	// The output of the process must contain the text in the field "says", and the exit status must be the number in
	// the field "code". If "says" is empty, the process must print nothing. Without these checks, a process that fails
	// would count as fast.
	says string
	code int
}

// processResults measures how long the processes of all contests take. It repeats those contests that miss their
// budget.
func processResults() ([]result, error) {
	s, err := newStage()
	if err != nil {
		return nil, err
	}
	defer s.close()
	contests, err := s.contests()
	if err != nil {
		return nil, err
	}
	for i := range contests {
		if err := contests[i].check(); err != nil {
			return nil, err
		}
	}
	results := make([]result, len(contests))
	for try := 1; try <= tries; try++ {
		if err := s.run(contests, results, try); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// run() measures the contests that have not met their budgets yet.
func (s *stage) run(contests []contest, results []result, try int) error {
	var open []int
	list := []contest{s.empty}
	for i := range contests {
		if try == 1 || results[i].measured > results[i].budget {
			open = append(open, i)
			list = append(list, contests[i])
		}
	}
	if len(open) == 0 {
		return nil
	}
	if try > 1 {
		if err := s.copyPrograms(); err != nil {
			return err
		}
	}
	times, err := inTurn(list)
	if err != nil {
		return err
	}
	for n, i := range open {
		if r := contests[i].result(times[0], times[n+1], try); try == 1 || r.measured < results[i].measured {
			results[i] = r
		}
	}
	return nil
}

func (c *contest) result(empty, own []float64, try int) result {
	// The table shows the ratio with two digits. The budget is compared with the rounded ratio, because two runs
	// differ by more than the rounding.
	ratio := math.Round(100*quantile(own, 0.5)/quantile(empty, 0.5)) / 100
	r := result{name: c.name, measured: ratio, budget: c.budget, unit: "×", limit: c.limit}
	r.remark = fmt.Sprintf("p99 %.2f ×, median %.2f ms", quantile(own, 0.99)/quantile(empty, 0.99), quantile(own, 0.5)/1e6)
	if try > 1 {
		r.remark += fmt.Sprintf(", run %d, the best", try)
	}
	return r
}

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(float64(len(sorted)-1)*q)]
}

// inTurn measures the time of each process once in every round. The order changes from round to round, so that no
// process always follows the same other process.
func inTurn(list []contest) ([][]float64, error) {
	const warmUp = 5
	times := make([][]float64, len(list))
	for round := range rounds + warmUp {
		for n := range list {
			i := (n + round) % len(list)
			t, err := list[i].time()
			if err != nil {
				return nil, err
			}
			if round >= warmUp {
				times[i] = append(times[i], t)
			}
		}
	}
	return times, nil
}

// time() runs the process once, and returns how long the process took. It uses os.StartProcess, because package os/exec
// would make the measured time longer.
func (c *contest) time() (float64, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer closed(null)
	stdin := null
	if c.stdin != "" {
		if stdin, err = os.Open(c.stdin); err != nil {
			return 0, err
		}
		defer closed(stdin)
	}
	start := time.Now()
	process, err := os.StartProcess(c.argv[0], c.argv, &os.ProcAttr{Env: c.env, Files: []*os.File{stdin, null, null}})
	if err != nil {
		return 0, err
	}
	state, err := process.Wait()
	took := float64(time.Since(start))
	if err != nil || state.ExitCode() != c.code {
		return 0, fmt.Errorf("%s: %v: %w", c.name, state, err)
	}
	return took, nil
}

func closed(f *os.File) { _ = f.Close() }

// check() runs the process once and checks its answer.
func (c *contest) check() error {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Env = c.env
	if c.stdin != "" {
		file, err := os.Open(c.stdin)
		if err != nil {
			return err
		}
		defer closed(file)
		cmd.Stdin = file
	}
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != c.code {
		return fmt.Errorf("%s: %v: %w", c.name, cmd.ProcessState, err)
	}
	if said := string(out); !strings.Contains(said, c.says) || c.says == "" && said != "" {
		return fmt.Errorf("%s: the process printed %q, want %q", c.name, said, c.says)
	}
	return nil
}
