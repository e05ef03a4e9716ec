// Package elastic keeps guidelines and the audit in Elasticsearch or OpenSearch. Several processes may use the same
// indices at the same time.
//
// Start with Open. journal.go keeps the current state of a tenant. commit.go makes atomic changes, although the servers
// have no transactions. Package cluster sends requests, layout.go defines the indices, and revision.go gives readers a
// consistent view while others write.
package elastic

import (
	"context"
	"errors"
	"time"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// Options configure a Store.
type Options struct {
	// Addresses are the nodes of one cluster, such as http://localhost:9200.
	Addresses []string
	// Username and Password are one way to log in. APIKey is another way.
	Username, Password string
	APIKey             string
	// CA has the certificates that verify the servers, in PEM format. If it is empty, the certificates of the system are
	// used.
	CA []byte
	// Prefix is the prefix of all index names. It allows several stores in one cluster.
	Prefix string
	// If Existing is set and there are no indices yet, Open fails. If it is not set, Open creates the indices.
	Existing bool
	// Now is the clock. The default is time.Now.
	Now func() time.Time
	// Timeout limits the time of one request. The default is ten seconds.
	Timeout time.Duration
	// SegmentBytes and SegmentAge are limits for the newest segment of the audit. When the segment reaches one of them,
	// Maintain begins a new segment. The defaults are 30 GB and 30 days.
	SegmentBytes int64
	SegmentAge   time.Duration
	// LargeAudit is the smallest number of entries of a large audit. The pages of a large audit are searched in steps.
	// The default is 100,000.
	LargeAudit int
}

// Store is an open connection to a cluster.
type Store struct {
	client  *cluster.Client
	indices indices
	now     func() time.Time
	// The field "writer" is the name of the writer in the chains of the store. The field "handle" is the unique name of
	// this connection.
	writer, handle string
	locks          tenantLocks
	refreshers     map[string]*refresher
	calls          store.RunningCalls
	// mayCreate allows creating the indices of a new store.
	mayCreate bool
	// segmentBytes and segmentAge are limits. A segment that has reached this size or this age gets no more entries.
	segmentBytes int64
	segmentAge   time.Duration
	largeAudit   int
}

var _ store.Store = (*Store)(nil)

// Open connects to a cluster. If there are no indices yet, it creates them. It migrates indices of an older version. If
// only some of the indices exist, the others were lost, and Open fails.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.SegmentBytes == 0 {
		o.SegmentBytes = 30 << 30
	}
	if o.SegmentAge == 0 {
		o.SegmentAge = 30 * 24 * time.Hour
	}
	if o.LargeAudit == 0 {
		o.LargeAudit = 100_000
	}
	names, err := newIndices(o.Prefix)
	if err != nil {
		return nil, err
	}
	c, err := cluster.New(&cluster.Options{
		Addresses: o.Addresses, Username: o.Username, Password: o.Password, APIKey: o.APIKey, CA: o.CA, Now: o.Now, Timeout: o.Timeout,
	})
	if err != nil {
		return nil, err
	}
	s := &Store{
		client: c, indices: names, now: o.Now, handle: store.NewID(o.Now()), mayCreate: !o.Existing,
		refreshers:   map[string]*refresher{configIndex: {}, auditIndex: {}, stateIndex: {}},
		segmentBytes: o.SegmentBytes, segmentAge: o.SegmentAge, largeAudit: o.LargeAudit,
	}
	if err := s.prepare(ctx, layouts()); err != nil {
		return nil, errors.Join(s.failure(ctx, err), s.Close())
	}
	return s, nil
}

// prepare() checks the servers and prepares the indices.
func (s *Store) prepare(ctx context.Context, want []layout) error {
	if err := s.client.CheckVersion(ctx); err != nil {
		return err
	}
	found, err := s.findIndices(ctx)
	if err != nil {
		return err
	}
	s.indices.split = found.split(s.indices)
	isNew, err := s.checkComplete(ctx, want)
	if err != nil {
		return err
	}
	// Creating several indices concurrently takes hardly longer than creating one.
	needed := s.targets(want, isNew)
	results := make(chan error, len(needed))
	for _, l := range needed {
		go func() { results <- s.prepareIndex(ctx, l) }()
	}
	for range needed {
		err = errors.Join(err, <-results)
	}
	if err == nil && isNew {
		err = s.awaitStarted(ctx, needed...)
	}
	if err == nil {
		err = s.identify(ctx, isNew)
	}
	if err != nil || !s.indices.split {
		return err
	}
	return s.prepareSegments(ctx, want, found)
}

// Close waits for running calls and closes the connections.
func (s *Store) Close() error {
	if s.calls.Close() {
		s.client.Close()
	}
	return nil
}

// failure() converts every error to a *store.Error that tells a person what to do.
func (s *Store) failure(ctx context.Context, err error) error { return s.client.Failure(ctx, err) }
