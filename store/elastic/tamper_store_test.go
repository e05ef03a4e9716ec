package elastic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/live"
	"guardrails/store/notedheads"
)

// The constant "decisions" is the name of the index with the decisions. This index is the first segment of the audit.
const decisions = "audit-000001"

// documentIndices returns the indices of a store that have documents.
func documentIndices() []string { return []string{"audit", decisions, "config", "state-2"} }

// notedStore has one tenant of a store, and the heads that were noted for this tenant.
type notedStore struct {
	*testing.T
	url, prefix, name string
	store             *elastic.Store
	tenant            *live.TenantStore
	book              *notedheads.Book
}

// newNotedStore creates a guideline, renames it, appends three decisions and notes the heads.
func newNotedStore(t *testing.T, url, prefix string) *notedStore {
	t.Helper()
	f := &notedStore{T: t, url: url, prefix: prefix, name: "t" + strings.ToLower(store.NewID(time.Now()))}
	f.store = open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix})
	state := t.TempDir()
	f.book = notedheads.Open(func() (string, error) { return state, nil }, prefix, time.Now)
	l := live.New(live.Options{Open: live.Opened(f.store), Now: time.Now, Notes: f.book})
	t.Cleanup(func() { _ = l.Close() })
	f.tenant = l.For(live.Caller{Tenant: f.name, Actor: "ann"})
	f.change()
	f.append("d1", "d2", "d3")
	f.note()
	f.refresh()
	return f
}

// change() creates a guideline and renames it.
func (f *notedStore) change() {
	f.Helper()
	w := newWrite()
	w.Tenant = f.name
	g, err := f.store.Create(f.Context(), w, small("one"))
	if err == nil {
		g.Name, w.ID = "Second", newWrite().ID
		_, err = f.store.Update(f.Context(), w, g)
	}
	if err != nil {
		f.Fatal(err)
	}
}

func (f *notedStore) append(ids ...string) {
	f.Helper()
	var entries []store.Entry
	for _, id := range ids {
		entries = append(entries, decision(id))
	}
	if _, err := f.store.Append(f.Context(), f.name, entries...); err != nil {
		f.Fatal(err)
	}
}

func (f *notedStore) note() {
	f.Helper()
	if _, err := f.tenant.NoteHeads(f.Context()); err != nil {
		f.Fatal(err)
	}
}

func (f *notedStore) refresh() {
	f.Helper()
	f.ask(http.MethodPost, "*/_refresh", "")
}

// faults() verifies the audit, and returns what is wrong.
func (f *notedStore) faults() string {
	f.Helper()
	found, err := f.tenant.Verify(f.Context(), live.Verifying{})
	if err != nil {
		f.Fatal(err)
	}
	var out []string
	for _, v := range found.Verdicts {
		if v.Fault != nil {
			out = append(out, v.Fault.Why)
		}
	}
	return strings.Join(out, "\n")
}

// ask() sends a request for one of the indices.
func (f *notedStore) ask(method, path, body string) map[string]any {
	f.Helper()
	return ask(f.T, method, f.url+"/"+f.prefix+"guardrails-"+path, body)
}

// computeField adds a field that a script computes. In Elasticsearch, the new field hides the field "superseded" of the
// documents.
func (f *notedStore) computeField() {
	f.Helper()
	part, name := "runtime", "superseded"
	if ask(f.T, http.MethodGet, f.url, "")["version"].(map[string]any)["distribution"] == "opensearch" {
		part, name = "derived", "computed"
	}
	f.ask(http.MethodPut, "config/_mapping",
		fmt.Sprintf(`{%q: {%q: {"type": "long", "script": {"source": "emit(1)"}}}}`, part, name))
}

// ofTenant limits a query to the documents of the tenant.
func (f *notedStore) ofTenant(query string) string {
	return fmt.Sprintf(`{"bool": {"filter": [{"term": {"tenant_id": %q}}, %s]}}`, f.name, query)
}

