package elastic_test

import (
	"testing"

	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/storetest"
)

func TestStoreMeetsTheContract(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		storetest.Run(t, func(t *testing.T) store.Store {
			return open(t, elastic.Options{Addresses: []string{url}, Prefix: newPrefix(t, url)})
		})
	})
}

func TestHandlesOnOneClusterAgree(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		storetest.RunShared(t, func(t *testing.T) func() store.Store {
			prefix := newPrefix(t, url)
			return func() store.Store { return open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix}) }
		})
	})
}
