package proof

import (
	"strings"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"guardrails/config"
)

// network is a proxy between the servers and a node of their store.
type network struct {
	t     *testing.T
	proxy *toxiproxy.Proxy
}

// newNetwork starts a proxy for the node at an address, and returns the address of the proxy.
func newNetwork(t *testing.T, to string) (n *network, address string) {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	n = &network{t, toxiproxy.NewProxy(server, to, "127.0.0.1:0", strings.TrimPrefix(to, "http://"))}
	must(t, n.proxy.Start())
	t.Cleanup(n.proxy.Stop)
	return n, "http://" + n.proxy.Listen
}

// What the proxy can do to a connection. With a timeout of 0, the proxy drops all data.
const (
	dropRequests = `{"type": "timeout", "stream": "upstream", "attributes": {"timeout": 0}}`
	dropAnswers  = `{"type": "timeout", "stream": "downstream", "attributes": {"timeout": 0}}`
	cutAnswers   = `{"type": "limit_data", "attributes": {"bytes": 1500}}`
	reset        = `{"type": "reset_peer", "attributes": {"timeout": 0}}`
	delay        = `{"type": "latency", "attributes": {"latency": 700, "jitter": 300}}`
	slow         = `{"type": "bandwidth", "attributes": {"rate": 20}}`
)

// faults() returns several faults of the network. The parameter "count" is the maximum number of faults. The first
// faults are so serious that servers refuse changes. Each of these faults continues until some changes were refused.
// Servers still work during the later faults. Each of the later faults continues until some requests were answered.
func (n *network) faults(x *chaos, count int) []fault {
	refused := func() { x.refused(3) }
	answered := func() { x.answered(30) }
	faults := []fault{
		n.fault(x, "the network is cut", refused, dropRequests, dropAnswers),
		n.fault(x, "connections are reset", refused, reset),
		n.fault(x, "answers do not arrive", refused, dropAnswers),
		n.fault(x, "requests do not arrive", refused, dropRequests),
		n.fault(x, "answers end in the middle", answered, cutAnswers),
		n.fault(x, "answers arrive late", answered, delay),
		n.fault(x, "answers arrive slowly", answered, slow),
	}
	return faults[:min(count, len(faults))]
}

func (n *network) fault(x *chaos, name string, noticed func(), toxics ...string) fault {
	return fault{name, func() { n.add(toxics...); noticed() }, func() { n.clear(); x.recovered() }}
}

// add() adds faults to the connections, and clear() removes all faults.
func (n *network) add(toxics ...string) {
	n.t.Helper()
	for _, one := range toxics {
		_, err := n.proxy.Toxics.AddToxicJson(strings.NewReader(one))
		must(n.t, err)
	}
}

func (n *network) clear() { n.proxy.Toxics.ResetToxics(n.t.Context()) }

func TestNothingIsLostWhenTheNetworkFails(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: it takes half a minute")
	}
	c := onElasticsearch(t)
	n, address := newNetwork(t, c.Addresses[0])
	x := chaosBehind(t, c, &config.Store{Addresses: []string{address}, IndexPrefix: c.IndexPrefix})
	x.suffer(n.faults(x, max(1, *kills/100))...)
	x.end()
}
