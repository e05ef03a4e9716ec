package store_test

import (
	"reflect"
	"slices"
	"testing"

	"guardrails/store"
)

func TestEveryFilterOfTheAuditSetsAFieldOfItsOwn(t *testing.T) {
	var f store.AuditFilter
	var names []string
	for _, field := range store.AuditFields() {
		for _, name := range append(field.Names(), field.Flags()...) {
			if slices.Contains(names, name) && !slices.Contains(field.Names(), name) {
				t.Errorf("two filters are named %s", name)
			}
			names = append(names, name)
		}
		if !field.IsTime {
			f.Set(field.Name, "x")
		}
	}
	v := reflect.ValueOf(f)
	for i := range v.NumField() {
		unset := []string{"From", "To", "ID"} // From and To are times, and one entry is requested by its id in another way
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() != slices.Contains(unset, name) {
			t.Errorf("no filter sets %s", name)
		}
	}
}
