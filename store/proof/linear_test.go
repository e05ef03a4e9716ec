package proof

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

// drivers() returns, for each driver, a function that opens two handles on a new store. The handles behave like two
// processes.
func drivers() map[string]func(t *testing.T) [2]store.Store {
	return map[string]func(t *testing.T) [2]store.Store{
		"sqlite":        openSQLite,
		"Elasticsearch": openElastic("GUARDRAILS_TEST_ELASTICSEARCH"),
		"OpenSearch":    openElastic("GUARDRAILS_TEST_OPENSEARCH"),
	}
}

func openSQLite(t *testing.T) (handles [2]store.Store) {
	path := filepath.Join(t.TempDir(), "data", "guardrails.db")
	for i := range handles {
		s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Busy: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		handles[i] = s
	}
	return handles
}

func TestConcurrentChangesAreLinearizable(t *testing.T) {
	for driver, open := range drivers() {
		for name, hasty := range map[string]int{"complete calls": 0, "interrupted calls": 30} {
			t.Run(driver+", "+name, func(t *testing.T) {
				t.Parallel()
				handles := open(t)
				log := record(hasty, handles[0], handles[1])
				if verdict, picture := checkOrder(t, log); verdict != porcupine.Ok {
					t.Errorf("%d calls are not linearizable (%s); see %s", len(log), verdict, picture)
				}
				count(t, log, hasty > 0)
			})
		}
	}
}

// This test checks the function checkOrder, which must find out that a handle reads old versions.
func TestAStoreThatReadsOldVersionsIsFound(t *testing.T) {
	handles := openSQLite(t)
	log := record(0, handles[0], &stale{Store: handles[1], old: map[string]guideline.Guideline{}})
	if verdict, _ := checkOrder(t, log); verdict != porcupine.Illegal {
		t.Errorf("got %s", verdict)
	}
}

// record() runs several clients concurrently and returns their calls. The clients share the handles evenly.
func record(hasty int, handles ...guidelines) (log []porcupine.Operation) {
	const clients, calls, ids = 8, 60, 3
	var all sync.WaitGroup
	working, start := make([]*client, clients), time.Now()
	for i := range working {
		working[i] = newClient(i, handles[i%len(handles)], start, hasty)
		all.Go(func() { working[i].work(calls, ids) })
	}
	all.Wait()
	for _, c := range working {
		log = append(log, c.log...)
	}
	return log
}

// checkOrder looks for a sequential order of the calls in which each call has its recorded result. If there is no such
// order, it draws a picture of the calls. The result "picture" is the path of the file with this picture.
func checkOrder(t *testing.T, log []porcupine.Operation) (verdict porcupine.CheckResult, picture string) {
	t.Helper()
	model := oneGuideline()
	verdict, info := porcupine.CheckOperationsVerbose(model, log, time.Minute)
	if verdict != porcupine.Ok {
		picture = filepath.Join(t.ArtifactDir(), "order.html")
		if err := porcupine.VisualizePath(model, info, picture); err != nil {
			t.Error(err)
		}
	}
	return verdict, picture
}

// count() checks that the clients made enough changes and had enough conflicts. If the parameter "hasty" is true, some
// calls must have been interrupted. Otherwise, no call may have been interrupted.
func count(t *testing.T, log []porcupine.Operation, hasty bool) {
	t.Helper()
	done, lost, unknown := 0, 0, 0
	for _, o := range log {
		switch got := o.Output.(answer); {
		case got.unknown:
			unknown++
		case got.code == store.Conflict:
			lost++
		case got.code == "" && !o.Input.(call).isRead():
			done++
		}
	}
	t.Logf("%d calls: %d changes, %d conflicts, %d interrupted", len(log), done, lost, unknown)
	if done < 30 || lost < 30 || hasty != (unknown > 0) {
		t.Errorf("%d changes, %d conflicts and %d interrupted calls are too few", done, lost, unknown)
	}
}

// The type "stale" is a handle on which every third read returns the result of an earlier read.
type stale struct {
	store.Store
	lock  sync.Mutex
	reads int
	old   map[string]guideline.Guideline
}

func (s *stale) Get(ctx context.Context, tenant, id string) (guideline.Guideline, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.reads++
	if g, read := s.old[id]; read && s.reads%3 == 0 {
		return g, nil
	}
	g, err := s.Store.Get(ctx, tenant, id)
	if err == nil {
		s.old[id] = g
	}
	return g, err
}
