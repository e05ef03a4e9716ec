package server

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"

	"guardrails/server/access"
	"guardrails/server/limit"
)

// The limits of open connections to a port. A connection is unknown until a request with a valid token arrives on it.
const (
	maxUnknown         = 256
	maxKnown, ownKnown = 1024, 256
)

// The type "connections" accepts the connections to a port and limits how many are open. It never makes a new
// connection wait. If there are too many unknown connections, it closes the oldest unknown connection of the computer
// with the most unknown connections. So callers with a token can always connect. Programs that request the state of the
// server without a token can always connect too.
type connections struct {
	net.Listener
	known *limit.Gate

	mu      sync.Mutex
	unknown *list.List
	byPeer  map[string]int
}

func newConnections(on net.Listener) *connections {
	return &connections{Listener: on, known: limit.New(maxKnown, ownKnown), unknown: list.New(), byPeer: map[string]int{}}
}

// The type "connection" describes an open connection. The field "place" is the connection's element in the list of
// unknown connections, or nil if the connection is not in the list.
type connection struct {
	net.Conn
	of    *connections
	peer  string
	place *list.Element
	// The field "caller" is the caller that uses the connection. It is valid only if isKnown is set.
	caller         access.Caller
	isKnown, ended bool
}

// Accept waits for the next connection.
func (c *connections) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	one := &connection{Conn: conn, of: c, peer: peerOf(conn)}
	if over := c.add(one); over != nil {
		_ = over.Close() // no request with a valid token has arrived on this connection
	}
	return one, nil
}

// peerOf returns the address of the computer at the other end.
func peerOf(conn net.Conn) string {
	address := conn.RemoteAddr().String()
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}

// add() adds an unknown connection. If there are too many unknown connections, the method returns the connection that
// must be closed.
func (c *connections) add(one *connection) (over *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unknown.Len() >= maxUnknown {
		over = c.oldestOf(c.busiest())
		over.forget()
	}
	one.place = c.unknown.PushBack(one)
	c.byPeer[one.peer]++
	return over
}

// busiest() returns the peer that has the largest number of unknown connections. c.mu must be held.
func (c *connections) busiest() (peer string) {
	for one, n := range c.byPeer {
		if n > c.byPeer[peer] {
			peer = one
		}
	}
	return peer
}

// oldestOf returns the oldest unknown connection of a peer. The peer must have at least one. c.mu must be held.
func (c *connections) oldestOf(peer string) *connection {
	at := c.unknown.Front()
	for at.Value.(*connection).peer != peer {
		at = at.Next()
	}
	return at.Value.(*connection)
}

// forget() removes the connection from the list of unknown connections. one.of.mu must be held.
func (one *connection) forget() {
	if one.place == nil {
		return
	}
	one.of.unknown.Remove(one.place)
	one.place = nil
	if one.of.byPeer[one.peer]--; one.of.byPeer[one.peer] == 0 {
		delete(one.of.byPeer, one.peer)
	}
}

// admit() counts the connection as a connection of a caller with a token. It returns false if the caller or its tenant
// already has too many connections. If a proxy sends the requests of several callers on the same connection, the
// connection counts only for the first of these callers.
func (one *connection) admit(caller access.Caller) bool {
	one.of.mu.Lock()
	defer one.of.mu.Unlock()
	if one.isKnown || one.ended {
		return true
	}
	if !one.of.known.Enter(caller) {
		return false
	}
	one.forget()
	one.caller, one.isKnown = caller, true
	return true
}

// Close closes the connection. The connection then no longer counts for the limits.
func (one *connection) Close() error {
	one.of.mu.Lock()
	one.forget()
	if one.isKnown && !one.ended {
		one.of.known.Leave(one.caller)
	}
	one.ended = true
	one.of.mu.Unlock()
	return one.Conn.Close()
}

type connectionKey struct{}

// withConnection returns a context for the requests on a connection.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// mayConnect reports whether a caller may use the connection of a request. Only connections to the port are limited.
func mayConnect(r *http.Request, caller access.Caller) bool {
	one, limited := r.Context().Value(connectionKey{}).(*connection)
	return !limited || one.admit(caller)
}
