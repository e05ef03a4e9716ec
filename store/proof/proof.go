// Package proof checks stores with tools that nobody here wrote. It is a module of its own, so that what only these
// tests need is not in the product's go.mod.
//
// Start with linear_test.go: what many clients saw of concurrent changes is given to porcupine, which looks for an
// order in which one client alone could have seen the same. moving_test.go moves a tenant from one driver to another
// and back, and master_test.go kills the master of a cluster under load.
package proof
