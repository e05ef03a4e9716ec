package elastic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
)

// indices are the indices of a store with one segment.
const indices = "config audit state segment"

// lossTest is a store with one guideline and one decision. Tests delete, empty or replace its indices.
type lossTest struct {
	t       *testing.T
	url     string
	options elastic.Options
	open    *elastic.Store
	// The field "ahead" is the number of nanoseconds by which the clock of the store is ahead.
	ahead atomic.Int64
}

func newLossTest(t *testing.T, url string) *lossTest {
	t.Helper()
	l := &lossTest{t: t, url: url}
	l.options = elastic.Options{
		Addresses: []string{url}, Prefix: newPrefix(t, url),
		Now: func() time.Time { return time.Now().Add(time.Duration(l.ahead.Load())) },
	}
	l.open = open(t, l.options)
	t.Cleanup(func() { l.open.Close() })
	l.write("one")
	return l
}

func (l *lossTest) write(id string) {
	l.t.Helper()
	if _, err := l.open.Create(l.t.Context(), newWrite(), small(id)); err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.open.Append(l.t.Context(), "a", decision(id)); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lossTest) name(index string) string {
	if index == "segment" {
		return l.options.Prefix + "guardrails-audit-v1-000001"
	}
	return l.options.Prefix + "guardrails-" + index + "-v1"
}

func (l *lossTest) drop(list ...string) {
	for _, index := range list {
		ask(l.t, http.MethodDelete, l.url+"/"+l.name(index), "")
	}
}

// definition() returns a request that creates an index with the same fields as an existing index. If withAlias is set,
// the new index also gets the aliases of the existing index.
func (l *lossTest) definition(index string, withAlias bool) string {
	name := l.name(index)
	found := ask(l.t, http.MethodGet, l.url+"/"+name, "")[name].(map[string]any)
	delete(found, "settings")
	if !withAlias {
		delete(found, "aliases")
	}
	text, err := json.Marshal(found)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(text)
}

// backup() copies an index and returns a function that puts the copy in the place of the index.
func (l *lossTest) backup(index string) (restore func()) {
	name, copied := l.name(index), l.options.Prefix+"copy-"+index
	copyTo := func(from, to, definition string) {
		ask(l.t, http.MethodPut, l.url+"/"+to, definition)
		ask(l.t, http.MethodPost, l.url+"/"+from+"/_refresh", "")
		ask(l.t, http.MethodPost, l.url+"/_reindex?refresh=true", fmt.Sprintf(`{"source":{"index":%q},"dest":{"index":%q}}`, from, to))
	}
	whole := l.definition(index, true)
	copyTo(name, copied, l.definition(index, false))
	l.t.Cleanup(func() { ask(l.t, http.MethodDelete, l.url+"/"+copied, "") })
	return func() { l.drop(index); copyTo(copied, name, whole) }
}

// checkRefused checks that nobody can open the store, read its guidelines or change them.
func (l *lossTest) checkRefused(words string) {
	l.t.Helper()
	for _, existing := range []bool{true, false} {
		o := l.options
		o.Existing = existing
		s, err := elastic.Open(l.t.Context(), o)
		if err != nil {
			checkError(l.t, err, store.Unavailable, words)
			continue
		}
		_, written := s.Create(l.t.Context(), newWrite(), small("new"))
		checkError(l.t, written, store.Unavailable, words)
		s.Close()
	}
}

func TestALostIndexIsNotMadeAgain(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for _, lost := range []string{"config", "audit", "state", "segment", "config audit", "config state", "audit state"} {
			t.Run(lost, func(t *testing.T) {
				t.Parallel()
				l := newLossTest(t, url)
				l.drop(strings.Fields(lost)...)
				l.checkRefused("missing at")
				left := indicesOf(t, url, l.options.Prefix)
				if want := 5 - len(strings.Fields(lost)); len(left) != want {
					t.Errorf("got the indices %v, want %d", left, want)
				}
			})
		}
	})
}

func TestReadersOfAClusterWithoutIndicesCreateNone(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		o := elastic.Options{Addresses: []string{url}, Prefix: newPrefix(t, url), Existing: true}
		cannotOpen(t, o, store.Unavailable, "create new ones with guardrails init")
		if left := indicesOf(t, url, o.Prefix); len(left) != 0 {
			t.Errorf("got the indices %v", left)
		}
	})
}

func TestAnInterruptedCreationOfTheIndicesContinues(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for index := range strings.FieldsSeq("config audit state") {
			o := elastic.Options{Addresses: []string{url}, Prefix: newPrefix(t, url)}
			ask(t, http.MethodPut, url+"/"+o.Prefix+"guardrails-"+index+"-v1",
				`{"aliases":{"`+o.Prefix+`guardrails-`+index+`":{"is_write_index":true}},"mappings":{"dynamic":"strict","_meta":{"version":1}}}`)
			s := open(t, o)
			if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil {
				t.Errorf("%s: %v", index, err)
			}
			s.Close()
		}
	})
}

