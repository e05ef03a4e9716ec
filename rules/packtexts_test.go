package rules_test

import (
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/rules"
)

// firstText is the text of the guideline tdd-protocol in the first version of the pack "core".
const firstText = `{"id":"tdd-protocol","name":"Tests come with the code",` +
	`"description":"Implementing and fixing need a test run before the commit.","enabled":true,"category":"tdd_protocol",` +
	`"priority":800,"condition":{"actions":["implement","code","fix","refactor"]},"action":{"type":"constraint",` +
	`"instruction":"Write a failing test first, then the code that makes it pass, then tidy up. A commit after a change to ` +
	`source files expects a test command to have run since that change.","require_tests":true}}`

// first() returns the guideline in firstText with a version and a creator, as a store returns it.
func first(t *testing.T) guideline.Guideline {
	t.Helper()
	g, err := guideline.Parse("first.json", []byte(firstText))
	if err != nil {
		t.Fatal(err)
	}
	g.Version, g.CreatedBy = 4, "ann"
	return g
}

func small(id, instruction string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: id, Enabled: true, Priority: 500, Category: guideline.Custom,
		Action: guideline.Action{Type: guideline.Instruction, Instruction: instruction},
	}
}

func TestAPackHasANewVersionWhenItsGuidelinesChange(t *testing.T) {
	first := rules.AddPackVersion("", []guideline.Guideline{small("a", "1"), small("b", "1")})
	same := rules.AddPackVersion(first, []guideline.Guideline{small("b", "1"), small("a", "1")})
	if !strings.HasPrefix(first, "version 1\na 1:") || same != first {
		t.Errorf("the first list is\n%s, and with the same guidelines\n%s", first, same)
	}
	second := rules.AddPackVersion(first, []guideline.Guideline{small("a", "2"), small("c", "1")})
	lines := strings.Split(second, "\n")
	if lines[0] != "version 2" || !strings.Contains(lines[1], " 2:") ||
		!strings.HasSuffix(lines[2], " 2:withdrawn") || !strings.HasPrefix(lines[3], "c 2:") {
		t.Errorf("a change, a withdrawn and a new guideline:\n%s", second)
	}
	if third := rules.AddPackVersion(second, []guideline.Guideline{small("a", "2"), small("c", "1")}); third != second {
		t.Errorf("a guideline is withdrawn twice:\n%s", third)
	}
	back := rules.AddPackVersion(second, []guideline.Guideline{small("a", "1"), small("b", "1")})
	if lines := strings.Split(back, "\n"); lines[0] != "version 3" || strings.Count(lines[1], ":") != 3 {
		t.Errorf("texts that come back:\n%s", back)
	}
}

func packGuideline(t *testing.T, id string) guideline.Guideline {
	t.Helper()
	g := rules.InstalledGuidelines()[id]
	if g == nil {
		t.Fatalf("the packs have no %s", id)
	}
	return g.Guideline
}

func TestOnlyTheContentDecidesWhetherAGuidelineIsThePacks(t *testing.T) {
	known := rules.KnownPackTexts()
	g := packGuideline(t, "tdd-protocol")
	g.Version, g.CreatedBy, g.TenantID, g.CreatedAt, g.UpdatedAt = 3, "ann", "shop", time.Now(), time.Now()
	if text, found := known.Find(&g); !found || !text.Current || text.Pack != "core" || text.Withdrawn() {
		t.Errorf("a copy: %+v, %v", text, found)
	}
	changes := map[string]func(*guideline.Guideline){
		"off":                         func(g *guideline.Guideline) { g.Enabled = false },
		"another priority":            func(g *guideline.Guideline) { g.Priority++ },
		"locked":                      func(g *guideline.Guideline) { g.Locked = true },
		"another id":                  func(g *guideline.Guideline) { g.ID = "mine" },
		"the id of another guideline": func(g *guideline.Guideline) { g.ID = "security-history" },
	}
	for name, change := range changes {
		other := g
		change(&other)
		if text, found := known.Find(&other); found {
			t.Errorf("%s: %+v", name, text)
		}
	}
}

func TestACopyOfAnOlderTextFollowsTheInstalledPack(t *testing.T) {
	known := rules.KnownPackTexts()
	old := first(t)
	if text, found := known.Find(&old); !found || text.Current || text.Version != 1 {
		t.Fatalf("the first text: %+v, %v", text, found)
	}
	changed, own, current := first(t), small("own", "1"), packGuideline(t, "security-history")
	changed.Enabled = false
	stored := func(g guideline.Guideline) rules.Source {
		return rules.Source{Guideline: g, Origin: rules.Origin{File: "the store"}}
	}
	followed := rules.FollowPacks([]rules.Source{stored(old), stored(changed), stored(own), stored(current)})
	if len(followed) != 4 {
		t.Fatalf("got %d guidelines", len(followed))
	}
	installed := packGuideline(t, "tdd-protocol")
	got := &followed[0]
	if got.Action.Instruction != installed.Action.Instruction || got.Version != 4 || got.CreatedBy != "ann" ||
		got.Origin.File != "pack:core.json" {
		t.Errorf("the copy is %+v", got)
	}
	if got := &followed[1]; got.Enabled || got.Action.Instruction != old.Action.Instruction {
		t.Errorf("the guideline that somebody changed is %+v", got)
	}
	for _, other := range followed[1:] {
		if other.Origin.File != "the store" {
			t.Errorf("%s comes from %s", other.ID, other.Origin.File)
		}
	}
}
