package proof

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/sqlite"
)

var (
	seed   = flag.Uint64("seed", 1, "the first seed of the random steps that both drivers make")
	steps  = flag.Int("steps", 250, "how many random steps both drivers make for a seed")
	during = flag.Duration("during", 0, "go on with further seeds until this time is over")
)

// Both drivers make the same random steps, and must give the same answers. To repeat a failed run, pass its seed. A run
// with the same seed and fewer steps makes the first steps of the same sequence.
func TestBothDriversGiveTheSameAnswersToRandomSteps(t *testing.T) {
	begun := time.Now()
	for next := *seed; next == *seed || time.Since(begun) < *during; next++ {
		p := newPair(t)
		random := rand.New(rand.NewPCG(next, 0))
		w := newWorld(random)
		for n := range *steps {
			p.moment = p.moment.Add(time.Duration(1+random.IntN(90)) * time.Minute)
			s := w.step(p.moment, n)
			first, second := s.both(t.Context(), p, w)
			if first != second {
				t.Fatalf("step %d of the seed %d differs; repeat it with -seed %d -steps %d:\n%s\nSQLite:        %s\nElasticsearch: %s",
					n+1, next, next, n+1, s.text, first, second)
			}
		}
		p.exchange()
		p.close()
		if *during > 0 {
			t.Logf("seed %d: %d steps, %s", next, *steps, w.count())
		}
	}
}

// pair is a new store of each driver. Both stores have the same clock.
type pair struct {
	t              *testing.T
	sqlite, second store.Store
	moment         time.Time
	folder         string
}

func newPair(t *testing.T) *pair {
	t.Helper()
	url := os.Getenv("GUARDRAILS_TEST_ELASTICSEARCH")
	if url == "" {
		t.Fatal("GUARDRAILS_TEST_ELASTICSEARCH is not set; run scripts/stores.sh, or first eval \"$(scripts/stores.sh start)\"")
	}
	p := &pair{t: t, moment: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), folder: t.TempDir()}
	now := func() time.Time { return p.moment }
	var err error
	p.sqlite, err = sqlite.Open(t.Context(), sqlite.Options{
		Path: filepath.Join(p.folder, "data", "guardrails.db"), Busy: time.Minute, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	prefix := strings.ToLower(store.NewID(time.Now())) + "-"
	t.Cleanup(func() { deleteIndices(t, url, prefix) })
	p.second, err = elastic.Open(t.Context(), elastic.Options{
		Addresses: []string{url}, Prefix: prefix, Now: now, Timeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// exchange() moves the tenant of each store to a new store of the other driver. After the move, nothing must be
// different.
func (p *pair) exchange() {
	p.t.Helper()
	to := newPair(p.t)
	defer to.close()
	for from, into := range map[store.Store]store.Store{p.sqlite: to.second, p.second: to.sqlite} {
		move(p.t, from, into)
		if got, want := dumped(p.t, into), dumped(p.t, from); !slices.Equal(got, want) {
			p.t.Errorf("%T: %d records, want %d; the first difference: %s", into, len(got), len(want), difference(got, want))
		}
	}
}

func (p *pair) close() {
	for _, s := range []store.Store{p.sqlite, p.second} {
		if err := s.Close(); err != nil {
			p.t.Error(err)
		}
	}
}

// count() says how many steps of each kind were made.
func (w *world) count() string {
	var out []string
	for i, name := range kindNames() {
		out = append(out, fmt.Sprint(name, " ", w.made[i]))
	}
	return strings.Join(out, ", ")
}
