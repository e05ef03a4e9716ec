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
	"guardrails/hooks"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/store/live"
	"guardrails/store/open"
)

// storedProject is a project with a database in the user's data folder.
type storedProject struct {
	*project
	data string
}

func newStoredProject(t *testing.T, files map[string]string) *storedProject {
	t.Helper()
	p := newProject(t, files)
	p.vars["XDG_DATA_HOME"] = filepath.Join(filepath.Dir(p.root), "data")
	return &storedProject{p, filepath.Join(p.vars["XDG_DATA_HOME"], "guardrails")}
}

func newUsersProject(t *testing.T, settings string) *storedProject {
	t.Helper()
	p := newStoredProject(t, nil)
	p.user(settings)
	return p
}

func (p *storedProject) env(name string) string { return p.vars[name] }

// opener() returns a function that opens the store that the settings name, in the same way as the programs do.
func (p *storedProject) opener(create bool) func(context.Context, *config.Config) (*live.Store, error) {
	return func(ctx context.Context, c *config.Config) (*live.Store, error) {
		return open.Open(ctx, c, open.Options{Env: p.env, Now: time.Now, Make: create, Mask: hooks.Mask})
	}
}

// server() returns a service with a memory, as servers use it. Commands use a service without a memory.
func (p *storedProject) server() *service.Service { return p.newService(true) }

func (p *storedProject) newService(memory bool) *service.Service {
	s := service.New(service.Options{
		Env: p.env, Now: func() time.Time { return time.Now().Add(time.Hour) }, Dir: p.root,
		Memory: memory, Open: p.opener(false),
	})
	p.t.Cleanup(func() { check(p.t, s.Close()) })
	return s
}

// tenantStore opens the database a second time, as another process would, and returns the store of a tenant.
func (p *storedProject) tenantStore(tenant string) *live.TenantStore {
	p.t.Helper()
	c, err := p.opener(true)(p.t.Context(), &config.Config{})
	check(p.t, err)
	p.t.Cleanup(func() { check(p.t, c.Close()) })
	b := c.For(live.Caller{Tenant: tenant, Actor: "ann"})
	_, err = b.Heads(p.t.Context()) // the first call creates the database
	check(p.t, err)
	return b
}

func instruction(id, text string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: id, Enabled: true, Priority: 500, Category: guideline.Custom,
		Action: guideline.Action{Type: guideline.Instruction, Instruction: text},
	}
}

func create(t *testing.T, b *live.TenantStore, list ...guideline.Guideline) {
	t.Helper()
	for _, g := range list {
		_, err := b.Create(t.Context(), g)
		check(t, err)
	}
}

// forServerAndCommand runs a test twice: once with one service for all requests, as in a server, and once with a new
// service for each request, as in commands.
func forServerAndCommand(
	t *testing.T, test func(t *testing.T, ask func(p *storedProject, r service.Request) *service.Answer),
) {
	t.Helper()
	t.Run("server", func(t *testing.T) {
		servers := map[*storedProject]*service.Service{}
		test(t, func(p *storedProject, r service.Request) *service.Answer {
			if servers[p] == nil {
				servers[p] = p.server()
			}
			return getContext(p.t, servers[p], r)
		})
	})
	t.Run("command", func(t *testing.T) {
		test(t, func(p *storedProject, r service.Request) *service.Answer {
			return getContext(p.t, p.newService(false), r)
		})
	})
}

