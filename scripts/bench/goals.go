package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"guardrails/internal/fortests/slowness"
	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// clusterVariable is the name of the environment variable that has the URL of an Elasticsearch for the goals. If this
// variable is not set, the goals for Elasticsearch are not measured.
const clusterVariable = "GUARDRAILS_BENCH_ELASTICSEARCH"

// The type "extent" is the amount of data with which the goals are measured. The goals are set for the amount that
// wholeExtent returns. With less data, a measured value is allowed to miss its goal by a factor (slack).
type extent struct {
	// The field "entries" is the number of audit entries. The field "guidelines" is the number of guidelines of a large
	// tenant. The field "tenants" is the number of small tenants.
	entries, guidelines, tenants int
	// The field "changes" is the number of changes that are written to measure the rate of changes. The field "decisions"
	// is the number of decisions that are written to measure the rate of decisions.
	changes, decisions int
	// The field "slack" is the factor by which a measured value is allowed to miss its goal.
	slack float64
	// The field "memory" is the goal for the memory of a server with all guidelines, in MB.
	memory float64
}

func wholeExtent() extent {
	return extent{entries: 10_000_000, guidelines: 50_000, tenants: 1000, changes: 5000, decisions: 500_000, slack: 1, memory: 250}
}

// smallExtent returns an amount of data that is measured within two minutes. A slow processor needs no slack, because
// every goal for a time or a rate is adjusted to the speed of the processor. The slack is for other causes of slow
// results: other work on the computer, a slow disk, and the first minute of Elasticsearch, in which its code is not
// compiled yet. The slack is twice the largest factor by which a goal was missed on two processors while twenty other
// processes were busy. This factor was 15, for a change on Elasticsearch. On SQLite, the largest factor was 3.
func smallExtent() extent {
	return extent{entries: 20_000, guidelines: 500, tenants: 20, changes: 300, decisions: 5000, slack: 30, memory: 100}
}

// perTenant is the number of guidelines of each small tenant.
const perTenant = 50

// The type "backend" is a store with its goals.
type backend struct {
	name string
	open func(context.Context) (store.Store, error)
	// The field "changes" is the goal for the number of changes per second. The field "decisions" is the goal for the
	// number of decisions per second. The other two fields are goals in milliseconds. The field "page" is the goal for
	// reading a page of the audit. The field "evicted" is the goal for a request of a tenant whose guidelines are not in
	// memory.
	changes, decisions, page, evicted float64
}

// backends() returns the stores that are measured. The parameter "dir" is a folder for files.
func backends(dir string) []backend {
	list := []backend{{
		name: "SQLite", changes: 1000, decisions: 25_000, page: 10, evicted: 50,
		open: func(ctx context.Context) (store.Store, error) {
			return sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(dir, "data", "goals.db")})
		},
	}}
	if url := os.Getenv(clusterVariable); url != "" {
		list = append(list, backend{
			name: "Elasticsearch", changes: 200, decisions: 10_000, page: 50, evicted: 200,
			open: func(ctx context.Context) (store.Store, error) {
				return elastic.Open(ctx, elastic.Options{Addresses: []string{url}, Prefix: filepath.Base(dir) + "-"})
			},
		})
	}
	return list
}

// goals measures how fast the stores and the server are under load, because users in a large company notice a slow
// server.
type goals struct {
	extent
	*stage
	// The expression in the field "only" selects the goals to measure. A goal is measured if its name matches the
	// expression.
	only *regexp.Regexp
	// The field "slow" says how many times slower this computer is than the computer for which the goals were set. It
	// is measured before each part.
	slow    float64
	results []result
}

// goalResults measures the goals whose names match the given regular expression.
func goalResults(e extent, only *regexp.Regexp) ([]result, error) {
	s, err := newStage()
	if err != nil {
		return nil, err
	}
	defer s.close()
	g := &goals{extent: e, stage: s, only: only}
	ctx := context.Background()
	if err := g.measureIf("server/memory", func() error { return g.measureServer(ctx) }); err != nil {
		return nil, err
	}
	if e.slack == 1 { // otherwise, "make bench" has measured the sockets already
		if err := g.measureIf("server/socket", g.sockets); err != nil {
			return nil, err
		}
	}
	for _, b := range backends(s.dir) {
		if err := g.measureStore(ctx, &b); err != nil {
			return nil, fmt.Errorf("%s: %w", b.name, err)
		}
	}
	if len(g.results) == 0 {
		return nil, fmt.Errorf("no goal matches %q", only)
	}
	return g.results, nil
}

// measureIf calls measure() if the name matches the expression in the field "only".
func (g *goals) measureIf(name string, measure func() error) error {
	if !g.only.MatchString(name) {
		return nil
	}
	g.slow = slowness.Now()
	return measure()
}

// sockets() measures how long the requests of hooks take while 200 sessions send requests.
func (g *goals) sockets() error {
	sessions, err := measureSessions()
	if err != nil {
		return err
	}
	g.add("get_context on the socket: 99 of 100 requests", sessions.most, 5, "ms", sessions.remark)
	g.add("get_context on the socket: requests without an answer", sessions.failed, 0, "", "in all runs")
	return nil
}

func (g *goals) measureStore(ctx context.Context, b *backend) error {
	s, err := b.open(ctx)
	if err != nil {
		return err
	}
	kept := live.New(live.Options{Open: live.Opened(s), Location: b.name, Now: time.Now})
	defer func() { _ = kept.Close() }() // the results are measured already
	return errors.Join(
		g.measureIf(b.name+"/changes", func() error { return g.changesOf(ctx, b, kept) }),
		g.measureIf(b.name+"/tenants", func() error { return g.tenantsOf(ctx, b, kept) }),
		g.measureIf(b.name+"/large", func() error { return g.changeOfLarge(ctx, b, kept) }),
		g.measureIf(b.name+"/intake", func() error { return g.takenIn(ctx, b, kept) }),
		g.measureIf(b.name+"/audit", func() error { return g.pages(ctx, b, s) }),
	)
}

// add() records a measured time or size. The measured value must not be larger than the goal. The goal for a time is
// larger on a slower computer.
func (g *goals) add(name string, measured, goal float64, unit, remark string) {
	if unit == "ms" {
		goal *= g.slow
	}
	r := result{
		name: name, measured: measured, budget: goal, limit: goal * g.slack, unit: unit,
		remark: fmt.Sprintf("%s, %s, the reference task takes %.2f times as long as expected", remark, load(), g.slow),
	}
	note("%s: %.2f %s (%s)", r.name, r.measured, r.unit, r.remark)
	g.results = append(g.results, r)
}

// addRate runs the function f, which handles as many items as the parameter "count" says. It records how many items f
// handles per second. This rate must not be smaller than the goal. The goal is smaller on a slower computer.
func (g *goals) addRate(name string, count int, f func() error, goal float64) error {
	goal /= g.slow
	began, before := time.Now(), processor()
	err := f()
	took := time.Since(began).Seconds()
	g.add(name, float64(count)/took, goal, "/s", fmt.Sprintf("%d in %.1f s with %.1f s of CPU time", count, took, processor()-before))
	r := &g.results[len(g.results)-1]
	r.limit, r.least = goal/g.slack, true
	return err
}

// note() prints a result immediately, because the whole run takes a long time.
func note(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// load() returns the load of the machine. The load explains bad figures, because other work makes every figure worse.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load unknown"
	}
	var one string
	_, _ = fmt.Sscan(string(text), &one) // if this fails, no figure is shown
	return "load " + one
}
