//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/setup/claude/fakemodel"
)

// cluster is a proxy to Elasticsearch that a test can stop. The proxy then refuses connections, as if the
// Elasticsearch server had stopped.
type cluster struct {
	t        *testing.T
	behind   string
	address  string
	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
	// The field "mute" is set while the proxy gives its callers no answer.
	mute bool
}

// newCluster starts a proxy to the Elasticsearch server that "make e2e" starts.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	behind, err := url.Parse(os.Getenv("GUARDRAILS_TEST_ELASTICSEARCH"))
	if err != nil || behind.Host == "" {
		t.Fatalf("GUARDRAILS_TEST_ELASTICSEARCH names no server (%v); run make e2e", err)
	}
	c := &cluster{t: t, behind: behind.Host, address: "127.0.0.1:0", open: map[net.Conn]bool{}}
	c.start()
	t.Cleanup(c.stop)
	return c
}

// start() starts the proxy again at its previous address.
func (c *cluster) start() {
	listener, err := net.Listen("tcp", c.address)
	// While the proxy was stopped, another program may have used its port for a moment.
	for end := time.Now().Add(10 * time.Second); err != nil && time.Now().Before(end); listener, err = net.Listen("tcp", c.address) {
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		c.t.Error(err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listener, c.address = listener, listener.Addr().String()
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go c.join(from)
		}
	}()
}

// join() connects a caller to the Elasticsearch server.
func (c *cluster) join(from net.Conn) {
	if c.isSilent(from) {
		return
	}
	to, err := net.Dial("tcp", c.behind)
	if err != nil {
		_ = from.Close()
		return
	}
	c.mu.Lock()
	c.open[to] = true
	c.mu.Unlock()
	go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
	_, _ = io.Copy(from, to)
	_ = from.Close()
}

// isSilent reports whether the proxy is silent. If the proxy is silent, the caller's connection stays open without an
// answer.
func (c *cluster) isSilent(from net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[from] = true
	return c.mute
}

// silence() closes all connections and lets new callers wait forever, like a network that loses all packets.
func (c *cluster) silence() {
	c.stop()
	c.mute = true
	c.start()
}

func (c *cluster) speak() {
	c.stop()
	c.mute = false
	c.start()
}

// stop() closes all connections and refuses new ones.
func (c *cluster) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.listener.Close()
	for conn := range c.open {
		_ = conn.Close()
	}
	clear(c.open)
}

// The states of a server whose store replies, and of a server whose store is down.
const (
	ready    = "ready"
	degraded = "degraded"
)

// stepOnce returns a step of a script. The step first calls happens(), and waits until the session's server has the
// given state and has signaled it to the sessions. Then it runs the following step, which is the parameter "next". An
// earlier result in the conversation must name the address of the server's page.
func (s *stage) stepOnce(happens func(), state string, next fakemodel.Step) fakemodel.Step {
	return func(r *fakemodel.Request) fakemodel.Reply {
		page := pageIn(r)
		before := s.signaled()
		happens()
		s.waitUntil("a server that is "+state, func() bool { return stateAt(page) == state && !s.signaled().Equal(before) })
		return next(r)
	}
}

var pageAddress = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`)

// pageIn returns the address of the page that a refusal in the conversation names. It returns "" if none does.
func pageIn(r *fakemodel.Request) string {
	for _, m := range r.Messages {
		for _, b := range m.Blocks {
			if found := pageAddress.FindString(b.Text); b.Type == "tool_result" && found != "" {
				return found
			}
		}
	}
	return ""
}

// stateAt asks a server for its state. It returns "" if the server does not answer.
func stateAt(page string) string {
	answer, err := http.Get(page + "/readyz")
	if err != nil {
		return ""
	}
	defer func() { _ = answer.Body.Close() }()
	var is struct {
		Status string `json:"status"`
	}
	if json.NewDecoder(answer.Body).Decode(&is) != nil {
		return ""
	}
	return is.Status
}

// Elasticsearch goes down during a session. The user chooses how to continue, and Elasticsearch comes back. The test
// counts how often the user is asked, so it does not run at the same time as tests that slow down Elasticsearch.
func TestASessionSurvivesAnOutageOfElasticsearch(t *testing.T) {
	for _, client := range newest(t) {
		t.Run(version(client), func(t *testing.T) {
			s, c := newStage(t, client), newCluster(t)
			s.file(".claude/guardrails.yaml", fmt.Sprintf("store: {addresses: [\"http://%s\"], index_prefix: \"e2e-%d-\"}\npacks: [core]\n", c.address, time.Now().UnixNano()))
			s.command(s.bin+"/guardrails", "init")
			s.file("vault.yaml", vault)
			s.command(s.bin+"/guardrails", "apply", "-f", "vault.yaml")
			terminal := s.terminal(
				s.intoVault("first"), fakemodel.Say("The first was tried."),
				s.stepOnce(c.stop, degraded, s.intoVault("away")), s.intoVault("again"), fakemodel.Say("The second was tried."),
				fakemodel.Say("Open it is."),
				s.intoVault("open"), fakemodel.Say("The third was tried."),
				fakemodel.Say("Static it is."),
				s.intoVault("static"), fakemodel.Say("The fourth was tried."),
				s.stepOnce(c.start, ready, s.intoVault("back")), fakemodel.Say("The fifth was tried."),
			)
			terminal.typePrompt("try the first", "The first was tried.")
			terminal.typePrompt("try the second", "The second was tried.")
			terminal.shows("How should this session continue?")
			screen, err := terminal.Screen(terminal.ctx)
			if asked := strings.Count(strings.Join(strings.Fields(screen), " "), "How should this session continue?"); err != nil || asked != 1 {
				t.Errorf("the user was asked %d times (%v):\n%s", asked, err, screen)
			}
			terminal.typePrompt("guardrails: open", "Open it is.")
			terminal.typePrompt("try the third", "The third was tried.")
			terminal.shows("1 tool call went unchecked")
			terminal.typePrompt("guardrails: static", "Static it is.")
			terminal.typePrompt("try the fourth", "The fourth was tried.")
			terminal.typePrompt("try the fifth", "The fifth was tried.")
			terminal.quitClient()

			s.wantResults(terminal.model, map[string]string{"first": byVault, "away": byVault, "again": byVault, "open": "", "static": byVault, "back": byVault})
			s.wantFiles(map[string]bool{"vault/first": false, "vault/away": false, "vault/again": false, "vault/open": true, "vault/static": false, "vault/back": false})
			if said := s.person("fallback"); !strings.Contains(said, "can read the guidelines") {
				t.Errorf("the outage did not end: %s", said)
			}
			s.waitUntil("an audit that shows the last call", func() bool { return s.hasAudited("back") })
			s.wantAudited(map[string]string{"first": "deny 1", "away": "deny 1", "again": "deny 1", "static": "deny 1", "back": "deny 1"})
			var outage []string
			for _, e := range s.audited() {
				if e.Event == "gap" || e.Event == "choice" {
					outage = append(outage, e.Event+" "+e.Decision.Result)
				}
			}
			if got := strings.Join(outage, ", "); got != "choice open, gap open, choice static" {
				t.Errorf("the audit log reports the outage as: %s", got)
			}
		})
	}
}
