// Package proof checks stores with independent tools. It is a separate module, so that the dependencies of these tests
// are not in go.mod of the product.
//
// Start with linear_test.go: it records concurrent changes of many clients, and porcupine looks for a sequential order
// with the same results. moving_test.go moves a tenant from one driver to another and back. master_test.go kills the
// master of a cluster under load.
package proof
