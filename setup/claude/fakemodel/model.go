package fakemodel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Model is a scripted model that listens on loopback.
type Model struct {
	server  *http.Server
	address string

	mu       sync.Mutex
	threads  *threads
	requests []*Request
	problems []error
}

// maxRequest limits the size of a request. The client's requests usually have about 100 KB.
const maxRequest = 64 << 20

// Start listens on a free port of 127.0.0.1. The model answers with the steps of the given thread until Close is
// called.
func Start(main Thread) (*Model, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the scripted model cannot listen on loopback: %w", err)
	}
	m := New(main)
	m.address = listener.Addr().String()
	m.server = &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := m.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			m.blame(fmt.Errorf("the scripted model stopped listening: %w", err))
		}
	}()
	return m, nil
}

// New returns a model that does not listen. Use it as an http.Handler.
func New(main Thread) *Model { return &Model{threads: newThreads(main)} }

// URL returns the value that the client needs in ANTHROPIC_BASE_URL.
func (m *Model) URL() string { return "http://" + m.address }

// Close stops listening and closes all connections.
func (m *Model) Close() error { return m.server.Close() }

// Requests returns all requests of a thread until now, in order.
func (m *Model) Requests(thread string) []*Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []*Request
	for _, r := range m.requests {
		if r.Thread == thread {
			found = append(found, r)
		}
	}
	return found
}

// All returns all requests until now.
func (m *Model) All() []*Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// ToolResult returns the result that the model received for one of its calls, in any thread.
func (m *Model) ToolResult(id string) (Block, bool) {
	for _, r := range m.All() {
		if b, ok := r.ToolResult(id); ok {
			return b, true
		}
	}
	return Block{}, false
}

// Err returns an error if something went wrong, for example if a request could not be read or came from an unknown
// subagent.
func (m *Model) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return errors.Join(m.problems...)
}

func (m *Model) blame(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.problems = append(m.problems, err)
}

// ServeHTTP answers requests to the Messages API, with a stream or without one. It refuses all other requests.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		m.refuse(w, err)
		return
	}
	request, err := parseRequest(body)
	if err != nil {
		m.refuse(w, err)
		return
	}
	answer(w, request, m.reply(request))
}

// refuse() answers with an HTTP status that makes the client give up instead of trying again.
func (m *Model) refuse(w http.ResponseWriter, err error) {
	m.blame(err)
	http.Error(w, err.Error(), http.StatusBadRequest)
}

// reply() finds the step for a request and runs the step. It does not hold the lock while the step runs, because a step
// can take a long time.
func (m *Model) reply(r *Request) Reply {
	m.mu.Lock()
	step, err := m.threads.step(r)
	m.requests = append(m.requests, r)
	m.mu.Unlock()
	if err != nil {
		m.blame(err)
	}
	reply := step(r)
	m.mu.Lock()
	err = m.threads.started(r, &reply)
	m.mu.Unlock()
	if err != nil {
		m.blame(err)
	}
	return reply
}
