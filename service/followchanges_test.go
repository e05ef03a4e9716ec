package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
)

// The type "followed" has a server whose store changes, and counts the answers that came from memory.
type followed struct {
	*storedProject
	ctx    context.Context
	server *service.Service
	stores map[string]*live.TenantStore
	hits   int
}

func newFollowed(t *testing.T, files map[string]string, user, tenant string) *followed {
	t.Helper()
	f := &followed{storedProject: newStoredProject(t, files), ctx: t.Context(), stores: map[string]*live.TenantStore{}}
	if user != "" {
		f.user(user)
	}
	if tenant != "" {
		f.ctx = service.ForTenant(f.ctx, tenant)
	}
	create(t, f.tenantStore(tenant), instruction("first", "First."))
	f.server = service.New(service.Options{
		Env: f.env, Now: func() time.Time { return time.Now().Add(time.Hour) }, Dir: f.root, Memory: true,
		Open: f.opener(false), OnRequest: func(fromMemory bool) {
			if fromMemory {
				f.hits++
			}
		},
	})
	t.Cleanup(func() { check(t, f.server.Close()) })
	opened, owner, err := f.server.Owner(t.Context())
	check(t, err)
	for _, project := range []string{"", owner.ProjectID, "elsewhere"} {
		f.stores[project] = opened.For(live.Caller{Tenant: tenant, Actor: "ann", ProjectID: project})
	}
	if len(f.stores) != 3 {
		t.Fatal("the project has no id")
	}
	return f
}

// answers() returns a text with all answers of a service about the project.
func (f *followed) answers(s *service.Service) string {
	f.t.Helper()
	list, notices, err := s.InForce(f.ctx, "")
	check(f.t, err)
	out := []any{list, notices}
	for i := range list {
		text, err := guideline.Encode(&list[i].Guideline)
		check(f.t, err)
		out = append(out, string(text))
	}
	for _, r := range []service.Request{
		{Context: guideline.Context{Agent: "agent-1"}},
		{Context: guideline.Context{Agent: "agent-2", Domain: "P01"}, Prompt: "ask agent-3 to implement it"},
	} {
		a, err := s.GetContext(f.ctx, r)
		check(f.t, err)
		out = append(out, a)
	}
	text, err := json.MarshalIndent(out, "", " ")
	check(f.t, err)
	return string(text)
}

// sameAsReadAgain checks that the server's answers equal the answers of a new server, which has just read everything.
func (f *followed) sameAsReadAgain(where string) {
	f.t.Helper()
	fresh := f.server.WithSharedStores(service.Options{
		Env: f.env, Now: func() time.Time { return time.Now().Add(time.Hour) }, Dir: f.root, Memory: true,
	})
	if got, want := f.answers(f.server), f.answers(fresh); got != want {
		f.t.Fatalf("%s:\ngot  %s\nwant %s", where, got, want)
	}
}

// change() changes the guideline with the given id in a random way.
func (f *followed) change(random *rand.Rand, of *live.TenantStore, id string) string {
	f.t.Helper()
	g := instruction(id, fmt.Sprint("Text ", random.IntN(100)))
	g.Priority, g.Enabled = random.IntN(5), random.IntN(4) > 0
	g.Condition.Agents = []string{fmt.Sprint("agent-", random.IntN(4))}
	if random.IntN(4) == 0 {
		g.Condition.Agents = nil
	}
	g.Locked = of.ProjectID() == "" && random.IntN(8) == 0
	now, err := of.Get(f.t.Context(), id)
	switch {
	case store.CodeOf(err) == store.NotFound:
		_, err = of.Create(f.t.Context(), g)
		check(f.t, err)
		return "create"
	case err != nil:
		return "nothing" // the id is in another project
	case random.IntN(3) == 0 && !now.Locked:
		check(f.t, of.Delete(f.t.Context(), live.Ref{ID: id, Version: now.Version}))
		return "delete"
	}
	if g.Version = now.Version; g.Locked {
		g.Enabled = now.Enabled
	}
	_, err = of.Update(f.t.Context(), g)
	check(f.t, err)
	return "update"
}

// The test changes guidelines with different ids. Some ids also occur in a file, in a rule of the client or in a pack,
// and others occur only in the store.
func TestAServerThatFollowsItsStoreAnswersAsIfItReadEverythingAgain(t *testing.T) {
	files := map[string]string{
		".claude/guardrails/a.yaml": rule("filed", "action: {type: instruction, instruction: Filed.}"),
		".claude/rules/client.md":   "---\nid: client\ntools_denied: [\"Bash(rm *)\"]\n---\nNever use rm.\n",
	}
	ids := []string{"filed", "client", "agent-loop", "first", "one", "two", "three", "four", "five", "six", "seven"}
	for name, c := range map[string]struct{ user, tenant string }{
		"without settings of the user":    {"", ""},
		"with settings of the user":       {"packs: []\n", ""},
		"for a caller of another tenant":  {"packs: []\n", "other"},
		"with a locked layer of the user": {"packs: []\nlocked: true\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFollowed(t, files, c.user, c.tenant)
			random := rand.New(rand.NewPCG(1, uint64(len(name))))
			projects := []string{"", "", "", "elsewhere"}
			for project := range f.stores {
				if project != "" && project != "elsewhere" {
					projects = append(projects, project)
				}
			}
			for round := range 60 {
				project := projects[random.IntN(len(projects))]
				id := ids[random.IntN(len(ids))]
				done := f.change(random, f.stores[project], id)
				f.sameAsReadAgain(fmt.Sprintf("round %d: %s %q of the project %q", round, done, id, project))
			}
		})
	}
}

func TestAServerFollowsAChangeWithoutReadingEverythingAgain(t *testing.T) {
	f := newFollowed(t, nil, "packs: []\n", "")
	f.answers(f.server)
	f.hits = 0
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 20 {
		f.change(random, f.stores[""], fmt.Sprint("g", i%7))
		f.answers(f.server)
	}
	if f.hits != 60 {
		t.Errorf("%d of 60 answers came from memory", f.hits)
	}
}

func TestManyChangesAtOnceAreReadAgain(t *testing.T) {
	f := newFollowed(t, nil, "packs: []\n", "")
	f.answers(f.server)
	f.hits = 0
	list := make([]guideline.Guideline, 300)
	for i := range list {
		list[i] = instruction(fmt.Sprint("g", i), "Text.")
	}
	_, err := f.stores[""].Import(t.Context(), list, store.ImportOptions{})
	check(t, err)
	f.sameAsReadAgain("after an import")
	if f.hits != 2 { // the first of three answers did not come from memory
		t.Errorf("%d answers came from memory, want 2", f.hits)
	}
}

// The file of the last known guidelines is large, so it is written after the answer.
func TestManyGuidelinesAreSavedInTheBackgroundAndBeforeTheServerEnds(t *testing.T) {
	f := newFollowed(t, nil, "packs: []\n", "")
	list := make([]guideline.Guideline, 2500)
	for i := range list {
		list[i] = instruction(fmt.Sprintf("g%04d", i), "Text.")
	}
	_, err := f.stores[""].Import(t.Context(), list, store.ImportOptions{})
	check(t, err)
	f.answers(f.server)
	create(t, f.stores[""], instruction("newest", "The newest."))
	f.answers(f.server)
	check(t, f.server.Close())
	check(t, os.Remove(filepath.Join(f.data, "guardrails.db")))
	a := getContext(t, f.newService(false), service.Request{})
	if a.Fallback == nil || a.Fallback.Guidelines != 2502 {
		t.Errorf("the last known guidelines are %+v, want 2502", a.Fallback)
	}
}
