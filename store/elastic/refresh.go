package elastic

import (
	"context"
	"slices"
	"sync"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// The type "refresher" makes the written documents of an index visible to searches. Calls that wait at the same time
// share one request. The zero value is ready to use.
type refresher struct {
	// The mutex "turn" is locked while a request runs.
	turn sync.Mutex
	lock sync.Mutex
	// The field "next" is the request that waits until it can run, or nil if no request waits.
	next *refreshing
}

// The type "refreshing" is one request. The field err is set before the channel "done" is closed.
type refreshing struct {
	done chan struct{}
	err  error
}

// join() returns the request that waits until it can run. If there is no such request, the method adds one, and the
// caller must call run().
func (r *refresher) join() (own *refreshing, isNew bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if isNew = r.next == nil; isNew {
		r.next = &refreshing{done: make(chan struct{})}
	}
	return r.next, isNew
}

// run() waits until no other request runs, and sends the request. Later calls of join() add another request.
func (r *refresher) run(own *refreshing, send func() error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	r.lock.Lock()
	r.next = nil
	r.lock.Unlock()
	own.err = send()
	close(own.done)
}

// refresh() waits for a refresh of the index that begins after this call. Afterwards, searches see all documents that
// were written before the call.
func (s *Store) refresh(ctx context.Context, index string) error {
	r := s.refreshers[index]
	own, isNew := r.join()
	if isNew {
		s.calls.Fork()
		go func() {
			defer s.calls.End()
			detached := context.WithoutCancel(ctx)
			r.run(own, func() error { return s.sendRefresh(detached, index) })
		}()
	}
	select {
	case <-own.done:
		return own.err
	case <-ctx.Done():
		return store.Interrupted(ctx)
	}
}

// sendRefresh refreshes an index. If the refresh of one copy of the index fails, for example because a node has just
// left the cluster, sendRefresh tries again.
func (s *Store) sendRefresh(ctx context.Context, index string) error {
	for attempt := 1; ; attempt++ {
		var answer struct {
			Shards struct {
				Failed int `json:"failed"`
			} `json:"_shards"`
		}
		err := s.client.Do(ctx, func() esapi.Request {
			return esapi.IndicesRefreshRequest{Index: []string{s.indices.name(index)}}
		}, &answer)
		if err != nil || answer.Shards.Failed == 0 {
			return err
		}
		if attempt == cluster.Attempts || !cluster.Pause(ctx, attempt) {
			return &cluster.Temporary{Err: cluster.ErrIncomplete}
		}
	}
}

// showEntries makes searches see every entry up to the heads of a journal. It refreshes the audit only if a head has
// changed since the last call.
func (s *Store) showEntries(ctx context.Context, j *journal) error {
	shown := &s.locks.of(j.Tenant).shown
	if last := shown.Load(); last != nil && slices.Equal(*last, j.Heads) {
		return nil
	}
	if err := s.refresh(ctx, auditIndex); err != nil {
		return err
	}
	shown.Store(&j.Heads)
	return nil
}
