package service_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/open"
)

// stored is a project with the database of its user.
type stored struct {
	*project
	data string
}

func newStored(t *testing.T, files map[string]string) *stored {
	t.Helper()
	p := newProject(t, files)
	p.vars["XDG_DATA_HOME"] = filepath.Join(filepath.Dir(p.root), "data")
	return &stored{p, filepath.Join(p.vars["XDG_DATA_HOME"], "guardrails")}
}

func (p *stored) env(name string) string { return p.vars[name] }

// opener opens the store that settings name, as the programs do.
func (p *stored) opener(create bool) func(context.Context, *config.Config) (*live.Store, error) {
	return func(ctx context.Context, c *config.Config) (*live.Store, error) {
		return open.Open(ctx, c, open.Options{Env: p.env, Now: time.Now, Make: create})
	}
}

// server is a service with a memory, for which files are old enough to be believed; a command has none.
func (p *stored) server() *service.Service { return p.made(true) }

func (p *stored) made(memory bool) *service.Service {
	s := service.New(service.Options{Env: p.env, Now: func() time.Time { return time.Now().Add(time.Hour) }, Dir: p.root, Memory: memory, Open: p.opener(false)})
	p.t.Cleanup(func() { check(p.t, s.Close()) })
	return s
}

// book is the store of a tenant, in the hands of another process.
func (p *stored) book(tenant string) *live.TenantStore {
	p.t.Helper()
	c, err := p.opener(true)(p.t.Context(), &config.Config{})
	check(p.t, err)
	p.t.Cleanup(func() { check(p.t, c.Close()) })
	b := c.For(live.Caller{Tenant: tenant, Actor: "ann"})
	_, err = b.Heads(p.t.Context()) // it is made with the first call
	check(p.t, err)
	return b
}

// told is a guideline that tells everybody something.
func told(id, text string) guideline.Guideline {
	return guideline.Guideline{ID: id, Name: id, Enabled: true, Priority: 500, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction, Instruction: text}}
}

func create(t *testing.T, b *live.TenantStore, list ...guideline.Guideline) {
	t.Helper()
	for _, g := range list {
		_, err := b.Create(t.Context(), g)
		check(t, err)
	}
}

func get(t *testing.T, s *service.Service, r service.Request) *service.Answer {
	t.Helper()
	a, err := s.GetContext(t.Context(), r)
	check(t, err)
	return a
}

// ways runs a test as a server that is asked again and again, and as a command that is asked once.
func ways(t *testing.T, test func(t *testing.T, ask func(p *stored, r service.Request) *service.Answer)) {
	t.Helper()
	t.Run("server", func(t *testing.T) {
		made := map[*stored]*service.Service{}
		test(t, func(p *stored, r service.Request) *service.Answer {
			if made[p] == nil {
				made[p] = p.server()
			}
			return get(p.t, made[p], r)
		})
	})
	t.Run("command", func(t *testing.T) {
		test(t, func(p *stored, r service.Request) *service.Answer { return get(p.t, p.made(false), r) })
	})
}

func TestTheStoreGoesBeforePacksAndFiles(t *testing.T) {
	pack, err := rules.Pack("core")
	check(t, err)
	tuned := pack.Plain()[0]
	tuned.Enabled = false
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{
			config.File:                 "packs: [core]\n",
			".claude/guardrails/a.yaml": rule("mine", "action: {type: instruction, instruction: From the file.}") + rule("both", "action: {type: instruction, instruction: From the file.}"),
		})
		create(t, p.book(""), told("both", "From the store."), told("theirs", "From the store."), tuned)
		a := ask(p, service.Request{})
		if a.Source != service.SourceStore || a.Fallback != nil {
			t.Errorf("%s %+v", a.Source, a.Fallback)
		}
		contains(t, " "+ids(a)+" ", " mine ", " both ", " theirs ")
		lacks(t, " "+ids(a)+" ", " "+tuned.ID+" ")
		if strings.Count(a.CombinedInstruction, "From the store.") != 2 || strings.Count(a.CombinedInstruction, "From the file.") != 1 {
			t.Errorf("%s", a.CombinedInstruction)
		}
		want := "guardrails: the project itself defines both in another way than the store; what the store says of it holds"
		if len(a.Notices) != 1 || a.Notices[0] != want {
			t.Errorf("%q", a.Notices)
		}
	})
}

