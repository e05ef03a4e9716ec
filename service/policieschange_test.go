package service_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
)

// policyChanges returns the numbers of rules in the audit entries about changed policies, oldest first.
func policyChanges(t *testing.T, of *live.TenantStore) string {
	t.Helper()
	var out []string
	for e, err := range of.Entries(t.Context(), store.AuditFilter{Kind: store.KindChange, Event: store.PoliciesChanged}) {
		check(t, err)
		if len(e.Changes) != 3 || !strings.Contains(string(e.Changes[0].New), "guardrails-policies.yaml") || e.Actor != "guardrails" {
			t.Errorf("%+v", e)
		}
		out = append(out, string(e.Changes[2].Old)+"-"+string(e.Changes[2].New))
	}
	return strings.Join(out, " ")
}

func TestEachChangeOfThePoliciesInForceIsInTheAudit(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	const two = onePolicy + "  - {name: b, actions: [{type: stop}]}\n"
	p := newStoredProject(t, map[string]string{config.File: "tenant: acme\npacks: []\n", name: onePolicy})
	of := p.tenantStore("acme")
	end := startUpkeep(t, p.server())
	has := func(want string) {
		t.Helper()
		eventually(t, time.Minute, func() bool { return policyChanges(t, of) == want })
	}
	has("0-1")
	p.write(name, two)
	has("0-1 1-2")
	p.write(name, onePolicy)
	has("0-1 1-2 2-1")
	end()

	check(t, os.Remove(p.path(name)))
	for range 2 { // two servers of one project
		defer startUpkeep(t, p.server())()
	}
	has("0-1 1-2 2-1 1-0")
	p.write(name, two)
	has("0-1 1-2 2-1 1-0 0-2")
}

func TestABrokenPolicyFileIsNoChangeOfThePoliciesInForce(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n", name: onePolicy})
	of, s := p.tenantStore(""), p.server()
	for i, text := range []string{onePolicy, "version: 1\nrules: [{}]\n", onePolicy, onePolicy + "  - {name: b, actions: [{type: stop}]}\n"} {
		p.write(name, text)
		p.checked(s, "hello")
		check(t, s.RecordPolicies(t.Context()))
		if got, want := policyChanges(t, of), []string{"0-1", "0-1", "0-1", "0-1 1-2"}[i]; got != want {
			t.Errorf("after text %d: got %q, want %q", i, got, want)
		}
	}
}

// onePolicy is a policy file with one rule.
const onePolicy = policies + "  - {name: a, actions: [{type: stop}]}\n"

