package proof

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// cluster is a cluster of three Elasticsearch nodes on this machine.
type cluster struct {
	t     *testing.T
	dir   string
	ports [3]int
}

// startCluster starts three nodes that can take every role in a cluster, such as the role of the master.
func startCluster(t *testing.T) *cluster {
	return startClusterBehind(t, func(transport string) string { return transport })
}

// startClusterBehind starts three nodes that reach each other at the addresses that behind() returns. The servers and
// the test may run as different users, so all users can enter the folder of the servers.
func startClusterBehind(t *testing.T, behind func(transport string) string, more ...string) *cluster {
	dir, err := os.MkdirTemp("", "guardrails-cluster-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, dir: dir}
	t.Cleanup(c.stop)
	ports := freePorts(t, 6)
	seeds := make([]string, 3)
	for i := range seeds {
		c.ports[i], seeds[i] = ports[i], behind(fmt.Sprintf("127.0.0.1:%d", ports[i+3]))
	}
	var started sync.WaitGroup
	for i, port := range c.ports {
		_, published, _ := strings.Cut(seeds[i], ":")
		settings := append([]string{
			"discovery.type=multi-node", "discovery.seed_hosts=" + strings.Join(seeds, ","),
			fmt.Sprint("transport.port=", ports[i+3]), "transport.publish_port=" + published,
		}, more...)
		if i == 0 {
			settings = append(settings, fmt.Sprint("cluster.initial_master_nodes=node-", port))
		}
		started.Go(func() { c.script("start", port, settings...) })
	}
	if started.Wait(); t.Failed() {
		t.FailNow()
	}
	c.wait("wait_for_nodes=3&wait_for_status=green")
	return c
}

// script() runs the script that starts and stops servers.
func (c *cluster) script(command string, port int, settings ...string) string {
	c.t.Helper()
	args := []string{command, "--port", strconv.Itoa(port), "--dir", c.folder(port)}
	for _, s := range settings {
		args = append(args, "-E", s)
	}
	run := exec.Command("../../scripts/elasticsearch.sh", args...)
	var words strings.Builder
	run.Stderr = &words
	out, err := run.Output()
	if err != nil {
		c.t.Errorf("%s of the node at %d: %v\n%s", command, port, err, words.String())
	}
	return strings.TrimSpace(string(out))
}

func (c *cluster) folder(port int) string { return filepath.Join(c.dir, strconv.Itoa(port)) }

func (c *cluster) addresses() (urls []string) {
	for _, port := range c.ports {
		urls = append(urls, fmt.Sprintf("http://127.0.0.1:%d", port))
	}
	return urls
}

// wait() waits until the health of the cluster meets a condition.
func (c *cluster) wait(condition string) {
	c.t.Helper()
	var health map[string]any
	c.read("/_cluster/health?timeout=120s&"+condition, &health)
	if health["timed_out"] != false {
		c.t.Fatalf("the cluster is not healthy: %v", health)
	}
}

// read() sends a GET request to the first node.
func (c *cluster) read(path string, into any) {
	c.t.Helper()
	answer, err := http.Get(c.addresses()[0] + path)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		c.t.Fatalf("%s: %s, %v", path, answer.Status, err)
	}
}

// master() returns the number of the master node.
func (c *cluster) master() int {
	c.t.Helper()
	number := -1
	waitUntil(c.t, "there is a master", func() (known bool) {
		number, known = c.masterAt(0)
		return known
	})
	return number
}

// masterAt asks a node which node is the master, and returns the number of that node.
func (c *cluster) masterAt(node int) (number int, known bool) {
	answer, err := http.Get(c.addresses()[node] + "/_cat/master?format=json&local=true")
	if err != nil {
		return 0, false
	}
	defer answer.Body.Close()
	var masters []struct{ Node string }
	if err := json.NewDecoder(answer.Body).Decode(&masters); err != nil || len(masters) == 0 {
		return 0, false
	}
	number = slices.IndexFunc(c.ports[:], func(port int) bool { return masters[0].Node == fmt.Sprint("node-", port) })
	return number, number >= 0
}

// killMaster kills the master node.
func (c *cluster) killMaster() {
	c.t.Helper()
	pid, err := strconv.Atoi(c.script("status", c.ports[c.master()]))
	if err != nil {
		c.t.Fatal(err)
	}
	node, err := os.FindProcess(pid)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := node.Kill(); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cluster) stop() {
	for _, port := range c.ports {
		if port != 0 {
			c.script("stop", port)
		}
	}
	if err := os.RemoveAll(c.dir); err != nil {
		c.t.Error(err)
	}
}

// freePorts returns unused ports.
func freePorts(t *testing.T, count int) (ports []int) {
	for range count {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// After the master was killed, writes must be acknowledged again within this time.
const within = 30 * time.Second
