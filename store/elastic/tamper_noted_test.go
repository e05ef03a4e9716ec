package elastic_test

import (
	"net/http"
	"strings"
	"testing"

	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/notedheads"
)

// alteration is a way to alter a store. Afterwards, Verify must report faults that contain the text in the field
// "want".
type alteration struct {
	alter func(f *notedStore)
	want  string
}

// Before each alteration, a guideline was created and renamed, three decisions were appended, and the server noted the
// heads of the chains by itself. The rows share indices, because creating indices takes long. Each row has a tenant of
// its own.
func TestVerifyNoticesEveryAlterationOfTheDocuments(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix := newPrefix(t, url)
		s := open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix})
		t.Cleanup(func() { s.Close() })
		for name, a := range alteredDocuments() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				newNotedStore(t, url, prefix).notices(&a)
			})
		}
	})
}

// Each of these rows has indices of its own, because it alters the indices or the documents of all tenants.
func TestVerifyNoticesEveryAlterationOfTheIndices(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		for name, a := range alteredIndices() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				newNotedStore(t, url, newPrefix(t, url)).notices(&a)
			})
		}
	})
}

// notices() checks that Verify notices an alteration.
func (f *notedStore) notices(a *alteration) {
	f.Helper()
	a.alter(f)
	if got := f.faults(); !strings.Contains(got, a.want) || a.want == "" && got != "" {
		f.Errorf("got %q, want %q", got, a.want)
	}
}

func alteredDocuments() map[string]alteration {
	const d2, newest, first = `{"term": {"id": "d2"}}`, `{"term": {"version": 2}}`, `{"term": {"version": 1}}`
	const created, renamed = `{"term": {"guideline_version": 1}}`, `{"term": {"guideline_version": 2}}`
	const journal, heads = `{"term": {"kind": "journal"}}`, "for (h in ctx._source.heads) "
	const mismatch, otherHash = "its hash does not match its content", "its hash differs from the noted one"
	const results, differs = `{"term": {"kind": "written"}}`, "differs from its changes"
	const remove, again = "ctx.op = 'delete'", "so repeating the write would make the change again"
	return map[string]alteration{
		"nothing": {func(*notedStore) {}, ""},
		"a repeated write of the same content": {
			update("audit-all", d2, "ctx._source.actor = ctx._source.actor"), "",
		},
		// Entries.
		"the result of a decision": {update("audit-all", d2, "ctx._source.decision.result = 'deny'"), mismatch},
		"the actor of a decision":  {update("audit-all", d2, "ctx._source.actor = 'mallory'"), mismatch},
		"the time of a decision": {
			update("audit-all", d2, "ctx._source.timestamp = '2020-01-01T00:00:00Z'"), mismatch,
		},
		"the text of a change":        {update("audit-all", renamed, "ctx._source.changes = null"), mismatch},
		"a removed decision":          {update("audit-all", d2, remove), "entry 3 follows entry 1"},
		"a removed change":            {update("audit-all", created, remove), "entry 2 follows entry 0"},
		"the removed newest decision": {update("audit-all", `{"term": {"id": "d3"}}`, remove), "the chain ends at entry 2"},
		"a decision that nobody wrote": {
			copyOf("d2", "ctx._source.id = 'made-up'; ctx._source.seq = 4; ctx._id = ctx._id + '-made-up'"), mismatch,
		},
		"a decision that is there twice": {copyOf("d2", "ctx._id = ctx._id + '-again'"), "it comes after entry 2"},
		// Hashes and numbers.
		"the hash of a decision": {
			update("audit-all", d2, "ctx._source.hash = 'f' + ctx._source.hash.substring(1) + '0'"), mismatch,
		},
		"the hash before a decision": {update("audit-all", d2, "ctx._source.prev = ctx._source.hash"), mismatch},
		"the hash of a decision, sealed again": {
			func(f *notedStore) { f.reseal(store.KindDecision, 2, 2) },
			"entry 3 does not have the hash of the entry before it",
		},
		"the number of a decision":     {update("audit-all", d2, "ctx._source.seq = 1"), mismatch},
		"a higher number of the heads": {update("state-2", journal, heads+"{ h.seq = h.seq + 1 }"), "the chain ends at entry"},
		"a removed head": {
			update("state-2", journal, "ctx._source.heads.removeIf(h -> h.kind == 'decision')"), "the head of the chain is entry 0",
		},
		"a lower number of the heads": {
			update("state-2", journal, heads+"{ h.seq = h.seq - 1 }"), "the head of the chain is entry",
		},
		"the hashes of the heads": {
			update("state-2", journal, heads+"{ h.hash = 'other' }"), "its hash differs from the head of the chain",
		},
		// Tenants.
		"the tenant of a decision": {
			update("audit-all", d2, "ctx._source.tenant_id = 'other'"), "entry 3 follows entry 1",
		},
		"the tenant of a guideline": {
			update("config", newest, "ctx._source.tenant_id = 'other'"), "version 2 of the guideline one is missing",
		},
		"the tenant of everything": {rename, "but earlier it reached entry"},
		// Guidelines, versions and lists.
		"a guideline":                 {update("config", newest, "ctx._source.priority = 1"), "version 2 of the guideline one was altered"},
		"an old version":              {update("config", first, "ctx._source.actor = 'bob'"), "version 1 of the guideline one was altered"},
		"a removed version":           {update("config", first, remove), "version 1 of the guideline one is missing"},
		"a version that nobody wrote": {makeUpVersion, "no audit entry explains version 9 of the guideline one"},
		"a guideline hidden from lists": {
			update("config", newest, "ctx._source.superseded = 1"), "the store does not list the guideline one",
		},
		"an old version in lists":  {update("config", first, "ctx._source.remove('superseded')"), "the guideline one"},
		"the words of a guideline": {update("config", newest, "ctx._source.searchable = 'nothing'"), "do not match the guideline"},
		// Prunings.
		"a pruning that nobody recorded":  {func(f *notedStore) { f.prune() }, "no audit entry says that it was pruned"},
		"a pruning that somebody made up": {makeUpPruning, otherHash},
		// Alterations of whole chains. Each altered chain is still consistent, so only the noted heads show the
		// alteration.
		"a rewritten chain of decisions": {func(f *notedStore) { f.reseal(store.KindDecision, 1, 3) }, otherHash},
		"a rewritten last decision":      {rewriteLastDecision, otherHash},
		"a rewritten chain of changes":   {func(f *notedStore) { f.reseal(store.KindChange, 1, 2) }, otherHash},
		"a rewritten last decision that is noted again": {func(f *notedStore) {
			rewriteLastDecision(f)
			if _, err := f.tenant.NoteHeads(f.Context()); store.CodeOf(err) != store.ReadOnly {
				f.Errorf("the heads were noted: %v", err)
			}
			heads, err := f.tenant.Heads(f.Context())
			if err == nil {
				_, err = f.book.Add(notedheads.Note{Tenant: f.name, Heads: heads})
			}
			if err != nil {
				f.Error(err)
			}
		}, otherHash},
		"a cut tail with its head moved": {func(f *notedStore) {
			f.update("audit-all", `{"term": {"id": "d3"}}`, remove)
			d2 := f.entry("d2").Hash
			f.update("state-2", journal, heads+"{ if (h.kind == 'decision') { h.seq = 2; h.hash = '"+d2+"' } }")
		}, "but earlier it reached entry 3"},
		"a removed chain": {func(f *notedStore) {
			f.update("audit-all", `{"term": {"kind": "decision"}}`, remove)
			f.update("state-2", journal, "ctx._source.heads.removeIf(h -> h.kind == 'decision')")
		}, "but earlier it reached entry 3"},
		"an emptied store": {empty, "but earlier it reached entry 3"},
		"a lowered generation": {
			update("state-2", journal, "ctx._source.generation = 1"), "the store counts 1 changes of guidelines",
		},
		"the removed results of writes": {update("state-2", results, remove), again},
		"the removed result of a write": {removeResult, again},
		"the result of a renamed write": {renameResult, again},
		"a result with another version": {
			update("state-2", results, "for (i in ctx._source.result.items) { i.version = i.version + 1 }"), differs,
		},
		"a result of another guideline": {
			update("state-2", results, "for (i in ctx._source.result.items) { i.id = 'two' }"), differs,
		},
		"a fingerprint":         {update("state-2", results, "ctx._source.fingerprint = 'x'"), differs},
		"a removed fingerprint": {update("state-2", results, "ctx._source.fingerprint = ''"), differs},
		"a result that nobody stored": {
			func(f *notedStore) { f.copyResult(f.result(), "") }, "no audit entry explains the stored result of the write written-",
		},
		"an empty result of no write": {
			func(f *notedStore) {
				f.copyResult(f.result(), "ctx._source.fingerprint = ''; ctx._source.result = [:];")
			},
			"no audit entry explains the stored result of the write written-",
		},
	}
}

