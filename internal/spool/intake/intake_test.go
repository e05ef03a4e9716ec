package intake_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/internal/fortests/golden"
	"guardrails/internal/spool/intake"
	"guardrails/store"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEveryFieldOfAHookRecordReachesTheAudit(t *testing.T) {
	w := newFixture(t)
	w.write(
		`{"time":"2026-02-05T09:00:00.000000001Z","kind":"decision","outcome":"deny","event":"PreToolUse","session_id":"s1","agent_id":"a1","agent":"backend","project":"/p","tool":"Bash","tool_use_id":"toolu_1","guideline_id":"no-push","reason":"pushes","source":"store","guideline_version":3,"paths":["write src/a.go","run git"],"events":["push"],"tenant_id":"team","domain":"api","action":"implement","micros":1234}`,
		`{"time":"2026-02-05T09:00:01Z","kind":"gate","outcome":"approved","event":"PostToolUse","session_id":"s1","project":"/p","tool":"Bash","guideline_id":"ask-deploy","gate_type":"deploy"}`,
		`{"time":"2026-02-05T09:00:02Z","id":"audit-0123","kind":"gate","outcome":"rejected","session_id":"s1","agent":"backend","project":"/p","guideline_id":"ask-deploy","gate_type":"deploy","reason":"not today","user_response":"no","source":"told","guideline_version":1,"domain":"ops","action":"deploy","task_event":"deploy","paths":["read me.txt"]}`,
		`{"time":"2026-02-05T09:00:02.5Z","id":"audit-0124","kind":"gate","outcome":"approved","session_id":"s1","agent":"chief","project":"/p","guideline_id":"ask-deploy","guideline_name":"Ask before a deploy","reason":"claimed","source":"told","actor":"ci","project_id":"github.com/acme/shop"}`,
		`{"time":"2026-02-05T09:00:03Z","kind":"fail_open","outcome":"allow","session_id":"s1","project":"/p","reason":"the store is away"}`,
		`{"time":"2026-02-05T09:00:04Z","kind":"gap","outcome":"open","session_id":"s1","project":"/p","from":"2026-02-05T08:00:00Z","to":"2026-02-05T09:00:00Z","calls":7}`,
		`{"time":"2026-02-05T09:00:05Z","kind":"decision","outcome":"allow","session_id":"s1","project":"/p","tool":"Read","source":"snapshot"}`,
	)
	if r := w.all(w.intake()); r.Taken != 7 || r.Damaged != 0 {
		t.Errorf("%+v", r)
	}
	var got []store.Entry
	for _, e := range append(w.entries("main", "team"), w.entries("main", "acme")...) {
		e.Writer, e.Prev, e.Hash = "", "", ""
		got = append(got, e)
	}
	golden.Check(t, *update, "testdata/entries.json", encoded(t, got))
}

func TestLineReadTwiceIsStoredOnce(t *testing.T) {
	w := newFixture(t)
	w.write(record(1, "/p"), record(2, "/p"), record(2, "/p"))
	i := w.intake()
	w.all(i)
	w.all(i)
	w.all(w.intake())
	w.write(record(3, "/p"))
	w.all(i)
	progress, err := filepath.Glob(filepath.Join(w.spool, "taken-*"))
	check(t, err)
	for _, name := range progress {
		check(t, os.Remove(name))
	}
	w.all(w.intake())
	if got := w.reasons("main", "acme"); got != "r1 r2 r2 r3" {
		t.Errorf("%s", got)
	}
}

