// Simulate runs a company of many machines for some minutes: two servers behind a load balancer, on a cluster of three
// nodes. Halfway through, it kills a node. At the end, it checks that the store has all acknowledged decisions and
// guidelines. It also prints the CPU time and memory that each process used. scripts/simulate.sh starts the nodes and
// runs this program.
//
// Start with run(). company.go has the machines, balancer.go has the load balancer, and cost.go has the figures.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// The type "options" says how large the company is.
type options struct {
	// The field "cluster" contains the URLs of the nodes. The field "nodes" contains the ids of their processes.
	cluster, nodes string
	// The field "programs" is the folder of the product's programs. The field "dir" is the folder for the servers' files.
	programs, dir string
	machines      int
	// The field "rate" is the number of requests per second of all machines together.
	rate     float64
	duration time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.cluster, "cluster", "", "the URLs of the nodes, separated by commas")
	flag.StringVar(&o.nodes, "nodes", "", "the process ids of the nodes, separated by commas; the last one is killed")
	flag.StringVar(&o.programs, "programs", "bin", "the folder with guardrails-server")
	flag.StringVar(&o.dir, "dir", "", "an empty folder for the files of the servers")
	flag.IntVar(&o.machines, "machines", 10_000, "how many machines there are")
	flag.Float64Var(&o.rate, "rate", 100, "how many requests all machines send in a second")
	flag.DurationVar(&o.duration, "for", 10*time.Minute, "how long the machines work")
	flag.Parse()
	if err := run(context.Background(), &o); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// note() prints a message with the current time.
func note(what string) { fmt.Println(time.Now().UTC().Format(time.TimeOnly), what) }

func run(ctx context.Context, o *options) error {
	nodes, err := processes(o.nodes)
	if err != nil {
		return err
	}
	s := &site{options: o}
	defer s.stop()
	if err := s.start(); err != nil {
		return err
	}
	c := newCompany(s.balancer.url, s.tokens, o)
	if err := c.write(ctx); err != nil {
		return err
	}
	note("the machines begin")
	before, err := s.costs(nodes)
	if err != nil {
		return err
	}
	kill := time.AfterFunc(o.duration/2, func() {
		note("a node is killed")
		_ = nodes[len(nodes)-1].Kill() // if the node has not ended, the printed figures show this
	})
	defer kill.Stop()
	c.work(ctx)
	after, err := s.costs(nodes)
	if err != nil {
		return err
	}
	s.report(c, before, after)
	note("the store is checked")
	err = errors.Join(c.check(ctx, strings.Split(o.cluster, ",")), c.answered())
	if err == nil {
		note("the store has everything that was acknowledged, once, and its audit verifies")
	}
	return err
}
