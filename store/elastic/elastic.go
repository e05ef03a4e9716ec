// Package elastic keeps guidelines and the audit in Elasticsearch or OpenSearch, which several processes use at once.
//
// Start with Open. journal.go says where a tenant stands and commit.go how a change happens as a whole without
// transactions; client.go asks the servers, layout.go is what the indices look like, visible.go how readers see one
// moment while others write.
package elastic

import (
	"context"
	"errors"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
)

// Options say where the servers are and how to use them.
type Options struct {
	// Addresses are the nodes of one cluster, such as http://localhost:9200.
	Addresses []string
	// Username and Password log in; APIKey does so instead.
	Username, Password string
	APIKey             string
	// CA are the certificates, in PEM, by which the servers are trusted; unset, those of the system.
	CA []byte
	// Prefix stands before the name of every index, so that several stores have room in one cluster.
	Prefix string
	// Now is the clock; unset, the system's.
	Now func() time.Time
	// Timeout is how long a server has for one answer; unset, ten seconds.
	Timeout time.Duration
}

// Store is an open connection to a cluster.
type Store struct {
	client  *client
	indices indices
	now     func() time.Time
	// writer is the name of the store's chains, handle that of this connection.
	writer, handle string
	lanes          lanes
	calls          store.RunningCalls
}

var _ store.Store = (*Store)(nil)

// Open connects to a cluster, makes the indices that are missing, and brings those of an older version up to date.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	names, err := newIndices(o.Prefix)
	if err != nil {
		return nil, err
	}
	c, err := newClient(&o)
	if err != nil {
		return nil, err
	}
	s := &Store{client: c, indices: names, now: o.Now, handle: store.NewID(o.Now())}
	if err := s.prepare(ctx, layouts()); err != nil {
		return nil, errors.Join(s.failure(ctx, err), s.Close())
	}
	return s, nil
}

// prepare finds out who answers and makes the indices fit.
func (s *Store) prepare(ctx context.Context, want []layout) error {
	if err := s.client.greet(ctx); err != nil {
		return err
	}
	// The servers make several indices at once nearly as fast as one.
	made := make(chan error, len(want))
	for _, l := range want {
		go func() { made <- s.establish(ctx, l) }()
	}
	var failed error
	for range want {
		failed = errors.Join(failed, <-made)
	}
	if failed != nil {
		return failed
	}
	return s.identify(ctx)
}

// Close waits for running calls and lets go of the connections.
func (s *Store) Close() error {
	if s.calls.Close() {
		s.client.close()
	}
	return nil
}

// greeting is what a server says of itself.
type greeting struct {
	Version struct {
		Distribution string `json:"distribution"`
		Number       string `json:"number"`
	} `json:"version"`
}

// greet finds out whether the servers are Elasticsearch or OpenSearch, and whether they are new enough.
func (c *client) greet(ctx context.Context) error {
	var g greeting
	if err := c.ask(ctx, func() esapi.Request { return esapi.InfoRequest{} }, &g); err != nil {
		return err
	}
	c.openSearch = g.Version.Distribution == "opensearch"
	oldest, product := "8.0", "Elasticsearch"
	if c.openSearch {
		oldest, product = "2.4", "OpenSearch"
	}
	if !atLeast(g.Version.Number, oldest) {
		return store.Errorf(store.Unavailable, "%s is %s %.40q, which is older than %s; update it", c.place, product, g.Version.Number, oldest)
	}
	return nil
}