func alteredIndices() map[string]alteration {
	const mapping = "somebody changed "
	return map[string]alteration{
		"nothing": {func(*notedStore) {}, ""},
		"a field that no program uses": {func(f *notedStore) {
			f.ask(http.MethodPut, "config/_mapping", `{"properties": {"added": {"type": "keyword"}}}`)
		}, ""},
		"a field added to a decision": {func(f *notedStore) {
			f.ask(http.MethodPut, decisions+"/_mapping", `{"properties": {"more": {"type": "keyword"}}}`)
			f.update("audit-all", `{"term": {"id": "d2"}}`, "ctx._source.more = 'deny'")
		}, "the fields of its document differ from the entry"},
		"an alias that hides documents": {func(f *notedStore) {
			f.ask(http.MethodPut, "audit-v1/_alias/"+f.prefix+"guardrails-audit-all", `{"filter": {"exists": {"field": "id"}}}`)
		}, "hides documents of the index"},
		"a segment that searches do not see": {func(f *notedStore) {
			f.ask(http.MethodDelete, "audit-v1-000001/_alias/"+f.prefix+"guardrails-audit-all", "")
		}, "the chain ends at entry 0"},
		"a pipeline for new documents": {func(f *notedStore) {
			f.ask(http.MethodPut, decisions+"/_settings", `{"index.default_pipeline": "none-such"}`)
		}, "changes documents before it stores or shows them"},
		"a field that a script computes": {(*notedStore).computeField, mapping},
		"a field that no longer has long words": {func(f *notedStore) {
			f.ask(http.MethodPut, "config/_mapping", `{"properties": {"id": {"type": "keyword", "ignore_above": 1}}}`)
		}, mapping + "the field id"},
		"fields that searches do not see": {func(f *notedStore) {
			f.ask(http.MethodPut, "config/_mapping", `{"dynamic": "false"}`)
		}, mapping + "dynamic"},
		"emptied indices":                                {emptyIndices, "but earlier it reached entry 3"},
		"a rollback to an older copy":                    {rollback, "but earlier it reached entry 4"},
		"a rollback after which a newer dump was loaded": {loadNewer, ""},
		"a rollback that other work hides": {func(f *notedStore) {
			rollback(f)
			f.append("e1", "e2")
		}, "its hash differs from the noted one"},
	}
}
