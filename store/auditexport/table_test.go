package auditexport_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/auditexport"
)

func change() store.Entry {
	return store.Entry{
		ID: "01C", Tenant: "shop", Writer: "w1", Kind: store.KindChange, Seq: 7, Time: time.Date(
			2026, 2, 5, 11, 0, 0, 5e6, time.FixedZone("", 3600),
		),
		Event: store.Updated, Actor: "dev", Guideline: "tests", GuidelineName: "Tests first", Version: 3, Hash: "ab",
		Changes: []store.FieldChange{{Field: "priority", Old: json.RawMessage("500"), New: json.RawMessage("900")}},
	}
}

func decided(reason string) store.Entry {
	return store.Entry{
		ID: "01D", Writer: "w1", Kind: store.KindDecision, Seq: 1, Time: time.Date(
			2026, 2, 5, 10, 0, 0, 0, time.UTC,
		), Event: "decision", Actor: "backend",
		Session:  "s1",
		Decision: &store.Decision{Result: "deny", Reason: reason, Tool: "Bash", Micros: 310, Effects: "e1"},
		Context:  &guideline.Context{Agent: "backend", Domain: "api", Paths: []string{"a.go", "b.go"}},
	}
}

// entriesThen yields the entries. If err is not nil, it yields err at the end.
func entriesThen(err error, entries ...store.Entry) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(store.Entry{}, err)
		}
	}
}

// read() parses a CSV text. The result has one map for each row.
func read(t *testing.T, text string) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 || !slices.Equal(rows[0], auditexport.Columns()) {
		t.Fatalf("%v\n%s", err, text)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		named := map[string]string{}
		for i, name := range rows[0] {
			if row[i] != "" {
				named[name] = row[i]
			}
		}
		out = append(out, named)
	}
	return out
}

func TestEachEntryIsARow(t *testing.T) {
	var b bytes.Buffer
	if err := auditexport.CSV(&b, entriesThen(nil, change(), decided("no tests"))); err != nil {
		t.Fatal(err)
	}
	want := []map[string]string{
		{
			"timestamp": "2026-02-05T10:00:00.005Z", "event_type": "guideline_updated", "kind": "change", "actor": "dev", "guideline_id": "tests",
			"guideline_name": "Tests first", "guideline_version": "3", "changes": `[{"field":"priority","old_value":500,"new_value":900}]`,
			"id": "01C", "writer": "w1", "seq": "7", "hash": "ab",
		},
		{
			"timestamp": "2026-02-05T10:00:00.000Z", "event_type": "decision", "kind": "decision", "actor": "backend", "session_id": "s1",
			"result": "deny", "reason": "no tests", "tool": "Bash", "duration_us": "310", "effects_digest": "e1",
			"agent": "backend", "domain": "api", "paths": "a.go\nb.go", "id": "01D", "writer": "w1", "seq": "1",
		},
	}
	for i, got := range read(t, b.String()) {
		if a, b := jsonOf(t, got), jsonOf(t, want[i]); a != b {
			t.Errorf("row %d\ngot  %s\nwant %s", i, a, b)
		}
	}
}

func TestNoCellIsAFormula(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain", "plain"},
		{"a=1", "a=1"},
		{"", ""},
		{"3 - 2", "3 - 2"},
		{"=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"},
		{"+1", "'+1"},
		{"-1", "'-1"},
		{"@SUM(A1)", "'@SUM(A1)"},
		{"|x", "'|x"},
		{"%x", "'%x"},
		{"\t=1", "'\t=1"},
		{"\r=1", "\ufffd=1"},
		{"\n=1", "'\n=1"},
		{"  =1", "'  =1"},
		{"\u00a0=1", "'\u00a0=1"},
		{"  plain", "  plain"},
		{"＝1", "'＝1"},
		{"＠x", "'＠x"},
		{"a\x1b[2J", "a\ufffd[2J"},
		{"a,\"b\"\nc", "a,\"b\"\nc"},
		{"a; b;c-1", "a; b;c-1"},
		{"a;=1", "a;'=1"},
		{"a; \"=1;+2", "a; \"'=1;'+2"},
		{"a\t@x", "a\t'@x"},
		{"a\n=1\n- b", "a\n'=1\n'- b"},
		{"=1;=2", "'=1;'=2"},
	} {
		var b bytes.Buffer
		if err := auditexport.CSV(&b, entriesThen(nil, decided(c.text))); err != nil {
			t.Fatal(err)
		}
		if got := read(t, b.String())[0]["reason"]; got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzNoCellIsAFormula(f *testing.F) {
	for _, seed := range []string{"=1", " +1", "\x00=1", "\ufeff=1", "a\r\n=1", "'=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e := decided(text)
		e.Actor, e.Context.Paths = text, []string{text}
		var b bytes.Buffer
		if err := auditexport.CSV(&b, entriesThen(nil, e)); err != nil {
			t.Fatal(err)
		}
		for name, value := range read(t, b.String())[0] {
			if first := strings.TrimLeft(value, " \t\n"); first != "" && strings.IndexByte("=+-@", first[0]) >= 0 {
				t.Errorf("%q: the cell %s is %q", text, name, value)
			}
		}
	})
}

func TestEachEntryIsALineOfCanonicalJSON(t *testing.T) {
	var b bytes.Buffer
	if err := auditexport.Lines(&b, entriesThen(nil, change(), decided("=1"))); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, e := range []store.Entry{change(), decided("=1")} {
		line, err := store.EncodeEntry(&e)
		if err != nil {
			t.Fatal(err)
		}
		want.WriteString(string(line) + "\n")
	}
	if b.String() != want.String() {
		t.Errorf("got\n%swant\n%s", b.String(), want.String())
	}
}

var errGone = errors.New("the store is gone")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errGone }

func TestErrorsOfEntriesAndWritersAreReturned(t *testing.T) {
	for name, write := range map[string]func() error{
		"csv, store": func() error { return auditexport.CSV(&bytes.Buffer{}, entriesThen(errGone, change())) },
		"csv, disk":  func() error { return auditexport.CSV(full{}, entriesThen(nil, change())) },
		"json, store": func() error {
			return auditexport.Lines(&bytes.Buffer{}, entriesThen(errGone, change()))
		},
		"json, disk": func() error { return auditexport.Lines(full{}, entriesThen(nil, change())) },
	} {
		if err := write(); !errors.Is(err, errGone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
