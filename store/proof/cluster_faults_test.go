package proof

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/config"
)

// The tests in this file use Elasticsearch as the store of the machines. Elasticsearch is slower than SQLite, so there
// are fewer faults.

func TestNothingIsLostWhenServersOnElasticsearchAreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: it takes half a minute")
	}
	left := max(2, *kills/20)
	for left > 0 {
		x := newChaos(t, onElasticsearch(t))
		x.suffer(x.deaths(min(left, perStore))...)
		x.end()
		left -= perStore
	}
}

func TestNothingIsLostWhenClocksAreWrongOnElasticsearch(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: it takes some seconds")
	}
	x := newChaos(t, onElasticsearch(t))
	faults := x.wrongClocks()
	if *kills < 100 {
		faults = faults[1:2] // keep only the second fault, in which the server also starts with a wrong clock
	}
	x.suffer(faults...)
	x.end()
}

// floodStage makes the indices of a store read-only, or writable again. Nodes whose disks are full make all indices
// read-only. The test makes only the indices of one store read-only, because other tests use the same nodes.
func floodStage(t *testing.T, c *config.Store, full string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, c.Addresses[0]+"/"+c.IndexPrefix+"guardrails-*/_settings",
		strings.NewReader(`{"index.blocks.read_only_allow_delete": `+full+`}`))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	must(t, answer.Body.Close())
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the nodes answered %s", answer.Status)
	}
}

func TestNothingIsLostWhenTheDisksOfElasticsearchAreFull(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: it takes some seconds")
	}
	c := onElasticsearch(t)
	x := newChaos(t, c)
	fill := func(full string) func() { return func() { floodStage(t, c, full) } }
	x.suffer(x.fullDisks(fill("true"), fill("null"), max(1, *kills/100))...)
	x.end()
}

// The cluster is partitioned: data between its nodes is dropped, but clients can still reach every node.
func TestNothingIsLostWhenAClusterIsPartitioned(t *testing.T) {
	if testing.Short() {
		t.Skip("a cluster of three takes a minute")
	}
	cluster := startPartitionable(t)
	x := newChaos(t, &config.Store{Addresses: cluster.addresses()})
	var faults []fault
	for range max(1, *kills/250) {
		faults = append(faults,
			fault{"nobody reaches the master", cluster.isolateMaster, func() { cluster.heal(); x.recovered() }},
			fault{"no node reaches another one", func() { cluster.isolateAll(); x.refused(3) }, func() { cluster.heal(); x.recovered() }},
		)
	}
	x.suffer(faults...)
	x.end()
}

// partitionable is a cluster whose nodes reach each other through proxies.
type partitionable struct {
	*cluster
	networks []*network
}

// startPartitionable starts a cluster that notices an unreachable node within seconds.
func startPartitionable(t *testing.T) *partitionable {
	t.Helper()
	p := &partitionable{}
	p.cluster = startClusterBehind(t, func(transport string) string {
		n, address := newNetwork(t, "http://"+transport)
		p.networks = append(p.networks, n)
		return strings.TrimPrefix(address, "http://")
	},
		"cluster.fault_detection.follower_check.timeout=2s", "cluster.fault_detection.follower_check.retry_count=2",
		"cluster.fault_detection.leader_check.timeout=2s", "cluster.fault_detection.leader_check.retry_count=2",
		"cluster.publish.timeout=5s", "cluster.follower_lag.timeout=10s",
	)
	return p
}

// isolateMaster drops all data on the connections from the other nodes to the master: what these nodes send, and what
// the master answers. It waits until the other nodes have another master.
func (p *partitionable) isolateMaster() {
	p.t.Helper()
	before := p.master()
	p.networks[before].add(dropRequests, dropAnswers)
	waitUntil(p.t, "the others choose another master", func() bool {
		now, known := p.masterAt((before + 1) % len(p.ports))
		return known && now != before
	})
	time.Sleep(time.Second) // the load continues while two masters know nothing of each other
}

func (p *partitionable) isolateAll() {
	for _, n := range p.networks {
		n.add(dropRequests, dropAnswers)
	}
}

func (p *partitionable) heal() {
	for _, n := range p.networks {
		n.clear()
	}
	p.wait("wait_for_nodes=3&wait_for_status=green")
}