func TestWithoutAStorePacksAndFilesHoldAsTheyAre(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{".claude/guardrails/a.yaml": rule("mine", "action: {type: instruction, instruction: From the file.}")})
		if a := ask(p, service.Request{Hook: true}); a.Source != service.SourceFiles || ids(a) != "mine" || a.Fallback != nil {
			t.Errorf("%s %s %+v", a.Source, ids(a), a.Fallback)
		}
		if _, err := os.Lstat(p.data); err == nil {
			t.Error("a question made a database")
		}
	})
}

func TestTenantsNeverSeeEachOther(t *testing.T) {
	ways(t, func(t *testing.T, ask func(*stored, service.Request) *service.Answer) {
		p := newStored(t, map[string]string{config.File: "tenant: acme\npacks: []\n"})
		create(t, p.book("acme"), told("of-acme", "Acme."))
		create(t, p.book("other"), told("of-other", "Other."))
		create(t, p.book(""), told("of-nobody", "Nobody."))
		if got := ids(ask(p, service.Request{})); got != "of-acme" {
			t.Errorf("%s", got)
		}
		if got := ids(ask(p, service.Request{Context: guideline.Context{TenantID: "other"}})); got != "of-other" {
			t.Errorf("%s", got)
		}
		other := filepath.Join(filepath.Dir(p.root), "project2")
		p.write("../project2/"+config.File, "tenant: other\npacks: []\n")
		if got := ids(ask(p, service.Request{Project: other})); got != "of-other" {
			t.Errorf("%s", got)
		}
	})
}

func TestAServerSeesWhatOthersChangeWithinTwoSeconds(t *testing.T) {
	p := newStored(t, map[string]string{config.File: "packs: []\n"})
	b := p.book("")
	s := p.server()
	create(t, b, told("one", "One."))
	if got := ids(get(t, s, service.Request{})); got != "one" {
		t.Fatalf("%s", got)
	}
	create(t, b, told("two", "Two."))
	eventually(t, 2*time.Second, func() bool { return ids(get(t, s, service.Request{})) == "one two" })
	_, err := b.Toggle(t.Context(), store.Ref{ID: "one", Version: 1})
	check(t, err)
	eventually(t, 2*time.Second, func() bool { return ids(get(t, s, service.Request{})) == "two" })
}

func TestWhatIsChangedThroughAServiceHoldsAtOnce(t *testing.T) {
	p := newStored(t, map[string]string{config.File: "packs: []\n"})
	create(t, p.book(""), told("one", "One."))
	s := p.server()
	beside := s.Beside(service.Options{Env: p.env, Now: func() time.Time { return time.Now().Add(time.Hour) }, Dir: p.root, Memory: true})
	if got := ids(get(t, beside, service.Request{})); got != "one" {
		t.Fatalf("%s", got)
	}
	c, tenant, err := s.Store(t.Context(), "")
	check(t, err)
	create(t, c.For(live.Caller{Tenant: tenant, Actor: "ann"}), told("two", "Two."))
	for _, asked := range []*service.Service{s, beside} {
		if got := ids(get(t, asked, service.Request{})); got != "one two" {
			t.Errorf("%s", got)
		}
	}
}

func TestAStoreThatIsMadeLaterIsFound(t *testing.T) {
	p := newStored(t, map[string]string{config.File: "packs: []\n"})
	s := p.server()
	if got := ids(get(t, s, service.Request{})); got != "" {
		t.Fatalf("%s", got)
	}
	create(t, p.book(""), told("one", "One."))
	eventually(t, 2*time.Second, func() bool { return ids(get(t, s, service.Request{})) == "one" })
}

// eventually waits until something is so.
func eventually(t *testing.T, within time.Duration, is func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not come about within %s", within)
		}
	}
}
