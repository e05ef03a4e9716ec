package elastic_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"guardrails/store/elastic"
)

// fault is what a proxy does to a request.
type fault func(p *proxy, w http.ResponseWriter, r *http.Request)

// proxy stands between the driver and a server, and does to requests what a test wants.
type proxy struct {
	*httptest.Server
	target string
	// options open a store through the proxy.
	options elastic.Options
	lock    sync.Mutex
	// rule chooses what is done to a request; its number counts from when the rule was set. No fault lets it pass.
	rule  func(number int, r *http.Request) fault
	count int
	over  chan struct{}
}

func newProxy(t *testing.T, target string) *proxy {
	p := &proxy{target: target, over: make(chan struct{})}
	p.Server = httptest.NewServer(p)
	t.Cleanup(func() { close(p.over); p.Close() })
	return p
}

// set changes the rule; nil lets everything pass.
func (p *proxy) set(rule func(number int, r *http.Request) fault) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.rule, p.count = rule, 0
}

// requests is how many came since the rule was set.
func (p *proxy) requests() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.count
}

func (p *proxy) choose(r *http.Request) fault {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.count++
	if p.rule == nil {
		return nil
	}
	return p.rule(p.count, r)
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f := p.choose(r); f != nil {
		f(p, w, r)
		return
	}
	p.pass(w, r)
}

// pass asks the server and hands its answer on.
func (p *proxy) pass(w http.ResponseWriter, r *http.Request) {
	status, header, body, err := p.forward(r)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	answer(w, status, header, body, len(body))
}

func (p *proxy) forward(r *http.Request) (int, http.Header, []byte, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, nil, nil, err
	}
	out, err := http.NewRequest(r.Method, p.target+r.URL.RequestURI(), bytes.NewReader(text))
	if err != nil {
		return 0, nil, nil, err
	}
	out.Header = r.Header.Clone()
	out.Header.Del("Accept-Encoding")
	got, err := http.DefaultClient.Do(out)
	if err != nil {
		return 0, nil, nil, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	return got.StatusCode, got.Header, body, err
}

func answer(w http.ResponseWriter, status int, header http.Header, body []byte, size int) {
	w.Header().Set("Content-Type", header.Get("Content-Type"))
	w.WriteHeader(status)
	w.Write(body[:size])
}

// refuse answers with a status and does not ask the server.
func refuse(status int, body string) fault {
	return func(_ *proxy, w http.ResponseWriter, _ *http.Request) {
		answer(w, status, http.Header{"Content-Type": {"application/json"}}, []byte(body), len(body))
	}
}

// gone breaks the connection before the server got the request.
func gone(*proxy, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// lost breaks the connection after the server did what it was asked.
func lost(p *proxy, _ http.ResponseWriter, r *http.Request) {
	p.forward(r)
	panic(http.ErrAbortHandler)
}

// half hands half of the answer on and breaks the connection.
func half(p *proxy, w http.ResponseWriter, r *http.Request) {
	status, header, body, err := p.forward(r)
	if err == nil {
		w.Header().Set("Content-Length", "100000000")
		answer(w, status, header, body, len(body)/2)
		w.(http.Flusher).Flush()
	}
	panic(http.ErrAbortHandler)
}

// cut hands half of the answer on as if it were all.
func cut(p *proxy, w http.ResponseWriter, r *http.Request) {
	status, header, body, err := p.forward(r)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	answer(w, status, header, body, len(body)/2)
}

// slow answers when nobody waits any more.
func slow(p *proxy, _ http.ResponseWriter, r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-p.over:
	case <-time.After(time.Minute):
	}
}

// always does a fault to every request.
func always(f fault) func(int, *http.Request) fault {
	return func(int, *http.Request) fault { return f }
}

// only does a fault to one request.
func only(n int, f fault) func(int, *http.Request) fault {
	return func(number int, _ *http.Request) fault {
		if number == n {
			return f
		}
		return nil
	}
}

// from does a fault to one request and to all after it.
func from(n int, f fault) func(int, *http.Request) fault {
	return func(number int, _ *http.Request) fault {
		if number >= n {
			return f
		}
		return nil
	}
}
