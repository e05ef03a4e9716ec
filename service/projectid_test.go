package service_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/config"
	"guardrails/config/trust"
	"guardrails/decide"
	"guardrails/guideline"
	"guardrails/service"
	"guardrails/store/live"
)

// ofProject returns a copy of a guideline that belongs to the given project.
func ofProject(projectID string, g guideline.Guideline) guideline.Guideline {
	g.ProjectID = projectID
	return g
}

func (p *storedProject) fill(list ...guideline.Guideline) {
	p.t.Helper()
	for _, g := range list {
		_, err := p.tenantStore("").Create(p.t.Context(), g)
		check(p.t, err)
	}
}

func (p *project) remote(address string) {
	p.write(".git/config", "[remote \"origin\"]\n\turl = "+address+"\n")
}

const (
	shopAddress = "git@example.com:acme/shop.git"
	shop        = "example.com/acme/shop"
)

// ours() returns which of the guidelines "all", "shops" and "others" apply.
func ours(a *service.Answer) string {
	var out []string
	for _, id := range strings.Fields(ids(a)) {
		if slices.Contains([]string{"all", "shops", "others"}, id) {
			out = append(out, id)
		}
	}
	return strings.Join(out, " ")
}

func TestTheGuidelinesOfAnotherProjectDoNotApply(t *testing.T) {
	p := newStoredProject(t, nil)
	p.fill(instruction("all", "For all."), ofProject(shop, instruction("shops", "For the shop.")),
		ofProject("example.com/acme/tools", instruction("tools", "For the tools.")))
	for address, want := range map[string]string{
		shopAddress:                        "all shops",
		"https://example.com/acme/tools/":  "all tools",
		"https://example.com/acme/shop/x/": "all",
	} {
		p.remote(address)
		if a := getContext(t, p.newService(false), service.Request{}); ids(a) != want {
			t.Errorf("%s: %s apply, want %s", address, ids(a), want)
		}
	}
}

func TestAProjectsOwnGuidelineAppliesInsteadOfTheOneOfAllProjects(t *testing.T) {
	locked := instruction("locked", "For all.")
	locked.Locked = true
	p := newStoredProject(t, nil)
	p.remote(shopAddress)
	p.fill(instruction("open", "For all."), ofProject(shop, instruction("open", "For the shop.")),
		locked, ofProject(shop, instruction("locked", "For the shop.")))
	a := getContext(t, p.newService(false), service.Request{})
	contains(t, a.CombinedInstruction, "For the shop.", "For all.")
	if ids(a) != "locked open" {
		t.Errorf("%s apply", ids(a))
	}
	for id, want := range map[string]string{"open": "For the shop.", "locked": "For all."} {
		got, err := p.newService(false).Get(t.Context(), service.Lookup{ID: id})
		check(t, err)
		if got.Guideline.Action.Instruction != want {
			t.Errorf("%s says %q, want %q", id, got.Guideline.Action.Instruction, want)
		}
	}
}

func TestASettingNamesTheProject(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "project: shop\n"})
	p.remote("https://example.com/fork/shop")
	p.fill(ofProject("shop", instruction("shops", "For the shop.")))
	if a := getContext(t, p.newService(false), service.Request{}); ids(a) != "shops" || len(a.Notices) > 0 {
		t.Errorf("%s apply, with the notices %q", ids(a), a.Notices)
	}
	// Now the user has guidelines, but no person has trusted the project.
	p.fill(instruction("all", "For all."))
	if a := getContext(t, p.newService(false), service.Request{}); ids(a) != "all shops" {
		t.Errorf("%s apply", ids(a))
	}
}

func TestAProjectCannotTakeTheNameOfAMilderOne(t *testing.T) {
	p := newUsersProject(t, "locked: false\n")
	p.write(config.File, "project: sandbox\n")
	p.remote(shopAddress)
	off := ofProject("sandbox", instruction("careful", "Careful."))
	off.Enabled = false
	p.fill(instruction("careful", "Careful."), off)
	a := getContext(t, p.newService(false), service.Request{})
	if ids(a) != "careful" {
		t.Errorf("%q apply", ids(a))
	}
	contains(t, strings.Join(a.Notices, "\n"), "guardrails ignores project: "+config.NotTrusted)

	hash, err := trust.Hash(p.root)
	check(t, err)
	check(t, trust.Trust(p.env, p.root, hash, p.now))
	if a := getContext(t, p.newService(false), service.Request{}); ids(a) != "" {
		t.Errorf("trusted: %q apply", ids(a))
	}
}