// An earlier version of guardrails created a new index in place of a lost one.
func TestAnEmptyIndexInThePlaceOfALostOneIsNotUsed(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for index := range strings.FieldsSeq(indices) {
			t.Run(index, func(t *testing.T) {
				t.Parallel()
				l := newLossTest(t, url)
				whole := l.definition(index, true)
				l.drop(index)
				ask(t, http.MethodPut, url+"/"+l.name(index), whole)
				l.checkRefused("from one snapshot")
			})
		}
	})
}

func TestAnIndexThatIsOlderThanTheOthersIsNotUsed(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for index := range strings.FieldsSeq(indices) {
			t.Run(index, func(t *testing.T) {
				t.Parallel()
				l := newLossTest(t, url)
				restore := l.backup(index)
				l.write("two")
				restore()
				l.checkRefused("from one snapshot")
				if index == "audit" || index == "segment" {
					return // all guidelines are still in the store
				}
				_, err := l.open.All(t.Context(), "a")
				checkError(t, err, store.Unavailable, "from one snapshot")
			})
		}
	})
}

func TestTheProcessThatWroteTheNewerDocumentsStopsWriting(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		l := newLossTest(t, url)
		restore := l.backup("state")
		l.write("two")
		restore()
		g := small("two")
		g.Name = "other"
		_, err := l.open.Create(t.Context(), newWrite(), g)
		checkError(t, err, store.Unavailable, "from one snapshot")
		_, err = l.open.All(t.Context(), "a")
		checkError(t, err, store.Unavailable, "from one snapshot")
	})
}

// A server notices the loss at its next check of the store. When a program then opens the store again, the error names
// the missing index.
func TestALossIsNoticedWhileTheStoreIsOpen(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for index := range strings.FieldsSeq(indices) {
			t.Run(index, func(t *testing.T) {
				t.Parallel()
				l := newLossTest(t, url)
				if err := l.open.Writable(t.Context(), "a"); err != nil {
					t.Fatal(err)
				}
				l.drop(index)
				if err := l.open.Writable(t.Context(), "a"); !isGone(err) {
					t.Errorf("after the loss: %v", err)
				}
				l.checkRefused("missing at")
			})
		}
	})
}

func TestAReplacedIndexIsNoticedWhileTheStoreIsOpen(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for index := range strings.FieldsSeq(indices) {
			for _, replaced := range []string{"an older one", "an empty one"} {
				t.Run(index+" by "+replaced, func(t *testing.T) {
					t.Parallel()
					l := newLossTest(t, url)
					replace := l.backup(index)
					if replaced == "an empty one" {
						whole := l.definition(index, true)
						replace = func() { l.drop(index); ask(t, http.MethodPut, url+"/"+l.name(index), whole) }
					}
					l.write("two")
					replace()
					l.ahead.Store(int64(31 * time.Second))
					checkError(t, l.open.Writable(t.Context(), "a"), store.Unavailable, "from one snapshot")
					_, err := l.open.Create(t.Context(), newWrite(), small("new"))
					checkError(t, err, store.Unavailable, "from one snapshot")
					_, err = l.open.Append(t.Context(), "a", decision("new"))
					checkError(t, err, store.Unavailable, "from one snapshot")
				})
			}
		}
	})
}

// If the store refuses the calls for one tenant, package intake continues with the other tenants of the store.
func TestOnlyTheTenantWhoseDocumentsAreOlderIsRefused(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		l := newLossTest(t, url)
		l.write("two")
		if _, err := l.open.Append(t.Context(), "b", decision("one")); err != nil {
			t.Fatal(err)
		}
		ask(t, http.MethodPost, url+"/"+l.name("config")+"/_refresh", "")
		ask(t, http.MethodPost, url+"/"+l.name("config")+"/_delete_by_query?refresh=true",
			`{"query":{"bool":{"filter":[{"term":{"tenant_id":"a"}},{"term":{"generation":2}}]}}}`)
		s := open(t, l.options)
		defer s.Close()
		_, err := s.Append(t.Context(), "a", decision("new"))
		checkError(t, err, store.Unavailable, "from one snapshot")
		if !errors.Is(err, store.ErrOlder) || store.ConcernsAll(err) {
			t.Errorf("%v", err)
		}
		if _, err := s.Append(t.Context(), "b", decision("new")); err != nil {
			t.Error(err)
		}
	})
}

// Restoring all indices from one snapshot is harmless, because the snapshot has the state of all indices at one moment.
func TestAllIndicesOfOneSnapshotAreUsed(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		l := newLossTest(t, url)
		var all []func()
		for index := range strings.FieldsSeq(indices) {
			all = append(all, l.backup(index))
		}
		l.write("two")
		for _, restore := range all {
			restore()
		}
		s := open(t, l.options)
		defer s.Close()
		if _, err := s.Create(t.Context(), newWrite(), small("new")); err != nil {
			t.Error(err)
		}
		verdicts, err := s.Verify(t.Context(), "a", nil)
		for _, v := range verdicts {
			if v.Fault != nil {
				t.Errorf("%+v", *v.Fault)
			}
		}
		if err != nil || len(verdicts) == 0 {
			t.Errorf("got %+v, %v", verdicts, err)
		}
	})
}