func TestTheStoreTakesPrecedenceOverPacksAndFiles(t *testing.T) {
	pack, err := rules.Pack("core")
	check(t, err)
	tuned := pack.Plain()[0]
	tuned.Enabled = false
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newStoredProject(t, map[string]string{
			config.File: "packs: [core]\n",
			".claude/guardrails/a.yaml": rule("mine", "action: {type: instruction, instruction: From the file.}") +
				rule("both", "action: {type: instruction, instruction: From the file.}"),
		})
		create(t, p.tenantStore(""), instruction("both", "From the store."), instruction("theirs", "From the store."), tuned)
		a := ask(p, service.Request{})
		if a.Source != service.SourceStore || a.Fallback != nil {
			t.Errorf("%s %+v", a.Source, a.Fallback)
		}
		contains(t, " "+ids(a)+" ", " mine ", " both ", " theirs ")
		lacks(t, " "+ids(a)+" ", " "+tuned.ID+" ")
		if strings.Count(a.CombinedInstruction, "From the store.") != 2 ||
			strings.Count(a.CombinedInstruction, "From the file.") != 1 {
			t.Errorf("%s", a.CombinedInstruction)
		}
		want := "guardrails: the project's definition of these guidelines is ignored, because a higher layer defines them " +
			"too: both (user)"
		if len(a.Notices) != 1 || a.Notices[0] != want {
			t.Errorf("%q", a.Notices)
		}
	})
}

func TestPacksAndFilesApplyWithoutAStore(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newStoredProject(t, map[string]string{".claude/guardrails/a.yaml": rule("mine",
			"action: {type: instruction, instruction: From the file.}")})
		if a := ask(p, service.Request{Hook: true}); a.Source != service.SourceFiles || ids(a) != "mine" ||
			a.Fallback != nil {
			t.Errorf("%s %s %+v", a.Source, ids(a), a.Fallback)
		}
		if _, err := os.Lstat(p.data); err == nil {
			t.Error("a request created a database")
		}
	})
}

func TestTenantsNeverSeeEachOther(t *testing.T) {
	forServerAndCommand(t, func(t *testing.T, ask func(*storedProject, service.Request) *service.Answer) {
		p := newStoredProject(t, map[string]string{config.File: "tenant: acme\npacks: []\n"})
		create(t, p.tenantStore("acme"), instruction("of-acme", "Acme."))
		create(t, p.tenantStore("other"), instruction("of-other", "Other."))
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

func TestAServerSeesChangesOfOthersWithinTwoSeconds(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	b := p.tenantStore("")
	s := p.server()
	create(t, b, instruction("one", "One."))
	if got := ids(getContext(t, s, service.Request{})); got != "one" {
		t.Fatalf("%s", got)
	}
	create(t, b, instruction("two", "Two."))
	eventually(t, 2*time.Second, func() bool { return ids(getContext(t, s, service.Request{})) == "one two" })
	_, err := b.Toggle(t.Context(), live.Ref{ID: "one", Version: 1})
	check(t, err)
	eventually(t, 2*time.Second, func() bool { return ids(getContext(t, s, service.Request{})) == "two" })
}

func TestAChangeThroughAServiceAppliesAtOnce(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	create(t, p.tenantStore(""), instruction("one", "One."))
	s := p.server()
	second := s.WithSharedStores(service.Options{
		Env: p.env, Now: func() time.Time { return time.Now().Add(time.Hour) }, Dir: p.root,
		Memory: true,
	})
	if got := ids(getContext(t, second, service.Request{})); got != "one" {
		t.Fatalf("%s", got)
	}
	c, tenant, err := s.Store(t.Context(), "")
	check(t, err)
	create(t, c.For(live.Caller{Tenant: tenant, Actor: "ann"}), instruction("two", "Two."))
	for _, each := range []*service.Service{s, second} {
		if got := ids(getContext(t, each, service.Request{})); got != "one two" {
			t.Errorf("%s", got)
		}
	}
}

func TestAStoreThatIsCreatedLaterIsFound(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	s := p.server()
	if got := ids(getContext(t, s, service.Request{})); got != "" {
		t.Fatalf("%s", got)
	}
	create(t, p.tenantStore(""), instruction("one", "One."))
	eventually(t, 2*time.Second, func() bool { return ids(getContext(t, s, service.Request{})) == "one" })
}

func eventually(t *testing.T, within time.Duration, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the condition is still false after %s", within)
		}
	}
}
