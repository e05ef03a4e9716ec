package proof

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/live"
	"guardrails/store/sqlite"
	"guardrails/webhook/registry"
)

// waitLimit is how long the test waits for a condition.
const waitLimit = 10 * time.Minute

// mostWaiting is the maximum number of events that wait to be sent. On a slow computer, events are appended faster than
// they are sent. The test then pauses until fewer events wait.
const mostWaiting = 200

// The type "events" is a receiver of webhooks. Some of its answers are failures.
type events struct {
	*testing.T
	secret string

	lock sync.Mutex
	// The field "tries" counts the requests. The map "delivered" has the events that the receiver answered with 204. The
	// map "ids" has the ids with which each event arrived. The keys of both maps are the sessions of the events.
	tries     int
	delivered map[string]bool
	ids       map[string]string
	more      chan struct{}
}

func (r *events) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // the server was killed in the middle of a request
	}
	if !r.isSigned(q.Header.Get("X-Guardrails-Signature"), body) {
		r.Errorf("the signature of %s is wrong", body)
	}
	var e struct {
		ID   string
		Data struct {
			Session string `json:"session_id"`
		}
	}
	if err := json.Unmarshal(body, &e); err != nil {
		r.Error(err)
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	ids := q.Header.Get("X-Guardrails-Delivery") + " " + e.ID
	if before := r.ids[e.Data.Session]; before != "" && before != ids {
		r.Errorf("the event of %s came with the ids %s and %s", e.Data.Session, before, ids)
	}
	r.ids[e.Data.Session] = ids
	r.tries++
	switch r.tries % 50 {
	case 25:
		w.WriteHeader(http.StatusInternalServerError)
		return
	case 49:
		panic(http.ErrAbortHandler) // closes the connection without an answer
	}
	r.delivered[e.Data.Session] = true
	w.WriteHeader(http.StatusNoContent)
	select {
	case r.more <- struct{}{}:
	default:
	}
}

// isSigned checks a signature without using package webhook.
func (r *events) isSigned(header string, body []byte) bool {
	sentAt, signature, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",v1=")
	sum := hmac.New(sha256.New, []byte(r.secret))
	sum.Write([]byte(sentAt + "." + string(body)))
	return hex.EncodeToString(sum.Sum(nil)) == signature
}

func (r *events) count() int {
	r.lock.Lock()
	defer r.lock.Unlock()
	return len(r.delivered)
}

// await() waits until the receiver has n events.
func (r *events) await(n int) {
	r.Helper()
	limit := time.After(waitLimit)
	for r.count() < n {
		select {
		case <-r.more:
		case <-limit:
			r.Fatalf("only %d of %d events have arrived", r.count(), n)
		}
	}
}

// startServer starts a server of a store. The returned function kills the server.
func startServer(t *testing.T, folder, named string) (kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--store", named, "--tenant", "acme")
	c.Dir = folder
	c.Env = []string{
		asServer + "=1", "HOME=" + folder, "PATH=" + os.Getenv("PATH"), "GUARDRAILS_CACHE_DIR=" + filepath.Join(folder, "run"),
		"TMPDIR=" + folder,
	}
	var said strings.Builder
	c.Stderr = &said
	clock, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		_, err = io.WriteString(clock, "0s\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	kill = func() {
		once.Do(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
			if t.Failed() {
				t.Log(said.String())
			}
		})
	}
	t.Cleanup(kill)
	return kill
}

// blocked() returns the audit entry of a blocked message.
func blocked(n int64) store.Entry {
	return store.Entry{
		ID: fmt.Sprint("chk_", n), Kind: store.KindDecision, Event: "safety_input", Session: fmt.Sprint("s", n),
		Decision: &store.Decision{Result: "block"},
		Context:  &guideline.Context{Metadata: map[string]any{"details": map[string]any{"mode": "enforce"}}},
	}
}

const sqliteName = "SQLite"

// webhookStores returns functions that open a store. Each function returns the store, and the text that tells a server
// where the store is.
func webhookStores() map[string]func(t *testing.T, folder string) (s store.Store, named string) {
	return map[string]func(t *testing.T, folder string) (s store.Store, named string){
		sqliteName: func(t *testing.T, folder string) (store.Store, string) {
			t.Helper()
			database := filepath.Join(folder, "data", "guardrails.db")
			s, err := sqlite.Open(t.Context(), sqlite.Options{Path: database})
			if err != nil {
				t.Fatal(err)
			}
			return s, "sqlite:" + database
		},
		"Elasticsearch": func(t *testing.T, _ string) (store.Store, string) {
			t.Helper()
			url := address(t, "GUARDRAILS_TEST_ELASTICSEARCH")
			prefix := strings.ToLower(store.NewID(time.Now())) + "-"
			t.Cleanup(func() { deleteIndices(t, url, prefix) })
			s, err := elastic.Open(t.Context(), elastic.Options{Addresses: []string{url}, Prefix: prefix})
			if err != nil {
				t.Fatal(err)
			}
			return s, fmt.Sprintf(`{"addresses": [%q], "index_prefix": %q}`, url, prefix)
		},
	}
}

// Events are appended all the time. Meanwhile, the servers that send the events are killed with SIGKILL and started
// again. On SQLite, the flag -kills says how often servers are killed. On Elasticsearch, they are killed a twentieth as
// often.
func TestNothingIsLostOfWebhooksWhenServersAreKilled(t *testing.T) {
	for name, open := range webhookStores() {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			s, named := open(t, folder)
			times := *kills
			if name != sqliteName {
				times = max(2, *kills/20)
			}
			killSenders(t, s, times, func() (kill func()) { return startServer(t, folder, named) })
		})
	}
}

// killSenders appends events, and kills servers that send them.
func killSenders(t *testing.T, s store.Store, kills int, start func() (kill func())) {
	t.Helper()
	opened := live.New(live.Options{Open: live.Opened(s), Now: time.Now})
	defer opened.Close()
	to := opened.For(live.Caller{Tenant: "acme", Actor: "tester"}).Webhooks()
	r := &events{T: t, delivered: map[string]bool{}, ids: map[string]string{}, more: make(chan struct{}, 1)}
	receiver := httptest.NewServer(r)
	defer receiver.Close()
	added, err := (&registry.Registry{Store: to, Now: time.Now}).Add(t.Context(), registry.Choice{URL: &receiver.URL})
	if err != nil {
		t.Fatal(err)
	}
	r.secret = added.Secret

	var appended atomic.Int64
	var loading sync.WaitGroup
	enough := make(chan struct{})
	loading.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for n := int64(1); ; {
			if n-int64(r.count()) <= mostWaiting {
				if _, err := to.Append(t.Context(), blocked(n)); err != nil {
					t.Errorf("cannot append: %v", err)
					return
				}
				appended.Store(n)
				n++
			}
			select {
			case <-tick.C:
			case <-enough:
				return
			}
		}
	})
	for i := range kills {
		kill := start()
		r.await(r.count() + 1 + i%17) // so that servers are killed after a different number of events
		kill()
	}
	start()
	close(enough)
	loading.Wait()
	r.await(int(appended.Load()))
	r.lock.Lock()
	defer r.lock.Unlock()
	for n := range appended.Load() {
		if session := fmt.Sprint("s", n+1); !r.delivered[session] {
			t.Errorf("the event of %s is lost", session)
		}
	}
	t.Logf("%d kills, %d events, %d tries", kills, appended.Load(), r.tries)
}
