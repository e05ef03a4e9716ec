package elastic_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/store/elastic"
)

// fault handles a request in place of the server.
type fault func(p *proxy, w http.ResponseWriter, r *http.Request)

// proxy forwards requests from a Store to a server, and injects faults.
type proxy struct {
	*httptest.Server
	target string
	// The function do() sends a request to the server.
	do func(r *http.Request) (*http.Response, error)
	// options are the options to open a store through the proxy.
	options elastic.Options
	lock    sync.Mutex
	// rule returns the fault for a request, or nil to forward it. The parameter "number" counts the requests since the
	// rule was set.
	rule  func(number int, r *http.Request) fault
	count int
	over  chan struct{}
}

func newProxy(t *testing.T, target string) *proxy {
	p := &proxy{target: target, do: http.DefaultClient.Do, over: make(chan struct{})}
	p.Server = httptest.NewServer(p)
	t.Cleanup(func() { close(p.over); p.Close() })
	return p
}

// set() changes the rule. If the rule is nil, the proxy forwards all requests.
func (p *proxy) set(rule func(number int, r *http.Request) fault) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.rule, p.count = rule, 0
}

// requests() returns the number of requests since the rule was last set.
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
	p.passOn(w, r)
}

// passOn forwards a request and its answer.
func (p *proxy) passOn(w http.ResponseWriter, r *http.Request) {
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
	got, err := p.do(out)
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

// refuse() returns a fault that answers with a status and does not forward the request.
func refuse(status int, body string) fault {
	return func(_ *proxy, w http.ResponseWriter, _ *http.Request) {
		answer(w, status, http.Header{"Content-Type": {"application/json"}}, []byte(body), len(body))
	}
}

// refuseDocuments does not forward a bulk request, and answers that each of its documents was refused.
func refuseDocuments(_ *proxy, w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	kinds := []string{
		`{"create":{"status":429,"error":{"type":"es_rejected_execution_exception","reason":"full queue"}}}`,
		`{"create":{"status":503,"error":{"type":"unavailable_shards_exception","reason":"no primary"}}}`,
	}
	items := make([]string, bytes.Count(text, []byte("\n"))/2) // each document has two lines
	for i := range items {
		items[i] = kinds[i%len(kinds)]
	}
	refuse(http.StatusOK, `{"errors":true,"items":[`+strings.Join(items, ",")+`]}`)(nil, w, r)
}

// The fault "gone" closes the connection and does not forward the request.
func gone(*proxy, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// The fault "lost" forwards the request and closes the connection without an answer.
func lost(p *proxy, _ http.ResponseWriter, r *http.Request) {
	p.forward(r)
	panic(http.ErrAbortHandler)
}

// The fault "half" forwards the request, sends half of the answer and closes the connection.
func half(p *proxy, w http.ResponseWriter, r *http.Request) {
	status, header, body, err := p.forward(r)
	if err == nil {
		w.Header().Set("Content-Length", "100000000")
		answer(w, status, header, body, len(body)/2)
		w.(http.Flusher).Flush()
	}
	panic(http.ErrAbortHandler)
}

// The fault "cut" forwards the request and sends half of the answer as if it were complete.
func cut(p *proxy, w http.ResponseWriter, r *http.Request) {
	status, header, body, err := p.forward(r)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	answer(w, status, header, body, len(body)/2)
}

// The fault "slow" sends no answer, so that the client times out.
func slow(p *proxy, _ http.ResponseWriter, r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-p.over:
	case <-time.After(time.Minute):
	}
}

// onEveryRequest returns a rule that applies a fault to every request.
func onEveryRequest(f fault) func(int, *http.Request) fault {
	return func(int, *http.Request) fault { return f }
}

// onRequest returns a rule that applies a fault to request n.
func onRequest(n int, f fault) func(int, *http.Request) fault {
	return func(number int, _ *http.Request) fault {
		if number == n {
			return f
		}
		return nil
	}
}

// onFirst returns a rule that applies a fault to the first n requests whose path ends with a suffix.
func onFirst(n int, suffix string, f fault) func(int, *http.Request) fault {
	return func(_ int, r *http.Request) fault {
		if n == 0 || !strings.HasSuffix(r.URL.Path, suffix) {
			return nil
		}
		n--
		return f
	}
}

// fromRequest returns a rule that applies a fault to request n and all later ones.
func fromRequest(n int, f fault) func(int, *http.Request) fault {
	return func(number int, _ *http.Request) fault {
		if number >= n {
			return f
		}
		return nil
	}
}
