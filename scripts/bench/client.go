package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"guardrails/setup/claude/script"
	"guardrails/setup/claude/session"
)

// The cost of the hooks of a tool call is the time that the client waits for them. This is more than their processes
// take, so it is measured with real clients. Their sessions run at the same time, and scripted models make them take
// turns. Only one client works at a time, so other work on the machine affects all of them equally.

// calls is the number of tool calls in a session.
const calls = 200

// clientVariable is the variable with the path of the client. scripts/bench.sh installs the client.
const clientVariable = "GUARDRAILS_BENCH_CLIENT"

// sessionTime is the time limit for all sessions.
const sessionTime = 10 * time.Minute

// ways returns the commands that set up the projects of the sessions. The first project has no hooks, the second runs
// programs as hooks, and the third calls the server.
func ways() [][]string { return [][]string{nil, {"init"}, {"init", "--direct"}} }

// clientResults measures the two hooks of a tool call, with programs and with the server. If there is no client, it
// returns no results.
func clientResults() ([]result, error) {
	path := os.Getenv(clientVariable)
	if path == "" {
		return nil, nil
	}
	s, err := newStage()
	if err != nil {
		return nil, err
	}
	defer s.close()
	r := &ring{}
	for range ways() {
		r.seats = append(r.seats, &seat{turn: make(chan struct{}, 1)})
	}
	if err := s.play(path, r); err != nil {
		return nil, err
	}
	alone, programs, direct := r.at(0.5)
	fast, started, called := r.at(0.1)
	return []result{{
		name: "the hooks of a tool call in the server: times the hook programs", measured: (direct - alone) / (programs - alone),
		budget: 1, limit: tolerance, unit: "×",
		remark: fmt.Sprintf("medians of %d calls: %.1f ms without hooks, %.1f more with programs, %.1f with the server; fastest tenth: %.1f, %.1f, %.1f",
			calls, alone, programs-alone, direct-alone, fast, started-fast, called-fast),
	}}, nil
}

// play runs the sessions.
func (s *stage) play(client string, r *ring) error {
	ctx, cancel := context.WithTimeout(context.Background(), sessionTime)
	defer cancel()
	r.ctx = ctx
	r.arrived.Add(len(r.seats))
	go func() {
		r.arrived.Wait()
		r.seats[0].turn <- struct{}{}
	}()
	failed := make([]error, len(r.seats))
	var all sync.WaitGroup
	for i, way := range ways() {
		all.Go(func() { failed[i] = s.converse(ctx, client, r, i, way) })
	}
	all.Wait()
	return errors.Join(failed...)
}

// converse runs one session in its own project.
func (s *stage) converse(ctx context.Context, client string, r *ring, number int, way []string) error {
	base := filepath.Join(s.dir, fmt.Sprintf("client-%d", number))
	project, home := filepath.Join(base, "project"), filepath.Join(base, "home")
	for _, dir := range []string{home, filepath.Join(project, ".git")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	file := filepath.Join(project, "a.txt")
	if err := os.WriteFile(file, []byte("a line\n"), 0o600); err != nil {
		return err
	}
	if err := s.setUp(project, home, client, way); err != nil {
		return err
	}
	model, err := script.Start(r.thread(number, file))
	if err != nil {
		return err
	}
	_, err = session.Headless(ctx, session.Options{
		Client: client, Project: project, Home: home, Model: model.URL(), Prompt: "read it again and again", Mode: "acceptEdits",
		Env: []string{
			"XDG_RUNTIME_DIR=" + s.runtime(fmt.Sprintf("client-%d", number)), "PATH=" + s.bin + ":/usr/local/bin:/usr/bin:/bin",
		},
	})
	return errors.Join(err, model.Err(), model.Close())
}

// setUp runs a command in a project, as a person would.
func (s *stage) setUp(project, home, client string, way []string) error {
	if way == nil {
		return nil
	}
	c := exec.Command(filepath.Join(s.bin, "guardrails"), way...)
	c.Dir = project
	// init rejects programs in the temporary folder, and the programs of the stage are there.
	c.Env = []string{"HOME=" + home, "PATH=" + s.bin + ":" + filepath.Dir(client) + ":" + os.Getenv("PATH"), "TMPDIR=/nowhere"}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("guardrails %v: %w\n%s", way, err, out)
	}
	return nil
}

// ring makes sessions take turns.
type ring struct {
	ctx     context.Context
	seats   []*seat
	arrived sync.WaitGroup
}

// seat has the state of one session: its turn, the time of its client's last answer, and how long the client took each
// time.
type seat struct {
	turn chan struct{}
	last time.Time
	took []float64
}

// at returns a quantile of the durations of a call, for each of the three ways.
func (r *ring) at(q float64) (alone, programs, direct float64) {
	return quantile(r.seats[0].took, q), quantile(r.seats[1].took, q), quantile(r.seats[2].took, q)
}

// thread makes the model call a tool on each of its turns.
func (r *ring) thread(number int, file string) script.Thread {
	var steps script.Thread
	for range calls {
		steps = append(steps, func(q *script.Request) script.Reply {
			r.pass(number)
			return script.Use(script.Read(file))(q)
		})
	}
	return append(steps, func(q *script.Request) script.Reply {
		r.pass(number)
		r.next(number) // the turn of this session is over
		return script.Say("done")(q)
	})
}

func (r *ring) next(number int) { r.seats[(number+1)%len(r.seats)].turn <- struct{}{} }

// pass ends the turn and waits for the next one.
func (r *ring) pass(number int) {
	a := r.seats[number]
	if a.last.IsZero() {
		r.arrived.Done()
	} else {
		a.took = append(a.took, float64(time.Since(a.last).Microseconds())/1e3)
		r.next(number)
	}
	select {
	case <-a.turn:
	case <-r.ctx.Done():
	}
	a.last = time.Now()
}
