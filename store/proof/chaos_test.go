package proof

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"guardrails/config"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// The variable "kills" says how often servers are killed. "make chaos" sets a higher number, which also leads to more
// faults of other kinds.
var kills = flag.Int("kills", 50, "how often TestNothingIsLostWhenServersAreKilled kills a server")

// perStore is the largest number of faults while one store is used. The store therefore stays small, and can be checked
// quickly after each fault.
const perStore = 50

// chaos is a store, two machines that use it, and their load.
type chaos struct {
	t        *testing.T
	machines [2]*machine
	past     *live.Store
	load     *load
}

// newChaos starts two machines that use the store in c, and clients that put a load on this store.
func newChaos(t *testing.T, c *config.Store) *chaos {
	t.Helper()
	return chaosBehind(t, c, c)
}

// chaosBehind does the same as newChaos, but the machines reach the store with other settings ("behind"), for example
// through a proxy. The test itself uses the settings in c.
func chaosBehind(t *testing.T, c, behind *config.Store) *chaos {
	t.Helper()
	x, bin := &chaos{t: t}, programs(t)
	for i := range x.machines {
		x.machines[i] = newMachine(t, bin, settings(behind))
	}
	x.addLocked()
	home := t.TempDir()
	env := func(name string) string { return map[string]string{"HOME": home}[name] }
	past, err := open.Open(t.Context(), &config.Config{Store: c}, open.Options{Env: env, Now: time.Now})
	must(t, err)
	t.Cleanup(func() { must(t, past.Close()) })
	x.past = past
	pace := 10 * time.Millisecond
	if c.Path == "" {
		pace = 100 * time.Millisecond // a cluster is slower than a file
	}
	x.load = begin(x.machines, past.For(live.Caller{Tenant: tenant, Actor: "another"}), pace)
	t.Cleanup(x.load.stop)
	return x
}