func TestConcurrentIntakesStoreEachLineOnce(t *testing.T) {
	w := newFixture(t)
	const writers, each = 4, 50
	var busy sync.WaitGroup
	for n := range writers {
		busy.Go(func() {
			for line := range each {
				w.write(record(n*each+line, "/p"))
			}
		})
	}
	done := make(chan struct{})
	var taking sync.WaitGroup
	for range 2 {
		taking.Go(func() {
			i := w.intake()
			for running := true; running; {
				select {
				case <-done:
					running = false
				default:
				}
				if _, err := i.Turn(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	busy.Wait()
	close(done)
	taking.Wait()
	w.all(w.intake())
	if got := len(w.entries("main", "acme")); got != writers*each {
		t.Errorf("got %d entries for %d lines", got, writers*each)
	}
}

func TestUnfinishedLineWaitsForItsEnd(t *testing.T) {
	w := newFixture(t)
	whole := record(1, "/p")
	appendTo(t, w.file("2026-02-05"), "\n"+whole[:50])
	i := w.intake()
	if r := w.all(i); r.Taken != 0 {
		t.Errorf("%+v", r)
	}
	appendTo(t, w.file("2026-02-05"), whole[50:]+"\n")
	if r := w.all(i); r.Taken != 1 || w.reasons("main", "acme") != "r1" {
		t.Errorf("%+v %s", r, w.reasons("main", "acme"))
	}
}

func TestDamagedLineIsSetAsideAndReportedOnce(t *testing.T) {
	for name, text := range map[string]string{
		"half a line":    record(1, "/p")[:40],
		"not JSON":       "hello",
		"no kind":        `{"time":"2026-02-05T09:00:00Z"}`,
		"no time":        `{"kind":"decision","project":"/p"}`,
		"binary":         "\x00\xff\xfe",
		"another tenant": `{"time":"2026-02-05T09:00:00Z","kind":"decision","project":"/p","tenant_id":"` + strings.Repeat("x", 300) + `"}`,
		"too long":       strings.Repeat("x", 600<<10),
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.write(record(1, "/p"))
			appendTo(t, w.file("2026-02-05"), "\n"+text)
			w.write(record(2, "/p"))
			w.all(w.intake())
			check(t, os.RemoveAll(filepath.Join(w.spool, "taken-main")))
			w.all(w.intake())
			var said []store.Entry
			for _, e := range append(w.entries("main", ""), w.entries("main", "acme")...) {
				if e.Event == intake.DamagedRecord {
					said = append(said, e)
				}
			}
			kept, err := intake.Damaged(w.spool)
			check(t, err)
			if len(said) == 0 || len(said) != kept || !strings.Contains(said[0].Decision.Reason, "of 2026-02-05.jsonl cannot be read: ") {
				t.Errorf("%d lines set aside, reported: %+v", kept, said)
			}
			if got := len(w.entries("main", "")) + len(w.entries("main", "acme")) - len(said); got != 2 {
				t.Errorf("got %d of the two good lines", got)
			}
		})
	}
}

func TestLinesGoToTheStoreAndTenantOfTheirProject(t *testing.T) {
	w := newFixture(t)
	w.home("/q", "other", "main")
	w.home("/r", "acme", "second")
	w.write(record(1, "/p"), record(2, "/q"), record(3, "/r"), record(4, "/p", `,"tenant_id":"told"`), record(5, "/r"))
	w.all(w.intake())
	for of, want := range map[[2]string]string{{"main", "acme"}: "r1", {"main", "other"}: "r2", {"second", "acme"}: "r3 r5", {"main", "told"}: "r4", {"main", ""}: ""} {
		if got := w.reasons(of[0], of[1]); got != want {
			t.Errorf("%s: got %q, want %q", of, got, want)
		}
	}
}

func TestProjectThatChangesItsStoreKeepsItsOldRecordsThere(t *testing.T) {
	w := newFixture(t)
	w.write(record(1, "/p"))
	i := w.intake()
	w.all(i)
	w.home("/p", "acme", "second")
	w.write(record(2, "/p"))
	w.all(i)
	w.all(w.intake())
	if main, second := w.reasons("main", "acme"), w.reasons("second", "acme"); main != "r1" || second != "r2" {
		t.Errorf("%q and %q", main, second)
	}
}

func TestUnavailableStoreGetsItsLinesLaterWithoutDelayingOthers(t *testing.T) {
	w := newFixture(t)
	w.home("/r", "acme", "second")
	available := w.homes["/r"]
	w.homes["/r"] = intake.Home{Store: "second", Tenant: "acme"}
	w.write(record(1, "/r"), record(2, "/p"))
	i := w.intake()
	w.all(i)
	if got := w.reasons("main", "acme"); got != "r2" {
		t.Errorf("%q", got)
	}
	w.homes["/r"] = available
	w.write(record(3, "/p"))
	w.all(i)
	if got := w.reasons("second", "acme"); got != "r1" {
		t.Errorf("%q", got)
	}
}

func TestLinesAreTakenWhenTheirStoreAppears(t *testing.T) {
	w := newFixture(t)
	available := w.homes["/p"]
	w.homes[""], w.homes["/p"] = intake.Home{}, intake.Home{Tenant: "acme"}
	w.write(record(1, "/p"))
	i := w.intake()
	w.all(i)
	w.homes[""], w.homes["/p"] = intake.Home{Store: "main", Catalog: available.Catalog}, available
	w.all(i)
	if got := w.reasons("main", "acme"); got != "r1" {
		t.Errorf("%q", got)
	}
}

func TestFailingStoreIsReportedAndItsLinesStay(t *testing.T) {
	w := newFixture(t)
	w.home("/r", "acme", "second")
	check(t, w.open["second"].Close())
	w.write(record(1, "/r"), record(2, "/p"))
	i := w.intake()
	if _, err := i.All(t.Context()); store.CodeOf(err) != store.Unavailable {
		t.Errorf("%v", err)
	}
	if got := w.reasons("main", "acme"); got != "r2" {
		t.Errorf("%q", got)
	}
	delete(w.open, "second")
	w.home("/r", "acme", "second")
	w.all(i)
	if got := w.reasons("second", "acme"); got != "r1" {
		t.Errorf("%q", got)
	}
}

func TestRecreatedDayFileHasNewLines(t *testing.T) {
	w := newFixture(t)
	w.write(record(1, "/p"), record(2, "/p"))
	i := w.intake()
	w.all(i)
	check(t, os.Remove(w.file("2026-02-05")))
	w.write(record(3, "/p"), record(4, "/p"), record(5, "/p"))
	w.all(i)
	if got := w.reasons("main", "acme"); got != "r1 r2 r3 r4 r5" {
		t.Errorf("%s", got)
	}
}

func TestIntakeRunIsLimited(t *testing.T) {
	w := newFixture(t)
	var text strings.Builder
	const lines = 16_000
	for n := range lines {
		fmt.Fprintf(&text, "\n%s\n", record(n, "/p"))
	}
	appendTo(t, w.file("2026-02-05"), text.String())
	i := w.intake()
	r, err := i.Turn(t.Context())
	check(t, err)
	if !r.More || r.Taken == 0 || r.Taken > lines*9/10 {
		t.Errorf("%+v", r)
	}
	began := time.Now()
	w.all(i)
	t.Logf("%d lines took %s", lines, time.Since(began))
	if got := len(w.entries("main", "acme")); got != lines {
		t.Errorf("%d entries", got)
	}
}
