package rest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"

	domain "guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

// BenchmarkPages reads pages of 10,000 guidelines through the API. For comparison, it reads the same pages from the
// store.
func BenchmarkPages(b *testing.B) {
	api := newAPI(b)
	tenantStore := api.importMany(10000)
	get := func(b *testing.B, path string) {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, api.url+base+path, http.NoBody)
		check(b, err)
		answer, err := http.DefaultClient.Do(r)
		check(b, err)
		_, err = io.Copy(io.Discard, answer.Body)
		check(b, err)
		check(b, answer.Body.Close())
	}
	for _, c := range []struct{ name, path string }{
		{"page", ""},
		{"filter", "?agent=agent7"},
		{"search", "?search=guideline+77"},
		{"1000", "?page_size=1000"},
		{"audit", "/audit"},
		{"one", "/g77"},
		{"stats", "/stats"},
		{"export", "/export"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				get(b, c.path)
			}
		})
	}
	b.Run("store-page", func(b *testing.B) {
		for b.Loop() {
			_, err := tenantStore.List(context.Background(), store.ListQuery{})
			check(b, err)
		}
	})
	b.Run("store-1000", func(b *testing.B) {
		for b.Loop() {
			_, err := tenantStore.List(context.Background(), store.ListQuery{Paging: store.Paging{Page: 1, Size: 1000}})
			check(b, err)
		}
	})
}

func (api *testAPI) importMany(count int) *live.TenantStore {
	api.t.Helper()
	tenantStore := api.store.For(live.Caller{Tenant: "shop", Actor: "bench"})
	items := make([]domain.Guideline, count)
	for i := range items {
		items[i] = domain.Guideline{
			ID: fmt.Sprint("g", i), Name: fmt.Sprint("Guideline ", i), Enabled: true, Category: domain.Custom,
			Priority:  i % 1000,
			Condition: domain.Condition{Agents: []string{fmt.Sprint("agent", i%100)}},
			Action:    domain.Action{Type: domain.Instruction, Instruction: "Do it."},
		}
	}
	_, err := tenantStore.Import(context.Background(), items, store.ImportOptions{})
	check(api.t, err)
	return tenantStore
}
