package service_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/service"
	"guardrails/service/fallback"
	"guardrails/store"
	"guardrails/store/live"
)

// untilOutage repeats a request until the answer no longer comes from the store.
func untilOutage(t *testing.T, ask func() *service.Answer) (a *service.Answer) {
	t.Helper()
	eventually(t, 5*time.Minute, func() bool { a = ask(); return a.Fallback != nil })
	return a
}

func TestEveryRereadSavesTheLastKnownGoodGuidelines(t *testing.T) {
	for name, r := range map[string]service.Request{
		"over REST":               {Definitions: true},
		"over MCP":                {},
		"as a hook":               {Hook: true},
		"for an explicit project": {Project: "ROOT"},
	} {
		t.Run(name, func(t *testing.T) {
			forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
				p := newUsersProject(t, "packs: []\n")
				if r.Project != "" {
					r.Project = p.root
				}
				create(t, p.tenantStore(""), instruction("one", "One."))
				ask(p, r)
				p.moveDatabaseAway()
				a := getContext(t, p.newService(true), service.Request{Hook: true})
				if a.Source != fallback.SourceSnapshot || ids(a) != "one" {
					t.Errorf("another process: %s from %s", ids(a), a.Source)
				}
				a = untilOutage(t, func() *service.Answer { return ask(p, r) })
				if a.Source != fallback.SourceSnapshot || ids(a) != "one" {
					t.Errorf("the same process: %s from %s", ids(a), a.Source)
				}
			})
		})
	}
}

func TestWhatIsInMemoryHoldsWhileNothingCanBeSaved(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	folder := filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails")
	mkdir(t, folder)
	chmod(t, folder, 0o777)
	create(t, p.tenantStore(""), instruction("one", "One."))
	server := p.server()
	ask := func() *service.Answer { return getContext(t, server, service.Request{Hook: true}) }
	ask()
	p.moveDatabaseAway()
	if a := untilOutage(t, ask); a.Source != fallback.SourceSnapshot || ids(a) != "one" {
		t.Errorf("%s from %s", ids(a), a.Source)
	}
}

func TestTheNewestGuidelinesThatAnyProcessSawApply(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	create(t, p.tenantStore(""), instruction("one", "One."))
	server := p.server()
	ask := func() *service.Answer { return getContext(t, server, service.Request{Hook: true}) }
	ask()
	create(t, p.tenantStore(""), instruction("two", "Two."))
	getContext(t, p.newService(false), service.Request{Definitions: true})
	p.moveDatabaseAway() // before the server asks the store again
	if a := untilOutage(t, ask); ids(a) != "one two" {
		t.Errorf("%s from %s", ids(a), a.Source)
	}
}

func TestTheAnswerSaysHowOldAndHowManyTheLastKnownGuidelinesAre(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		create(t, p.tenantStore(""), instruction("one", "One."), instruction("two", "Two."))
		if a := ask(p, service.Request{}); a.Fallback != nil {
			t.Fatalf("%+v", a.Fallback)
		}
		p.moveDatabaseAway()
		a := untilOutage(t, func() *service.Answer { return ask(p, service.Request{}) })
		age := time.Now().Add(time.Hour).Sub(a.Fallback.KnownAt) // these services use this clock
		if a.Fallback.Guidelines != 2 || age < 0 || age > time.Minute {
			t.Errorf("%+v, %s", a.Fallback, age)
		}
		contains(t, strings.Join(a.Notices, "\n"), "the last known good guidelines apply (2, read at ")
	})
}

// inAnotherProject calls the function use() in another project of the same user.
func (p *storedProject) inAnotherProject(use func()) {
	p.t.Helper()
	here := p.root
	p.root += "-other"
	p.write(".git/HEAD", "ref: refs/heads/main\n")
	use()
	p.root = here
}

// A session in another project has seen changes that are missing in this project's guidelines on disk.
func TestTheNewestGuidelinesThatAnotherProjectSawApply(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		p.write(".claude/guardrails/file.yaml",
			"guidelines: [{id: file, name: File, category: custom, action: {type: instruction, instruction: Of the file.}}]\n")
		shared := p.tenantStore("")
		create(t, shared, instruction("one", "One."), instruction("two", "Two."), instruction("file", "Of the store."))
		ask(p, service.Request{})
		changed := instruction("one", "Newer.")
		changed.Version = 1
		if _, err := shared.Update(t.Context(), changed); err != nil {
			t.Fatal(err)
		}
		if err := shared.Delete(t.Context(), live.Ref{ID: "two", Version: 1}); err != nil {
			t.Fatal(err)
		}
		ofThem := instruction("theirs", "Of another project.")
		ofThem.ProjectID = "elsewhere"
		create(t, shared, instruction("three", "Three."), ofThem)
		p.inAnotherProject(func() { getContext(t, p.newService(false), service.Request{}) })
		p.moveDatabaseAway()
		a := untilOutage(t, func() *service.Answer { return ask(p, service.Request{}) })
		if got := ids(a); got != "file one three" || a.Fallback.Guidelines != 3 {
			t.Errorf("%s (%d) from %s", got, a.Fallback.Guidelines, a.Source)
		}
		for _, g := range a.Guidelines {
			if g.ID == "one" && g.Instruction != "Newer." {
				t.Errorf("the guideline one says %q", g.Instruction)
			}
		}
	})
}

