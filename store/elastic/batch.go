package elastic

import (
	"context"
	"encoding/json"
	"errors"

	"guardrails/guideline"
	"guardrails/store"
)

// The type "batch" plans requests one after the other. The plan of a request takes the results of the earlier requests
// into account.
type batch struct {
	store    *Store
	journal  *journal
	requests []*request
	// The map "written" has the results that are stored under the write ids of the requests. Each key is the name of a
	// document, and the value is the document.
	written map[string]json.RawMessage
	// The map "stored" has the newest revisions in the store. Its keys are the keys of the guidelines.
	stored map[string]*storedRevision
	// The map "reused" has the requests whose audit entries exist already.
	reused map[*request]bool

	generation int64
	// The map "newest" maps each key to the revision that will be the newest after the planned requests.
	newest map[string]*storedRevision
	// The field "revisions" has the revisions to write, in order. The map isStored has the revisions that are in the
	// store already.
	revisions []*storedRevision
	isStored  map[*storedRevision]bool
	// The list "planned" has the requests whose changes or results must be written, in order. The map byID maps the
	// write id of each of these requests to the request.
	planned []*request
	byID    map[string]*request
}

// newBatch reads what is needed to plan requests.
func (s *Store) newBatch(ctx context.Context, j *journal, requests []*request) (*batch, error) {
	b := &batch{store: s, journal: j, requests: requests, reused: map[*request]bool{}}
	var ids, keys []string
	seen := map[string]bool{}
	for _, r := range requests {
		ids = append(ids, writtenID(&r.write))
		for _, key := range r.keys {
			if !seen[key] {
				seen[key], keys = true, append(keys, key)
			}
		}
	}
	var lost error
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.written, lost = s.documents(ctx, stateIndex, ids)
	}()
	var err error
	b.stored, err = s.newest(ctx, j, keys...)
	<-read
	return b, errors.Join(lost, err)
}

// plan() plans all requests. If a request is refused, the method sets the error of this request.
func (b *batch) plan(ctx context.Context) error {
	b.generation, b.revisions, b.planned = b.journal.Generation, nil, nil
	b.newest, b.byID, b.isStored = map[string]*storedRevision{}, map[string]*request{}, map[*storedRevision]bool{}
	for key, k := range b.stored {
		before := *k
		b.newest[key], b.isStored[&before] = &before, true
	}
	for _, r := range b.requests {
		r.changes, r.result, r.guideline, r.err = nil, store.ImportResult{}, guideline.Guideline{}, nil
		if err := b.planOne(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) planOne(ctx context.Context, r *request) error {
	if text, known := b.written[writtenID(&r.write)]; known {
		return b.store.recall(ctx, r, text)
	}
	if first := b.byID[r.write.ID]; first != nil {
		r.repeat(first)
		return nil
	}
	if b.reused[r] {
		r.err = store.Reused(r.write.ID)
		return nil
	}
	newest := func(key string) *store.Revision { return b.newest[key].revision() }
	r.changes, r.result, r.err = r.plan(ctx, store.Planner{Write: r.write, Now: b.store.now()}, newest)
	if r.err == nil {
		b.add(r)
	}
	return nil
}

// add() adds the changes of a planned request to the batch.
func (b *batch) add(r *request) {
	if len(r.changes) == 1 {
		r.guideline = r.changes[0].Revision.Guideline
	}
	b.byID[r.write.ID], b.planned = r, append(b.planned, r)
	if len(r.changes) > 0 {
		b.generation++
	}
	for i := range r.changes {
		b.replace(&r.changes[i].Revision)
	}
}

// replace() makes the given revision the newest revision of its guideline.
func (b *batch) replace(next *store.Revision) {
	key := store.KeyOf(&next.Guideline)
	if before := b.newest[key]; before != nil {
		before.superseded = b.generation
		if b.isStored[before] {
			b.revisions = append(b.revisions, before)
		}
	}
	added := &storedRevision{*next, b.generation, 0}
	b.newest[key], b.revisions = added, append(b.revisions, added)
}

// changed() returns the newest revisions of the guidelines that the planned requests change. The keys of the result are
// the keys of the guidelines.
func (b *batch) changed() map[string]*storedRevision {
	out := map[string]*storedRevision{}
	for _, k := range b.revisions {
		if key := store.KeyOf(&k.Guideline); k == b.newest[key] {
			out[key] = k
		}
	}
	return out
}

// refuseReused finds requests whose audit entries exist already, because their write ids were used before. If there are
// such requests, the result "again" is true, and the batch must be planned again without them.
func (b *batch) refuseReused(ctx context.Context) (again bool, err error) {
	existing, err := b.store.existingEntries(ctx, b.journal, b.entries())
	if err != nil || len(existing) == 0 {
		return false, err
	}
	for _, r := range b.planned {
		for i := range r.changes {
			if _, known := existing[r.changes[i].Entry.ID]; known {
				b.reused[r], again = true, true
			}
		}
	}
	return again, nil
}

// entries() returns the audit entries of the planned requests.
func (b *batch) entries() (out []*store.Entry) {
	for _, r := range b.planned {
		for i := range r.changes {
			out = append(out, &r.changes[i].Entry)
		}
	}
	return out
}

// transaction() returns the transaction that makes the planned changes, or nil if there is nothing to do.
func (b *batch) transaction() (*transaction, error) {
	if len(b.planned) == 0 {
		return nil, nil
	}
	t := b.store.begin(b.journal)
	t.next.Generation = b.generation
	for _, e := range b.entries() {
		if err := t.seal(b.store.writer, e); err != nil {
			return nil, err
		}
	}
	for _, k := range b.revisions {
		if err := t.addRevision(k, b.isStored[k]); err != nil {
			return nil, err
		}
	}
	for _, r := range b.planned {
		if err := t.addResult(r); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// addRevision adds the action that writes the document of a revision.
func (t *transaction) addRevision(k *storedRevision, replace bool) error {
	doc, err := k.encode()
	if err != nil {
		return err
	}
	return t.add(configIndex, revisionID(t.from.Tenant, store.KeyOf(&k.Guideline), k.Guideline.Version), replace, doc)
}

// addResult adds the action that stores the result of a request under its write id.
func (t *transaction) addResult(r *request) error {
	result, err := json.Marshal(r.result)
	if err != nil {
		return err
	}
	doc := writeResult{kindWritten, r.write.Tenant, r.fingerprint, result}
	return t.add(stateIndex, writtenID(&r.write), false, doc)
}
