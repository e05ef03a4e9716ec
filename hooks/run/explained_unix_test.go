//go:build unix

package run_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notExplained returns the rows of docs/decisions.md for which the answers of the hook and of "guardrails explain" are
// not compared, each with the reason.
func notExplained() map[string]string {
	const (
		sameProgram = "explain is a command of the program that is broken in this row"
		ownProcess  = "the row is about the process of the hook"
		ownStreams  = "explain reads its own stdin, to the end and at most 8 MiB, and has its own stdout"
	)
	return map[string]string{
		"stdin is 64 MiB":                                                  ownStreams,
		"stdin is more than 64 MiB":                                        ownStreams,
		"stdin never ends":                                                 ownStreams,
		"stdin stays open after the document":                              ownStreams,
		"stdin cannot be read":                                             ownStreams,
		"stdout cannot be written to":                                      ownStreams,
		"the command line is missing":                                      sameProgram,
		"the command line is not executable":                               sameProgram,
		"the command line hangs":                                           sameProgram,
		"the command line fails":                                           sameProgram,
		"the command line is killed":                                       sameProgram,
		"the command line prints text that is not an answer":               sameProgram,
		"the command line answers in a format that the hook does not know": sameProgram,
		"the command line is missing, and the cache is good":               sameProgram,
		"the hook crashes":                                                 ownProcess,
		"the hook gives no answer":                                         ownProcess,
	}
}

func TestEveryRowThatIsNotExplainedExists(t *testing.T) {
	missing := notExplained()
	for _, r := range rows(t) {
		delete(missing, r.what)
	}
	for what := range maps.Keys(missing) {
		t.Errorf("no row %q", what)
	}
}

// wantExplained compares the hook's answer to each call with the answer of explain.
func (m *machine) wantExplained(r *row, s *scenario, tried []probe, answers map[string]reply) {
	m.t.Helper()
	if notExplained()[r.what] != "" {
		return
	}
	for _, p := range tried {
		// With --strict, the hook blocks a call that it cannot check. The command explain does not know how the client's
		// settings start the hook.
		unchecked := slices.Contains([]string{"asks", "asks about changes"}, r.call)
		if p.hook != "enforce" || p.args != nil && unchecked || p.name == "after" {
			continue
		}
		var flags []string
		if r.what == "the project is deleted" {
			// After the project is deleted, only the session's cache still has the guidelines that the hook uses.
			flags = []string{"--session", p.name}
		}
		if a, v := answers[p.name], m.explain(s, p, flags...); !v.isAnswer(&a) {
			m.t.Errorf("%s: the hook answered %s (%s), explain says %+v", p.name, a.verdict(), a.reason, v)
		}
	}
}

// explained is the answer of "guardrails explain".
type explained struct {
	Decision, Guideline, Reason string
	stderr                      string
}

// isAnswer reports whether a hook's answer has the same decision and the same reason. The reason names the guideline
// that decides.
func (v *explained) isAnswer(a *reply) bool {
	switch v.Decision {
	case "allow":
		return a.verdict() == "pass"
	case "warn":
		return a.verdict() == "pass" && strings.Contains(a.context, v.Reason)
	}
	return a.verdict() == v.Decision && withoutCode.ReplaceAllString(a.reason, "") == v.Reason &&
		strings.Contains(v.Reason, v.Guideline)
}

// withoutCode matches the sentence that only the hook adds to a refusal.
var withoutCode = regexp.MustCompile(` A person can allow it once: guardrails allow-once [A-Z0-9]{8}\.`)

// explain() runs "guardrails explain" with the document that the hook of a probe received.
func (m *machine) explain(s *scenario, p probe, flags ...string) *explained {
	m.t.Helper()
	doc := p.doc(m, p.name)
	if s.document != nil {
		s.document(doc)
	}
	var stdin io.Reader = bytes.NewReader(encoded(m.t, doc))
	if s.send != nil {
		stdin = s.send(m, encoded(m.t, doc))
	}
	var out, errs bytes.Buffer
	c := m.program("guardrails", stdin, append([]string{"explain", "--payload", "-", "-o", "json"}, flags...)...)
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run() // the command fails with exit code 3 if the call is denied
	v := &explained{stderr: errs.String()}
	if err := json.Unmarshal(out.Bytes(), v); err != nil {
		m.t.Errorf("%s: explain says %v: %s%s", p.name, err, out.String(), errs.String())
	}
	return v
}