func TestAChangeOfThePoliciesIsRecordedOnceTheStoreCanBeOpened(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n", ".claude/guardrails-policies.yaml": onePolicy})
	for _, c := range []struct {
		name   string
		fails  error
		report bool
	}{
		{"the store cannot be opened", errors.New("the disk is away"), true},
		{"there is no store", live.ErrNoStore, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &storedProject{p.project, filepath.Join(t.TempDir(), "guardrails")}
			p.vars["XDG_DATA_HOME"] = filepath.Dir(p.data)
			of, fails, later := p.tenantStore(""), c.fails, time.Duration(0)
			s := service.New(service.Options{
				Env: p.env, Now: func() time.Time { return time.Now().Add(later) }, Dir: p.root, Memory: true,
				Open: func(ctx context.Context, settings *config.Config) (*live.Store, error) {
					if fails != nil {
						return nil, fails
					}
					return p.opener(false)(ctx, settings)
				},
			})
			defer func() { check(t, s.Close()) }()
			p.checked(s, "hello")
			if err := s.RecordPolicies(t.Context()); (err != nil) != c.report {
				t.Errorf("got the error %v", err)
			}
			fails, later = nil, time.Hour
			check(t, s.RecordPolicies(t.Context()))
			if got := policyChanges(t, of); got != "0-1" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestAChangeOfAPolicyFileIsRecordedForEachProjectThatUsesIt(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "tenant: a\npacks: []\n", "../guardrails-policies.yaml": onePolicy})
	p.user("safety: {policies: " + filepath.ToSlash(p.path("../guardrails-policies.yaml")) + "}\n")
	tenants := map[string]*live.TenantStore{"a": p.tenantStore("a"), "b": p.tenantStore("b")}
	s := p.server()
	_, err := s.PoliciesInForce(t.Context(), "")
	check(t, err)
	p.inAnotherProject(func() {
		p.write(config.File, "tenant: b\npacks: []\n")
		_, err := s.PoliciesInForce(t.Context(), p.root)
		check(t, err)
	})
	check(t, s.RecordPolicies(t.Context()))
	for tenant, of := range tenants {
		if got := policyChanges(t, of); got != "0-1" {
			t.Errorf("the audit of the tenant %s has %q", tenant, got)
		}
	}
}

func TestAServerThatStartsWithABrokenPolicyFileRecordsThatNoRuleApplies(t *testing.T) {
	const name = ".claude/guardrails-policies.yaml"
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n"})
	of := p.tenantStore("")
	for i, text := range []string{onePolicy, "version: 1\nrules: [{}]\n", onePolicy} {
		p.write(name, text)
		s := p.server()
		p.checked(s, "hello")
		check(t, s.RecordPolicies(t.Context()))
		if got, want := policyChanges(t, of), []string{"0-1", "0-1 1-0", "0-1 1-0 0-1"}[i]; got != want {
			t.Errorf("after text %d: got %q, want %q", i, got, want)
		}
	}
}

// Two computers can have different files at the same path, for example in a folder of each user.
func TestProjectsOfOneTenantHaveTheirOwnVersionsOfAPolicyFile(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "project: one\npacks: []\n"})
	file := p.path("../guardrails-policies.yaml")
	p.user("safety: {policies: " + filepath.ToSlash(file) + "}\n")
	of := p.tenantStore("")
	p.inAnotherProject(func() { p.write(config.File, "project: two\npacks: []\n") })
	record := func(text string) {
		t.Helper()
		check(t, os.WriteFile(file, []byte(text), 0o600))
		s := p.server()
		_, err := s.PoliciesInForce(t.Context(), "")
		check(t, err)
		check(t, s.RecordPolicies(t.Context()))
	}
	for range 2 {
		record(onePolicy)
		p.inAnotherProject(func() { record(policies + "  - {name: other, actions: [{type: stop}]}\n") })
	}
	if got := policyChanges(t, of); got != "0-1 0-1" {
		t.Errorf("got %q", got)
	}
}

func TestTheLastVersionOfAPolicyFileIsFoundBehindManyChangesOfOtherFiles(t *testing.T) {
	p := newStoredProject(t, map[string]string{
		config.File: "project: one\npacks: []\n", ".claude/guardrails-policies.yaml": onePolicy,
	})
	of := p.tenantStore("")
	record := func() {
		t.Helper()
		s := p.server()
		p.checked(s, "hello")
		check(t, s.RecordPolicies(t.Context()))
	}
	record()
	var others []store.Entry
	for i := range store.MaxPageSize {
		others = append(others, store.Entry{
			ID: "other" + strconv.Itoa(i), Kind: store.KindChange, Event: store.PoliciesChanged, Actor: "guardrails",
			Time: time.Now().Add(2 * time.Hour), ProjectID: "one",
			Changes: []store.FieldChange{
				{Field: "path", New: []byte(`"/other/guardrails-policies.yaml"`)}, {Field: "hash"}, {Field: "rules", New: []byte("9")},
			},
		})
	}
	_, err := of.Append(t.Context(), others...)
	check(t, err)
	p.write(".claude/guardrails-policies.yaml", onePolicy+"  - {name: b, actions: [{type: stop}]}\n")
	record()
	if !slices.Contains(strings.Fields(policyChanges(t, of)), "1-2") {
		t.Error("the audit does not have the change from 1 rule to 2 rules")
	}
}

// A store that does not answer must not keep the server from its other regular work.
func TestAStoreThatDoesNotAnswerIsAskedAboutPoliciesOnceAMinute(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "packs: []\n", ".claude/guardrails-policies.yaml": onePolicy})
	recording, later, asked := false, time.Duration(0), 0
	s := service.New(service.Options{
		Env: p.env, Now: func() time.Time { return time.Now().Add(later) }, Dir: p.root, Memory: true,
		Open: func(ctx context.Context, _ *config.Config) (*live.Store, error) {
			if recording {
				asked++
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return nil, live.ErrNoStore
		},
	})
	defer func() { check(t, s.Close()) }()
	p.checked(s, "hello")
	recording = true
	s.LimitRecording(time.Millisecond)
	for i, wait := range []time.Duration{0, time.Second, time.Minute} {
		later += wait
		err := s.RecordPolicies(t.Context())
		if want := []int{1, 1, 2}[i]; asked != want || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s after the start: asked %d times, want %d; %v", later, asked, want, err)
		}
	}
}
