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

	"guardrails/setup/claude/fakemodel"
	"guardrails/setup/claude/session"
)

// The cost of a tool call is the time that the client waits for its hooks. This time is longer than the run time of the
// hook processes, so it is measured with real clients. All sessions are open at the same time, but scripted models make
// them take turns: only one client works at a time. So other work on the machine affects all sessions equally.

const calls = 200

// clientVariable is the name of the environment variable that contains the path of the client. scripts/bench.sh
// installs the client and sets the variable.
const clientVariable = "GUARDRAILS_BENCH_CLIENT"

// sessionTime is the time limit for all sessions together.
const sessionTime = 10 * time.Minute

// ways() has one item for each session: the arguments of the guardrails command that sets up the project of this
// session. The first project has no hooks. The hooks of the second project are programs, and the hooks of the third
// project call the server.
func ways() [][]string { return [][]string{nil, {"init"}, {"init", "--direct"}} }

// clientResults measures how long the client waits for the two hooks of a tool call, first with hooks that are
// programs, and then with hooks that call the server. If no client is installed, it returns no results.
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
	alone, programs, direct := r.quantile(0.5)
	fast, started, called := r.quantile(0.1)
	return []result{{
		name: "the hooks of a tool call in the server, as a multiple of the hook programs", measured: (direct - alone) / (programs - alone),
		budget: 1, limit: tolerance, unit: "×",
		remark: fmt.Sprintf("medians of %d calls: %.1f ms without hooks, %.1f more with programs, %.1f with the server; "+
			"fastest tenth: %.1f, %.1f, %.1f",
			calls, alone, programs-alone, direct-alone, fast, started-fast, called-fast),
	}}, nil
}

// play() runs all sessions at the same time.
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

// converse() runs one session of the client in a project of its own.
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
	model, err := fakemodel.Start(r.thread(number, file))
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

// setUp runs a guardrails command in a project, as a person would.
func (s *stage) setUp(project, home, client string, way []string) error {
	if way == nil {
		return nil
	}
	c := exec.Command(filepath.Join(s.bin, "guardrails"), way...)
	c.Dir = project
	// "guardrails init" rejects programs in the temporary folder. The copied programs are there, so set another TMPDIR.
	c.Env = []string{"HOME=" + home, "PATH=" + s.bin + ":" + filepath.Dir(client) + ":" + os.Getenv("PATH"), "TMPDIR=/nowhere"}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("guardrails %v: %w\n%s", way, err, out)
	}
	return nil
}

// The type "ring" makes the sessions take turns. Each session has a seat.
type ring struct {
	ctx     context.Context
	seats   []*seat
	arrived sync.WaitGroup
}

// The type "seat" is the state of one session. A value in the channel "turn" starts the session's turn. The field
// "last" is the time at which the session's client got its last answer. The field "took" contains the time that the
// client needed for each request.
type seat struct {
	turn chan struct{}
	last time.Time
	took []float64
}

// quantile() returns a quantile of the durations of tool calls, for each of the three projects: without hooks
// ("alone"), with programs as hooks ("programs"), and with hooks that call the server ("direct").
func (r *ring) quantile(q float64) (alone, programs, direct float64) {
	return quantile(r.seats[0].took, q), quantile(r.seats[1].took, q), quantile(r.seats[2].took, q)
}

// thread() returns the script of a session's model: on each turn, the model calls a tool.
func (r *ring) thread(number int, file string) fakemodel.Thread {
	var steps fakemodel.Thread
	for range calls {
		steps = append(steps, func(q *fakemodel.Request) fakemodel.Reply {
			r.endTurn(number)
			return fakemodel.Use(fakemodel.Read(file))(q)
		})
	}
	return append(steps, func(q *fakemodel.Request) fakemodel.Reply {
		r.endTurn(number)
		r.next(number) // the turn of this session is over
		return fakemodel.Say("done")(q)
	})
}

func (r *ring) next(number int) { r.seats[(number+1)%len(r.seats)].turn <- struct{}{} }

// endTurn ends the turn of a session and waits for its next turn.
func (r *ring) endTurn(number int) {
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
