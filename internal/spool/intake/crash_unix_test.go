//go:build unix

package intake_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/internal/spool/intake"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// childVariable is the environment variable that makes this program run as the process that the test kills.
const childVariable = "INTAKE_TEST_CHILD"

func TestMain(m *testing.M) {
	if base := os.Getenv(childVariable); base != "" {
		os.Exit(takeInUntilKilled(base))
	}
	os.Exit(m.Run())
}

func takeInUntilKilled(base string) int {
	s, err := sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(base, "main", "guardrails.db")})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	main := live.New(live.Options{Open: live.Opened(moody{s}), Now: time.Now})
	i := intake.New(intake.Options{
		Dirs: []string{filepath.Join(base, "state", "spool")}, Now: func() time.Time { return time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC) },
		Home: func(_ context.Context, project string) intake.Home {
			return intake.Home{Store: "main", Tenant: map[string]string{"": "", "/p": "acme", "/bad": "bad"}[project], Catalog: main}
		},
	})
	fmt.Println("ready")
	for {
		r, err := i.Turn(context.Background())
		if err != nil && store.CodeOf(err) != store.ReadOnly {
			fmt.Println(err)
			return 1
		}
		if r.Taken > 0 {
			fmt.Println("taken")
		}
	}
}

// moody is a store that often refuses the entries of the tenant "bad".
type moody struct{ store.Store }

func (m moody) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	if tenant == "bad" && rand.IntN(3) > 0 {
		return nil, store.Errorf(store.ReadOnly, "not now")
	}
	return m.Store.Append(ctx, tenant, entries...)
}

// The test appends lines to the spool, and repeatedly kills a process that moves them.
func TestEachLineIsStoredOnceWhicheverProcessIsKilled(t *testing.T) {
	w := newFixture(t)
	w.home("/bad", "bad", "main")
	const kills, each = 12, 250
	for kill := range kills {
		for line := range each {
			w.write(record(kill*each+line, []string{"/p", "/bad"}[line%2]))
		}
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childVariable+"="+w.base)
		out, err := child.StdoutPipe()
		check(t, err)
		check(t, child.Start())
		said := bufio.NewScanner(out)
		for said.Scan() && said.Text() == "ready" {
			// Kill the process after a random time, or when it reports that it has moved a line.
			time.AfterFunc(time.Duration(rand.IntN(60))*time.Millisecond, func() { _ = child.Process.Kill() })
		}
		_ = child.Process.Kill()
		_ = child.Wait()
	}
	w.all(w.intake())
	times := map[string]int{}
	for _, tenant := range []string{"acme", "bad"} {
		last := -1
		for _, e := range w.entries("main", tenant) {
			times[e.Decision.Reason]++
			number, err := strconv.Atoi(e.Decision.Reason[1:])
			check(t, err)
			if number < last {
				t.Errorf("%s: %d follows %d", tenant, number, last)
			}
			last = number
		}
	}
	if len(times) != kills*each {
		t.Errorf("got %d of %d lines", len(times), kills*each)
	}
	for reason, n := range times {
		if n != 1 {
			t.Errorf("%s is stored %d times", reason, n)
		}
	}
	for _, tenant := range []string{"acme", "bad"} {
		verdicts, err := w.open["main"].For(live.Caller{Tenant: tenant}).Verify(t.Context(), live.Verifying{Full: true})
		check(t, err)
		for _, v := range verdicts.Verdicts {
			if v.Fault != nil {
				t.Errorf("%+v", v)
			}
		}
	}
}

// If the store's disk is full, the lines stay in the spool.
func TestLinesStayWhenTheStoreFails(t *testing.T) {
	w := newFixture(t)
	w.write(record(1, "/p"))
	full := &refusing{Store: mustOpen(t, filepath.Join(w.base, "full", "guardrails.db"))}
	c := live.New(live.Options{Open: live.Opened(full), Now: time.Now})
	t.Cleanup(func() { check(t, c.Close()) })
	w.open["main"], w.homes["/p"], w.homes[""] = c, intake.Home{Store: "main", Tenant: "acme", Catalog: c}, intake.Home{Store: "main", Catalog: c}
	full.full = true
	i := w.intake()
	for range 3 {
		if _, err := i.Turn(t.Context()); store.CodeOf(err) != store.ReadOnly || !strings.Contains(err.Error(), "disk is full") {
			t.Fatalf("%v", err)
		}
	}
	full.full = false
	w.all(i)
	if got := w.reasons("main", "acme"); got != "r1" {
		t.Errorf("%s", got)
	}
}

// refusing is a store that behaves as if its disk were full.
type refusing struct {
	store.Store
	full bool
}

func (r *refusing) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	if r.full {
		return nil, store.Errorf(store.ReadOnly, "the disk is full; free some space")
	}
	return r.Store.Append(ctx, tenant, entries...)
}
