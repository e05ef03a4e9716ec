package detect_test

import (
	"context"
	"errors"
	"testing"

	"guardrails/detect"
)

type fakeModel struct {
	answer detect.Answer
	err    error
	asked  int
}

func (m *fakeModel) Classify(context.Context, string) (detect.Answer, error) {
	m.asked++
	return m.answer, m.err
}

func TestModelIsCalledOnlyIfWordsDoNotDecide(t *testing.T) {
	for prompt, want := range map[string]int{
		"make it nice":                  1,
		"test the ui of the worker":     1,
		"build and test":                1,
		"test the ui":                   0,
		"the ui":                        0,
		"test":                          0,
		"":                              0,
		" \n":                           0,
		"<task-notification> all done.": 0,
	} {
		m := &fakeModel{}
		build(t, detect.Options{Model: m}).Detect(t.Context(), prompt)
		if m.asked != want {
			t.Errorf("%q: asked %d times, want %d", prompt, m.asked, want)
		}
	}
}

func TestModelFillsOnlyOpenFields(t *testing.T) {
	full := detect.Answer{Domain: "P11", Action: "design"}
	for _, c := range []struct {
		about, prompt  string
		answer         detect.Answer
		err            error
		domain, action string
	}{
		{"nothing matched", "make it nice", full, nil, "P11", "design"},
		{"a domain of the user's", "make it nice", detect.Answer{Domain: "billing"}, nil, "billing", "default"},
		{"the session's default", "make it nice", detect.Answer{Domain: "home"}, nil, "home", "default"},
		{"domains compete", "test the ui of the worker", full, nil, "P11", "test"},
		{"actions compete", "build and test the ui", full, nil, "P05", "design"},
		{"no opinion", "make it nice", detect.Answer{}, nil, "home", "default"},
		{"failure", "make it nice", full, errors.New("offline"), "home", "default"},
		{"invented domain", "make it nice", detect.Answer{Domain: "p11", Action: "design"}, nil, "home", "default"},
		{"invented action", "make it nice", detect.Answer{Domain: "P11", Action: "dance"}, nil, "home", "default"},
	} {
		t.Run(c.about, func(t *testing.T) {
			d := build(t, detect.Options{
				Domains: map[string][]string{"billing": {"invoice"}},
				Default: detect.Default{Domain: "home", Action: "default"},
				Model:   &fakeModel{answer: c.answer, err: c.err},
			})
			if r := d.Detect(t.Context(), c.prompt); r.Domain != c.domain || r.Action != c.action {
				t.Errorf("domain %q, action %q; want %q, %q", r.Domain, r.Action, c.domain, c.action)
			}
		})
	}
}

func TestResultStaysAmbiguousIfTheModelDecides(t *testing.T) {
	m := &fakeModel{answer: detect.Answer{Domain: "P01"}}
	if r := build(t, detect.Options{Model: m}).Detect(t.Context(), "the ui of the worker"); !r.Ambiguous || r.Domain != "P01" {
		t.Errorf("%+v", r)
	}
}