// If a project has no last known good guidelines of its own, it gets the guidelines that another project has read.
func TestANewProjectGetsTheGuidelinesThatAnotherOneSaw(t *testing.T) {
	p := newStoredProject(t, nil)
	p.user("packs: []\nstore: sqlite:" + filepath.Join(p.data, "guardrails.db") + "\n")
	create(t, p.tenantStore(""), instruction("one", "One."))
	p.inAnotherProject(func() { getContext(t, p.newService(false), service.Request{}) })
	p.moveDatabaseAway()
	a := untilOutage(t, func() *service.Answer { return getContext(t, p.server(), service.Request{}) })
	if a.Source != fallback.SourceStatic || !strings.Contains(" "+ids(a)+" ", " one ") {
		t.Errorf("%s from %s", ids(a), a.Source)
	}
	contains(t, strings.Join(a.Notices, "\n"), "the guidelines that the store had for another project at ")
}

// A session in another project has seen a change, but could not save the guidelines.
func TestTheAnswerSaysWhatTheLastKnownGuidelinesLack(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	create(t, p.tenantStore(""), instruction("one", "One."))
	getContext(t, p.newService(false), service.Request{})
	create(t, p.tenantStore(""), instruction("two", "Two."))
	p.inAnotherProject(func() { getContext(t, p.newService(false), service.Request{}) })
	if err := os.RemoveAll(filepath.Join(p.vars["XDG_STATE_HOME"], "guardrails/stores")); err != nil {
		t.Fatal(err)
	}
	p.moveDatabaseAway()
	a := untilOutage(t, func() *service.Answer { return getContext(t, p.newService(false), service.Request{}) })
	contains(t, strings.Join(a.Notices, "\n"), "the last known good guidelines apply (1, read at ",
		"they lack 1 change that another process has seen in the store")
	if at, n := p.newService(false).LastKnown(p.root); n != 1 || at.IsZero() {
		t.Errorf("%d, %s", n, at)
	}
}

func TestManyGuidelinesAreKnown(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		const many = 900 // so many guidelines of 10 KB are too large for one document
		var items []guideline.Guideline
		for i := range many {
			items = append(items, instruction(fmt.Sprint("g", i), strings.Repeat("A long text.", 800)))
		}
		_, err := p.tenantStore("").Import(t.Context(), items, store.ImportOptions{})
		check(t, err)
		ask(p, service.Request{})
		p.moveDatabaseAway()
		a := untilOutage(t, func() *service.Answer { return ask(p, service.Request{}) })
		if a.Source != fallback.SourceSnapshot || a.Fallback.Guidelines != many {
			t.Errorf("%d from %s: %s", a.Fallback.Guidelines, a.Source, a.Notices)
		}
	})
}

func TestWithoutGuidelinesNothingIsKnownGood(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newUsersProject(t, "packs: []\n")
		p.tenantStore("")
		if a := ask(p, service.Request{Hook: true}); a.Fallback != nil || ids(a) != "" {
			t.Fatalf("%s from %s", ids(a), a.Source)
		}
		check(t, os.Rename(p.data, p.data+".away"))
		a := untilOutage(t, func() *service.Answer { return ask(p, service.Request{Hook: true}) })
		if a.Source != fallback.SourceStatic || !strings.Contains(ids(a), "security-guard-tamper") {
			t.Errorf("%s from %s", ids(a), a.Source)
		}
	})
}

func TestACallerOfAnotherTenantGetsItsLastKnownGuidelines(t *testing.T) {
	p := newUsersProject(t, "packs: [core]\ntenant: own\n")
	create(t, p.tenantStore("b"), instruction("theirs", "Theirs."))
	create(t, p.tenantStore("own"), instruction("one", "One."))
	server := p.server()
	ask := func(s *service.Service) *service.Answer {
		a, err := s.GetContext(service.ForTenant(t.Context(), "b"), service.Request{Definitions: true})
		check(t, err)
		return a
	}
	ask(server)
	p.moveDatabaseAway()
	for name, s := range map[string]*service.Service{"the same process": server, "another process": p.server()} {
		a := untilOutage(t, func() *service.Answer { return ask(s) })
		if a.Source != fallback.SourceSnapshot || ids(a) != "theirs" {
			t.Errorf("%s: %s from %s", name, ids(a), a.Source)
		}
	}
}
