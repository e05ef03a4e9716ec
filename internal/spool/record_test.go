package spool_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"guardrails/internal/spool"
)

// full() returns a record in which no field is empty.
func full(t testing.TB) *spool.Record {
	t.Helper()
	r := &spool.Record{}
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(v.Type().Field(i).Name + " \"é\\\n\u2028")
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(i + 1))
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"write a b", "\x01"}))
		default:
			t.Fatalf("a field of kind %s", f.Kind())
		}
	}
	return r
}

func TestRecordRoundTrips(t *testing.T) {
	for _, want := range []*spool.Record{full(t), {Kind: "gate"}} {
		line := want.Line()
		if !json.Valid(line) {
			t.Fatalf("not JSON: %s", line)
		}
		got, err := spool.Parse(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
		}
	}
}

func TestEmptyFieldsAreOmitted(t *testing.T) {
	if line := (&spool.Record{Kind: "gap", Calls: 2}).Line(); string(line) != `{"kind":"gap","calls":2}` {
		t.Errorf("got %s", line)
	}
}

func TestFieldsOfALaterVersionAreIgnored(t *testing.T) {
	r, err := spool.Parse([]byte(`{"kind":"gate","later":{"a":[1]},"reason":null}`))
	if err != nil || r.Kind != "gate" || r.Reason != "" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestInvalidRecordsAreRefused(t *testing.T) {
	for _, line := range []string{
		``, `x`, `[]`, `{"kind":"a"`, `{"kind":"a"} {}`, `{"kind":1}`, `{"kind":"a","calls":"1"}`, `{"kind":"a","calls":1.5}`,
		`{"kind":"a","paths":"x"}`, `{"kind":"a","paths":[1]}`, `{"outcome":"deny"}`, `{"kind":"a","kind":"b"}`,
	} {
		if r, err := spool.Parse([]byte(line)); err == nil {
			t.Errorf("%s: got %+v", line, r)
		}
	}
}

func BenchmarkLine(b *testing.B) {
	r := full(b)
	for b.Loop() {
		_ = r.Line()
	}
}
