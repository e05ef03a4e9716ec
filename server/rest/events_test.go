package rest_test

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	domain "guardrails/guideline"
	"guardrails/server/access"
	"guardrails/store/live"
)

type follower struct {
	t     *testing.T
	lines chan string
	close func() error
	// id is the id of the last event.
	id string
}

func (api *testAPI) follow(t *testing.T, headers ...string) *follower {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, api.url+base+"/events", http.NoBody)
	check(t, err)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r) //nolint:bodyclose // the follower closes it
	check(t, err)
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", answer.StatusCode, answer.Header)
	}
	f := &follower{t, make(chan string, 100), answer.Body.Close, ""}
	go func() {
		defer close(f.lines)
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			f.lines <- lines.Text()
		}
	}()
	t.Cleanup(func() { _ = f.close() })
	if got := f.next(); got != "ready {}" {
		t.Fatalf("%s", got)
	}
	return f
}

// next() returns the next event with its data. At the end of the stream, it returns "".
func (f *follower) next() string {
	f.t.Helper()
	event := ""
	for {
		select {
		case line, more := <-f.lines:
			if !more {
				return ""
			}
			if id, is := strings.CutPrefix(line, "id: "); is {
				f.id = id
			}
			if name, is := strings.CutPrefix(line, "event: "); is {
				event = name
			}
			if data, is := strings.CutPrefix(line, "data: "); is {
				return event + " " + data
			}
		case <-time.After(time.Minute):
			f.t.Fatal("no event arrived")
		}
	}
}

func TestEventsReportChangesImportsAndDecisions(t *testing.T) {
	api := newAPI(t)
	f := api.follow(t)
	api.create("a", "")
	if got := f.next(); got != `guideline_changed {"guideline_id":"a","version":1,"actor":"alice"}` {
		t.Errorf("%s", got)
	}
	api.send(http.MethodPost, base+"/import", "["+guideline("b", "")+"]").is(200)
	if got := f.next(); got != `guidelines_imported {"actor":"alice"}` {
		t.Errorf("%s", got)
	}
	api.addDecision("d1", "no", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	if got := f.next(); !strings.HasPrefix(got,
		`decision_made {"guideline_id":"a","actor":"backend","entry":{"id":"d1",`) {
		t.Errorf("%s", got)
	}
	api.actAs(access.Caller{Name: "eve", Tenant: "bank", Role: access.Admin})
	other := api.follow(t)
	api.create("bank", "")
	if got := other.next(); !strings.Contains(got, `"bank"`) {
		t.Errorf("%s", got)
	}
	api.handler.End()
	if got := f.next() + other.next(); got != "" {
		t.Errorf("after the end: %s", got)
	}
}

func TestEventsReportChangesOfOtherProcesses(t *testing.T) {
	api := newAPI(t)
	f := api.follow(t)
	_, err := api.open().For(live.Caller{Tenant: "shop", Actor: "elsewhere"}).Create(t.Context(), domain.Guideline{
		ID: "a", Name: "A", Category: domain.Custom, Action: domain.Action{Type: domain.Instruction},
	})
	check(t, err)
	if got := f.next(); got != "guidelines_reread {}" {
		t.Errorf("%s", got)
	}
}

func TestOneCallerCannotTakeAllEventStreams(t *testing.T) {
	api := newAPI(t)
	api.actAs(access.Caller{Name: "greedy", Tenant: "bank", Role: access.Read})
	for range 8 {
		api.follow(t)
	}
	api.send(http.MethodGet, base+"/events", "").is(503).has("code", "busy")
	api.actAs(access.Caller{Name: "other", Tenant: "shop", Role: access.Admin})
	f := api.follow(t)
	api.create("one", "")
	if got := f.next(); !strings.Contains(got, `"one"`) {
		t.Errorf("%s", got)
	}
}

func TestTheTokensOfOneTenantCannotTakeAllEventStreams(t *testing.T) {
	api := newAPI(t)
	var all []*follower
	for i := range 16 {
		api.actAs(access.Caller{Name: fmt.Sprint("reader", i), Tenant: "bank", Role: access.Read})
		for range 8 {
			all = append(all, api.follow(t))
		}
	}
	late := access.Caller{Name: "late", Tenant: "bank", Role: access.Read}
	api.actAs(late)
	api.follow(t)
	api.send(http.MethodGet, base+"/events", "").is(503).has("code", "busy")
	api.actAs(access.Caller{Name: "other", Tenant: "shop", Role: access.Read})
	api.follow(t)
	api.actAs(late)
	check(t, all[0].close())
	check(t, all[1].close())
	for wait := time.Now().Add(time.Minute); ; {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, api.url+base+"/events", http.NoBody)
		check(t, err)
		answer, err := http.DefaultClient.Do(r)
		check(t, err)
		check(t, answer.Body.Close())
		if answer.StatusCode == http.StatusOK {
			break
		}
		if time.Now().After(wait) {
			t.Fatal("a closed stream still counts")
		}
	}
}

func TestAStreamContinuesAfterTheLastEventID(t *testing.T) {
	api := newAPI(t)
	f := api.follow(t)
	api.create("a", "")
	if got := f.next(); !strings.Contains(got, `"a"`) {
		t.Fatal(got)
	}
	last := f.id
	check(t, f.close())
	api.create("b", "")
	api.create("c", "")
	again := api.follow(t, headerLast+": "+last)
	if got := again.next() + again.next(); !strings.Contains(got, `"b"`) || !strings.Contains(got, `"c"`) {
		t.Errorf("%s", got)
	}
	lost := api.follow(t, headerLast+": of-another-process-7")
	if got := lost.next(); got != "gap {}" {
		t.Errorf("%s", got)
	}
	api.create("d", "")
	if got := lost.next(); !strings.Contains(got, `"d"`) {
		t.Errorf("after the gap: %s", got)
	}
}

const headerLast = "Last-Event-ID"
