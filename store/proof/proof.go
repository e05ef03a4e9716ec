// Package proof has tests that check stores with independent tools. It is a separate module, so that the product's
// go.mod does not contain the dependencies of these tests.
//
// Start with linear_test.go: it records the results of concurrent calls of many clients, and porcupine looks for a
// sequential order of the calls that gives the same results. moving_test.go moves a tenant from one driver to another
// and back. differential_test.go makes the same random steps in both drivers. master_test.go kills the master of a
// cluster under load.
//
// chaos_test.go kills servers under load. faults_test.go lets the clocks of servers jump, disk_linux_test.go fills the
// disk of their store, and network_test.go disturbs the network between servers and their store. cluster_faults_test.go
// does the same on Elasticsearch, and partitions a cluster. Meanwhile, agents, programs, hooks and another process use
// the servers and their store; load_test.go has this load. In the end, every acknowledged write must exist exactly
// once, one sequential order of the calls must explain their results, and every hook must have answered correctly.
package proof
