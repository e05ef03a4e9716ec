package detect_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"guardrails/detect"
)

// ownDomains returns domains with every kind of pattern. Some patterns overlap with each other or with words of the
// built-in table.
func ownDomains() map[string][]string {
	return map[string][]string{
		"past": {"order history", "c++"}, "orders": {"order"}, "log": {"histor*"}, "shop": {"frontend", "zahlung"},
		"ops": {"build worker", "a b c d"}, "bills": {"bill*"}, "cash": {"billing", "order hist*"},
	}
}

// ownForms returns all forms of the patterns that ownDomains() returns.
func ownForms() map[string][]string {
	return map[string][]string{
		"past":   {"past", "pasts", "pasted", "pasting", "order history", "order histories", "order historied", "order historying", "c++"},
		"orders": {"orders", "orderses", "ordersed", "ordersing", "order", "orders", "ordered", "orderred", "ordering", "orderring"},
		"log":    {"log", "logs", "logged", "logging", "histor*"},
		"shop": {
			"shop", "shops", "shopped", "shopping", "frontend", "frontends", "frontended", "frontending", "front end", "front ends",
			"zahlung", "zahlungs", "zahlunged", "zahlunging",
		},
		"ops": {
			"ops", "opses", "opsed", "opsing", "build worker", "build workers", "build workered", "build workerred", "build workering", "build workerring",
			"a b c d", "a b c ds", "a b c ded", "a b c ding",
		},
		"bills": {"bills", "billses", "billsed", "billsing", "bill*"},
		"cash":  {"cash", "cashes", "cashed", "cashing", "billing", "billings", "billinged", "billinging", "order hist*"},
	}
}

// subject is a detector together with the reference detector. Both must return the same results.
type subject struct {
	detector  *detect.Detector
	reference reference
}

func subjects(t testing.TB) []subject {
	w := loadWords(t)
	return []subject{
		{build(t, detect.Options{}), newReference(w, nil)},
		{build(t, detect.Options{Domains: ownDomains()}), newReference(w, ownForms())},
	}
}

func (s subject) check(t *testing.T, prompt string) {
	t.Helper()
	got := s.detector.Detect(t.Context(), prompt)
	if want := s.reference.detect(prompt); !reflect.DeepEqual(got, want) {
		t.Errorf("%q:\n got %+v\nwant %+v", prompt, got, want)
	}
	if again := s.detector.Detect(t.Context(), prompt); !reflect.DeepEqual(got, again) {
		t.Errorf("%q: first %+v, then %+v", prompt, got, again)
	}
	for _, m := range got.Matches {
		if m.Word == "" || prompt[m.Offset:m.Offset+len(m.Word)] != m.Word {
			t.Errorf("%q: %+v is not at its offset", prompt, m)
		}
	}
	for _, variant := range []string{lowerASCII(prompt), upperASCII(prompt)} {
		if r := s.detector.Detect(t.Context(), variant); r.Domain != got.Domain || r.Action != got.Action || r.Ambiguous != got.Ambiguous {
			t.Errorf("%q yields %+v, %q yields %+v", prompt, got, variant, r)
		}
	}
}

func TestAgreesWithReferenceOnRandomPrompts(t *testing.T) {
	pieces := strings.Split("worker|workers|fix|refactor|the |and |le |und |to |code|back|end|front|ui|P01|test|tests|pytest|k8s|plan|planet|build|order|history|histories|hist|bill|billing|"+
		"c++|a|b|c|d|é|\u0301|_|-|--| |  |\n|\u00a0|.|/|'s|1|s|ed|ing|\xff|\ufe0f|<task-notification>|zahlung|K|pasted|historic", "|")
	all := subjects(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		var prompt strings.Builder
		for range random.IntN(12) {
			prompt.WriteString(pieces[random.IntN(len(pieces))])
		}
		for _, s := range all {
			s.check(t, prompt.String())
		}
	}
}

func FuzzDetect(f *testing.F) {
	var examples []example
	load(f, "prompts.json", &examples)
	for _, e := range examples {
		f.Add(e.Prompt)
	}
	f.Add("order  histories, c++ a-b c\u00a0d; <Task-Notification> build workers billing\xff")
	all := subjects(f)
	f.Fuzz(func(t *testing.T, prompt string) {
		for _, s := range all {
			s.check(t, prompt)
		}
	})
}

func FuzzAcceptedPatternMatchesItself(f *testing.F) {
	for _, pattern := range []string{"billing", "bill*", "order history", " Point-of-Sale ", "c++", "é", "a\u0301", "x_y", "*", "a b c d e f", "front-end", "0 -S", "İ", "\u212a"} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		d, err := detect.New(detect.Options{Domains: map[string][]string{"target domain": {pattern}}})
		if err != nil {
			return
		}
		prompt := strings.TrimSuffix(strings.TrimSpace(pattern), "*")
		if r := d.Detect(t.Context(), prompt); r.Domain != "target domain" {
			t.Errorf("%q yields %+v", prompt, r)
		}
	})
}