// settings() returns the text for the key "store" in the settings file. The text is JSON, which is also valid YAML.
func settings(c *config.Store) string {
	if c.Path != "" {
		return "sqlite:" + c.Path
	}
	text, err := json.Marshal(map[string]any{"addresses": c.Addresses, "index_prefix": c.IndexPrefix, "timeout": 5})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// addLocked adds the guideline that the hooks enforce, and waits until both servers apply it.
func (x *chaos) addLocked() {
	x.t.Helper()
	waitUntil(x.t, "the guideline is there", func() bool {
		a := x.machines[0].request(x.t.Context(), http.MethodPost, "/api/guardrails", "", map[string]any{
			"id": "locked", "name": "locked", "category": "security",
			"action": map[string]any{"type": "tool_restriction", "tools_denied": []string{"Write(locked/*)"}},
		})
		return a.status == http.StatusCreated || a.status == http.StatusConflict // a conflict: an earlier attempt was late
	})
	for _, m := range x.machines {
		waitUntil(x.t, "both servers apply the guideline", func() bool {
			return m.call(x.t.Context(), new(ledger), question, map[string]any{"definitions": true}).containsID("locked")
		})
	}
}

// fault is something that goes wrong for some time. begin() starts the fault, and returns when the fault has begun.
// over() ends the fault, and returns when the fault has ended.
type fault struct {
	name        string
	begin, over func()
}

// suffer() makes faults happen, one after the other. Before each fault, it waits until the clients got some
// acknowledgements.
func (x *chaos) suffer(faults ...fault) {
	x.t.Helper()
	for i, f := range faults {
		x.load.round.Add(1)
		x.acknowledged(5 + rand.N(20))
		time.Sleep(rand.N(20 * time.Millisecond)) // each fault happens at a random moment
		f.begin()
		f.over()
		x.waitForDecisions()
		x.nothingLost(fmt.Sprintf("after fault %d (%s)", i+1, f.name))
		if x.t.Failed() {
			x.t.FailNow()
		}
	}
}

// acknowledged() waits until the clients got some more acknowledgements.
func (x *chaos) acknowledged(more int) {
	x.t.Helper()
	before := x.load.done.Load()
	waitUntil(x.t, fmt.Sprintf("%d more writes are acknowledged", more), func() bool {
		return x.load.done.Load() >= before+int64(more)
	})
}

// answered() waits until some more requests are answered, with any answer.
func (x *chaos) answered(more int) {
	x.t.Helper()
	before := x.load.answers.Load()
	waitUntil(x.t, fmt.Sprintf("%d more requests are answered", more), func() bool {
		return x.load.answers.Load() >= before+int64(more)
	})
}

// refused() waits until some more changes are refused, because the store cannot be used.
func (x *chaos) refused(more int) {
	x.t.Helper()
	before := x.load.refusals.Load()
	waitUntil(x.t, fmt.Sprintf("%d more changes are refused", more), func() bool {
		return x.load.refusals.Load() >= before+int64(more)
	})
}

// recovered() waits until both servers can read and change their store.
func (x *chaos) recovered() {
	x.t.Helper()
	for _, m := range x.machines {
		waitUntil(x.t, "the server is ready", m.ready)
	}
}

// waitForDecisions runs hooks on both machines until each of them has decided in time.
func (x *chaos) waitForDecisions() {
	x.t.Helper()
	for i, m := range x.machines {
		for n := range 2 {
			try := 0
			waitUntil(x.t, "the hooks decide", func() bool {
				try++
				return x.load.decideCall(m, fmt.Sprintf("%d-%d-%d", x.load.round.Load(), i, try), n)
			})
		}
	}
}

// nothingLost checks that everything that was acknowledged until now is in the store exactly once, and that the chains
// pass verification.
func (x *chaos) nothingLost(when string) {
	x.t.Helper()
	want := x.load.acknowledged()
	have := x.read()
	have.expect(x.t, when, want)
	for i, m := range x.machines {
		if m.server != nil {
			x.served(when, m, want.decided[i])
		}
	}
	for _, problem := range want.problems {
		x.t.Errorf("%s: %s", when, problem)
	}
}

// served() checks that the audit that a server shows has the decisions that this server acknowledged.
func (x *chaos) served(when string, m *machine, decided []string) {
	x.t.Helper()
	var a reply
	waitUntil(x.t, when+": the audit can be exported", func() bool {
		a = m.request(x.t.Context(), http.MethodGet, "/api/guardrails/audit/export?event_type=gate", "", nil)
		return a.err == nil && a.status == http.StatusOK
	})
	have := contents{ids: map[string]int{}}
	for line := range bytes.Lines(a.body) {
		var e struct{ ID string }
		must(x.t, json.Unmarshal(line, &e))
		have.ids[e.ID]++
	}
	have.once(x.t, when+": decisions", decided, have.ids)
}

// end() stops the load and the servers, and checks the history and the audit.
func (x *chaos) end() {
	x.t.Helper()
	x.load.stop()
	for _, m := range x.machines {
		if err := m.end(syscall.SIGTERM); err != nil || strings.Contains(m.words(), "panic") {
			x.t.Errorf("%v: %s", err, m.words())
		}
		m.emptySpool()
	}
	x.nothingLost("in the end")
	l := x.load.ledger
	have := x.read()
	have.once(x.t, "decisions", append(l.decided[0], l.decided[1]...), have.ids)
	have.once(x.t, "refused tool calls", l.refused, have.refused)
	have.changes(x.t, x.load.history())
	if verdict, picture := checkOrder(x.t, settle(x.load.history(), x.revisions)); verdict != porcupine.Ok {
		x.t.Errorf("%d calls are not linearizable (%s); see %s", len(x.load.history()), verdict, picture)
	}
	l.sets.check(x.t)
	x.t.Logf("%d calls that read or change guidelines, %d decisions, %d entries, %d refused calls, %d answers",
		len(x.load.history()), len(l.decided[0])+len(l.decided[1]), len(l.appended), len(l.refused), l.answers.Load())
	l.times.check(x.t)
}

// onElasticsearch returns the settings of a new store on Elasticsearch.
func onElasticsearch(t *testing.T) *config.Store {
	url := address(t, "GUARDRAILS_TEST_ELASTICSEARCH")
	prefix := strings.ToLower(store.NewID(time.Now())) + "-"
	t.Cleanup(func() { deleteIndices(t, url, prefix) })
	return &config.Store{Addresses: []string{url}, IndexPrefix: prefix}
}

// onSQLite returns the settings of a new SQLite store.
func onSQLite(t *testing.T) *config.Store {
	return &config.Store{Path: filepath.Join(t.TempDir(), "guardrails.db")}
}

func TestNothingIsLostWhenServersAreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: it takes half a minute")
	}
	left := *kills
	for part := 0; left > 0; part++ {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			x := newChaos(t, onSQLite(t))
			x.suffer(x.deaths(min(left, perStore))...)
			x.end()
		})
		left -= perStore
	}
}