func TestTheSettingsOfAUserCannotNameAProject(t *testing.T) {
	p := newUsersProject(t, "project: shop\n")
	a := getContext(t, p.newService(false), service.Request{})
	if a.Fallback == nil {
		t.Fatal("the settings are accepted")
	}
	contains(t, a.Fallback.Reason, "project: is for one project")
}

// An agent can run "git remote set-url". The new remote must not remove guidelines.
func TestAnotherRemoteDoesNotRemoveTheGuidelinesOfAProject(t *testing.T) {
	p := newStoredProject(t, nil)
	p.remote(shopAddress)
	p.fill(ofProject(shop, instruction("shops", "For the shop.")))
	if a := getContext(t, p.newService(false), service.Request{Hook: true}); ours(a) != "shops" {
		t.Fatalf("%s apply", ids(a))
	}
	p.remote("https://example.com/evil")
	for _, hook := range []bool{true, false} {
		a := getContext(t, p.newService(false), service.Request{Hook: hook})
		if ours(a) != "shops" {
			t.Errorf("%q apply", ids(a))
		}
		contains(t, strings.Join(a.Notices, "\n"), `is "example.com/evil" now, but the guidelines of "`+shop+`" still apply`)
	}
	before, err := p.newService(false).AcceptProjectID()
	check(t, err)
	a := getContext(t, p.newService(false), service.Request{Hook: true})
	if before != shop || ours(a) != "" {
		t.Errorf("after accepting, which returned %q, %q apply", before, ids(a))
	}
}

func TestAServerNoticesANewProjectID(t *testing.T) {
	p := newStoredProject(t, nil)
	p.remote(shopAddress)
	p.fill(ofProject(shop, instruction("shops", "For the shop.")), ofProject("example.com/new", instruction("others", "For the new one.")))
	s := p.server()
	getContext(t, s, service.Request{Hook: true})
	p.remote("https://example.com/new")
	if a := getContext(t, s, service.Request{Hook: true}); ours(a) != "shops" {
		t.Errorf("%q apply", ours(a))
	}
	_, err := p.newService(false).AcceptProjectID()
	check(t, err)
	if a := getContext(t, s, service.Request{Hook: true}); ours(a) != "others" {
		t.Errorf("after accepting, %q apply", ours(a))
	}
}

func TestARemoteMayChangeBeforeAProjectHasGuidelines(t *testing.T) {
	p := newStoredProject(t, nil)
	p.remote("https://example.com/old")
	p.fill(instruction("all", "For all."), ofProject(shop, instruction("shops", "For the shop.")))
	getContext(t, p.newService(false), service.Request{Hook: true})
	p.remote(shopAddress)
	a := getContext(t, p.newService(false), service.Request{Hook: true})
	if ours(a) != "all shops" || len(a.Notices) > 0 {
		t.Errorf("%s apply, with the notices %q", ids(a), a.Notices)
	}
}

func TestACallerCanNameTheProject(t *testing.T) {
	p := newStoredProject(t, nil)
	p.remote("https://example.com/server")
	p.fill(instruction("all", "For all."), ofProject(shop, instruction("shops", "For the shop.")),
		ofProject("example.com/server", instruction("servers", "For the server.")))
	s := p.server()
	for id, want := range map[string]string{"": "all servers", shop: "all shops", "unknown": "all"} {
		if a := getContext(t, s, service.Request{ProjectID: id}); ids(a) != want {
			t.Errorf("%q: %s apply, want %s", id, ids(a), want)
		}
	}
	if _, err := s.GetContext(t.Context(), service.Request{ProjectID: shop, Hook: true}); err == nil {
		t.Error("a hook may name another project")
	}
}