// update() runs a script on the documents of the tenant that a query finds.
func (f *notedStore) update(index, query, script string) {
	f.Helper()
	body := fmt.Sprintf(`{"query": %s, "script": {"source": %s}}`, f.ofTenant(query), quoted(script))
	answer := f.ask(http.MethodPost, index+"/_update_by_query?refresh=true", body)
	if answer["updated"].(float64)+answer["deleted"].(float64) == 0 {
		f.Fatalf("nothing was altered: %v", answer)
	}
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func update(index, query, script string) func(*notedStore) {
	return func(f *notedStore) { f.update(index, query, script) }
}

// copyOf copies a decision within the audit. The script changes the copy.
func copyOf(id, script string) func(*notedStore) {
	return func(f *notedStore) {
		between := "copy-" + f.name
		f.reindex(decisions, between, f.ofTenant(fmt.Sprintf(`{"term": {"id": %q}}`, id)), script)
		f.reindex(between, decisions, `{"match_all": {}}`, "")
	}
}

// rollback() puts an older copy of all documents in the place of the newer documents.
func rollback(f *notedStore) { f.rollbackAfter(func() {}) }

// rollbackAfter does the same as rollback(). After it has made the copy, it calls more().
func (f *notedStore) rollbackAfter(more func()) {
	f.Helper()
	const all = `{"match_all": {}}`
	for _, index := range documentIndices() {
		f.reindex(index, "copy-"+index, all, "")
	}
	f.append("d4")
	more()
	f.note()
	f.refresh()
	emptyIndices(f)
	for _, index := range documentIndices() {
		f.reindex("copy-"+index, index, all, "")
	}
}

// emptyIndices deletes the documents of all tenants.
func emptyIndices(f *notedStore) {
	f.Helper()
	for _, index := range documentIndices() {
		f.ask(http.MethodPost, index+"/_delete_by_query?refresh=true", `{"query": {"match_all": {}}}`)
	}
}

// toggle() disables the guideline.
func (f *notedStore) toggle() {
	f.Helper()
	w := newWrite()
	w.Tenant = f.name
	if _, err := f.store.Toggle(f.Context(), w, store.Ref{Key: "one", Version: 2}); err != nil {
		f.Fatal(err)
	}
}

// loadNewer puts an older copy of all documents in the place of the newer documents. Then it loads a dump of the newer
// documents into the store.
func loadNewer(f *notedStore) {
	f.Helper()
	var dump []store.Record
	f.rollbackAfter(func() {
		f.toggle()
		f.refresh()
		for r, err := range f.store.Dump(f.Context(), f.name) {
			if err != nil {
				f.Fatal(err)
			}
			dump = append(dump, r)
		}
	})
	if _, err := f.store.Load(f.Context(), f.name, func(yield func(store.Record, error) bool) {
		for _, r := range dump {
			if !yield(r, nil) {
				return
			}
		}
	}); err != nil {
		f.Fatal(err)
	}
	f.refresh()
}

// reindex() copies the documents that a query finds from one index to another. The script changes the copies.
func (f *notedStore) reindex(from, to, query, script string) {
	f.Helper()
	name := func(index string) string { return quoted(f.prefix + "guardrails-" + index) }
	body := fmt.Sprintf(`{"source": {"index": %s, "query": %s}, "dest": {"index": %s}`, name(from), query, name(to))
	if script != "" {
		body += `, "script": {"source": ` + quoted(script) + `}`
	}
	ask(f.T, http.MethodPost, f.url+"/_reindex?refresh=true", body+"}")
}

// chain() returns the entries of the chain with the given kind.
func (f *notedStore) chain(kind store.Kind) (out []store.Entry) {
	f.Helper()
	for e, err := range f.store.Export(f.Context(), f.name, store.AuditFilter{Kind: kind}) {
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b store.Entry) int { return int(a.Seq - b.Seq) })
	return out
}

// entry() returns the decision with the given id.
func (f *notedStore) entry(id string) store.Entry {
	f.Helper()
	all := f.chain(store.KindDecision)
	return all[slices.IndexFunc(all, func(e store.Entry) bool { return e.ID == id })]
}

// reseal() changes the entries of a chain from one number to another and seals them again. It also writes the hash of
// the last entry into the head of the chain.
func (f *notedStore) reseal(kind store.Kind, from, last int64) {
	f.Helper()
	f.resealWith(kind, from, last, func(e *store.Entry) { e.Session = "other" }, "ctx._source.session_id = 'other';")
}

// resealWith does the same as reseal(). The function alter() changes an entry, and the script must change the document
// of the entry in the same way.
func (f *notedStore) resealWith(kind store.Kind, from, last int64, alter func(e *store.Entry), script string) {
	f.Helper()
	entries := f.chain(kind)
	head := store.Head{Chain: entries[0].Chain()}
	for i := range entries {
		e := entries[i]
		if e.Seq >= from && e.Seq <= last {
			var err error
			alter(&e)
			if head, _, err = head.Seal(&e); err != nil {
				f.Fatal(err)
			}
			f.update("audit-all", fmt.Sprintf(`{"term": {"id": %q}}`, e.ID), fmt.Sprintf(
				"%s ctx._source.hash = '%s'; if ('%[3]s' != '') { ctx._source.prev = '%[3]s' }", script, e.Hash, e.Prev))
		}
		head.Seq, head.Hash = e.Seq, e.Hash
	}
	f.update("state-2", `{"term": {"kind": "journal"}}`, fmt.Sprintf(
		"for (h in ctx._source.heads) { if (h.kind == '%s') { h.hash = '%s' } }", kind, head.Hash))
}

