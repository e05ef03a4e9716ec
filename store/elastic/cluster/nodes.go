package cluster

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// The type "nodes" sends each request to one of the nodes of a cluster. It avoids nodes that have failed recently.
type nodes struct {
	list []*node
	turn atomic.Uint32
	now  func() time.Time
}

// The type "node" is one address of the cluster.
type node struct {
	transport esapi.Transport
	// The field "failed" is the time when the last request failed, in seconds since 1970. It is 0 if the last request did
	// not fail.
	failed atomic.Int64
}

// After a node has failed, it is avoided for the duration avoidFor. During this time, requests go to other nodes.
const avoidFor = time.Minute

// Perform sends a request.
func (n *nodes) Perform(r *http.Request) (*http.Response, error) {
	same, _ := r.Context().Value(sameNodeKey{}).(*sameNode)
	at := n.choose(same)
	answer, err := at.transport.Perform(r)
	switch {
	case errors.Is(err, context.Canceled): // the caller stopped waiting, so nothing is known about the node
	case err != nil:
		at.failed.Store(n.now().Unix())
	default:
		at.failed.Store(0)
	}
	if err != nil || answer.StatusCode >= http.StatusInternalServerError {
		same.leave()
	}
	return answer, err
}

// choose() returns the node for a request.
func (n *nodes) choose(same *sameNode) *node {
	if at := same.current(); at != nil {
		return at
	}
	at := n.next()
	for range n.list {
		if at != same.last() && n.now().Sub(time.Unix(at.failed.Load(), 0)) > avoidFor {
			break
		}
		at = n.next()
	}
	same.stay(at)
	return at
}

func (n *nodes) next() *node { return n.list[int(n.turn.Add(1)%uint32(len(n.list)))] }

// sameNode is the node that gets all requests of one read or of one transaction. A node that is cut off from the other
// nodes still answers searches, but from old copies of the indices. A search must therefore go to the node from which
// the journal was read. A nil sameNode means that requests may go to any node.
type sameNode struct{ at, left atomic.Pointer[node] }

type sameNodeKey struct{}

// OnOneNode makes all requests with the returned context go to the same node, unless this node fails.
func OnOneNode(ctx context.Context) context.Context {
	if ctx.Value(sameNodeKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, sameNodeKey{}, new(sameNode))
}

// LeaveNode makes the next request with the context go to another node.
func LeaveNode(ctx context.Context) {
	same, _ := ctx.Value(sameNodeKey{}).(*sameNode)
	same.leave()
}

func (s *sameNode) current() *node {
	if s == nil {
		return nil
	}
	return s.at.Load()
}

// last() returns the node that LeaveNode left most recently, or nil.
func (s *sameNode) last() *node {
	if s == nil {
		return nil
	}
	return s.left.Load()
}

func (s *sameNode) stay(at *node) {
	if s != nil {
		s.at.Store(at)
	}
}

func (s *sameNode) leave() {
	if s == nil {
		return
	}
	if at := s.at.Swap(nil); at != nil {
		s.left.Store(at)
	}
}