// Guidelines of another project must not create or remove the user's layer.
func TestGuidelinesOfAnotherProjectMakeNoUsersLayer(t *testing.T) {
	p := newStoredProject(t, map[string]string{config.File: "tenant: own\n"})
	p.fill(ofProject("example.com/other", instruction("others", "Other.")))
	a := getContext(t, p.newService(false), service.Request{})
	if len(a.Notices) > 0 || ids(a) != "" && strings.Contains(ids(a), "others") {
		t.Errorf("%s apply, with the notices %q", ids(a), a.Notices)
	}
}

func TestTheSnapshotHasTheGuidelinesOfTheProject(t *testing.T) {
	p := newStoredProject(t, nil)
	p.remote(shopAddress)
	p.fill(ofProject(shop, instruction("shops", "For the shop.")), ofProject("other", instruction("others", "Other.")))
	getContext(t, p.newService(false), service.Request{Hook: true})
	check(t, os.Rename(p.data, p.data+".away"))
	if a := getContext(t, p.newService(false), service.Request{Hook: true}); ours(a) != "shops" || a.Fallback == nil {
		t.Errorf("%q apply: %+v", ids(a), a.Fallback)
	}
}

func TestACallerOfOneProjectCannotChangeAnotherOne(t *testing.T) {
	p := newStoredProject(t, nil)
	c, err := p.opener(true)(t.Context(), &config.Config{})
	check(t, err)
	defer c.Close()
	own := c.For(live.Caller{Actor: "ann", ProjectID: shop})
	g, err := own.Create(t.Context(), instruction("one", "One."))
	check(t, err)
	if g.ProjectID != shop {
		t.Errorf("the guideline belongs to %q", g.ProjectID)
	}
	_, err = own.Create(t.Context(), ofProject("other", instruction("two", "Two.")))
	contains(t, err.Error(), `belongs to the project "other", not to "`+shop+`"`)
	if _, err := c.For(live.Caller{Actor: "ann"}).Get(t.Context(), "one"); err == nil {
		t.Error("all projects have the guideline")
	}
}

// The test judges calls from the session cache, as hooks do.
func TestARuleOfOneProjectStopsNoCallInAnotherOne(t *testing.T) {
	run := [2]string{"Bash", `{"command": "make all"}`}
	stop := guideline.Guideline{
		ID: "no-make", Name: "No make", Enabled: true, Priority: 500, Category: guideline.Custom, ProjectID: shop,
		Action: guideline.Action{Type: guideline.ToolRestriction, ToolsDenied: []string{"Bash(make:*)"}},
	}
	for _, c := range []struct {
		name, address string
		own           *guideline.Guideline
		want          decide.Outcome
	}{
		{"its own project", shopAddress, nil, decide.Deny},
		{"another clone of it", "https://example.com/acme/shop", nil, decide.Deny},
		{"another project", "https://example.com/acme/tools", nil, decide.Allow},
		{"another project with the same id", "https://example.com/acme/tools", &guideline.Guideline{
			ID: "no-make", Name: "Think", Enabled: true, Category: guideline.Custom, ProjectID: "example.com/acme/tools",
			Action: guideline.Action{Type: guideline.Instruction, Instruction: "Think."},
		}, decide.Allow},
		{"a project without a repository", "", nil, decide.Allow},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newUsersProject(t, "packs: []\n")
			p.fill(stop)
			if c.own != nil {
				p.fill(*c.own)
			}
			if c.address != "" {
				p.remote(c.address)
			}
			for _, s := range []*service.Service{p.newService(false), p.server()} {
				if d := judged(t, s, p.root, run); d.Outcome != c.want {
					t.Errorf("%s by %s, want %s", d.Outcome, d.Guideline(), c.want)
				}
			}
		})
	}
}

func TestAProjectCannotReplaceAGuidelineOfTheUsersFilesByAMilderOne(t *testing.T) {
	p := newUsersProject(t, "locked: false\n")
	p.write("../config/guardrails/guidelines/careful.yaml", "guidelines:\n  - {id: careful, name: Careful, category: custom, action: {type: instruction, instruction: Careful.}}\n")
	p.write(config.File, "project: sandbox\n")
	off := ofProject("sandbox", instruction("careful", "Careful."))
	off.Enabled = false
	p.fill(off)
	if a := getContext(t, p.newService(false), service.Request{}); ids(a) != "careful" {
		t.Errorf("%q apply", ids(a))
	}
}