// prune() removes the first decision, and moves the beginning of the chain. It adds no audit entry about the pruning.
func (f *notedStore) prune() (hash string) {
	f.Helper()
	hash = f.entry("d1").Hash
	f.update("audit-all", `{"term": {"id": "d1"}}`, "ctx.op = 'delete'")
	f.update("state-2", `{"term": {"kind": "journal"}}`,
		"for (h in ctx._source.heads) { if (h.kind == 'decision') { h.base = 1; h.base_hash = '"+hash+"' } }")
	return hash
}

// makeUpPruning does the same as prune(). It also replaces the newest change by an entry that explains the pruning.
func makeUpPruning(f *notedStore) {
	f.Helper()
	p := &store.Pruning{Writer: f.entry("d1").Writer, Seq: 1, Hash: f.prune()}
	f.resealWith(store.KindChange, 2, 2, func(e *store.Entry) {
		e.Event, e.Pruning, e.Changes, e.Digest = store.Pruned, p, nil, ""
		e.Guideline, e.GuidelineName, e.Version = "", "", 0
	}, fmt.Sprintf("ctx._source.event_type = '%s'; ctx._source.pruning = ['writer': '%s', 'seq': 1, 'hash': '%s']; "+
		"for (field in ['changes', 'revision_digest', 'guideline_id', 'guideline_name', 'guideline_version']) "+
		"{ ctx._source.remove(field) }", store.Pruned, p.Writer, p.Hash))
}

// makeUpVersion adds a version of the guideline after the newest one, so that readers get the new version.
func makeUpVersion(f *notedStore) {
	f.Helper()
	const newest = `{"term": {"version": 2}}`
	between := "copy-" + f.name
	f.reindex("config", between, f.ofTenant(newest), "ctx._source.version = 9; ctx._id = ctx._id + '-made-up'")
	f.update("config", newest, "ctx._source.superseded = ctx._source.generation")
	f.reindex(between, "config", `{"match_all": {}}`, "")
}

// empty() deletes all documents of the tenant.
func empty(f *notedStore) {
	f.Helper()
	for _, index := range documentIndices() {
		f.ask(http.MethodPost, index+"/_delete_by_query?refresh=true", `{"query": `+f.ofTenant(`{"match_all": {}}`)+`}`)
	}
}

// rename() gives all documents of the tenant to another tenant.
func rename(f *notedStore) {
	f.Helper()
	for _, index := range []string{"audit-all", "config", "state-2"} {
		f.update(index, `{"match_all": {}}`, "ctx._source.tenant_id = 'other-"+f.name+"'; "+
			"if (ctx._source.heads != null) { for (h in ctx._source.heads) { h.tenant_id = 'other-"+f.name+"' } }")
	}
}

// rewriteLastDecision changes the last decision. All hashes of the altered chain are correct.
func rewriteLastDecision(f *notedStore) { f.reseal(store.KindDecision, 3, 3) }

// result() returns the name of the document with the result of a write.
func (f *notedStore) result() string {
	f.Helper()
	found := f.ask(http.MethodPost, "state-2/_search", `{"size": 1, "query": `+f.ofTenant(`{"term": {"kind": "written"}}`)+`}`)
	first := found["hits"].(map[string]any)["hits"].([]any)[0]
	return first.(map[string]any)["_id"].(string)
}

func removeResult(f *notedStore) {
	f.ask(http.MethodDelete, "state-2/_doc/"+f.result()+"?refresh=true", "")
}

// renameResult stores the result of a write under another write id.
func renameResult(f *notedStore) {
	f.Helper()
	id := f.result()
	f.copyResult(id, "")
	f.ask(http.MethodDelete, "state-2/_doc/"+id+"?refresh=true", "")
}

// copyResult adds a copy of a result under another write id. The script changes the copy.
func (f *notedStore) copyResult(id, script string) {
	f.Helper()
	between := "copy-" + f.name
	f.reindex("state-2", between, fmt.Sprintf(`{"ids": {"values": [%q]}}`, id), script+"ctx._id = ctx._id + '0'")
	f.reindex(between, "state-2", `{"match_all": {}}`, "")
}
