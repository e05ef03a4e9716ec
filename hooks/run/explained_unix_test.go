//go:build unix

package run_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// notExplained reports whether a row must be skipped when the answers of the hook and of "guardrails explain" are
// compared. The answers differ if the guardrails program is broken, or if the row is about the hook's process and its
// stdin.
func notExplained(r *row) bool {
	for _, begin := range []string{"the command line", "the hook ", "stdin is 64 MiB", "stdin is more than", "stdin never", "stdin stays", "stdin cannot", "stdout ", "a hook was killed", "a hundred hooks"} {
		if strings.HasPrefix(r.what, begin) {
			return true
		}
	}
	return false
}

// wantExplained compares the hook's answer to each call with the answer of explain.
func (m *machine) wantExplained(r *row, s *scenario, tried []probe, answers map[string]reply) {
	m.t.Helper()
	if notExplained(r) {
		return
	}
	for _, p := range tried {
		if p.hook != "enforce" || p.args != nil || p.name == "after" {
			continue
		}
		var flags []string
		if r.what == "the project is deleted" {
			// After the project is deleted, only the session's cache still has the guidelines that the hook uses.
			flags = []string{"--session", p.name}
		}
		decision, said := m.explain(s, p, flags...)
		if a := answers[p.name]; slices.Contains([]string{"allow", "warn"}, decision) != (a.verdict() == "pass") || a.verdict() != "pass" && a.verdict() != decision {
			m.t.Errorf("%s: the hook answered %s (%s), explain says %s", p.name, a.verdict(), a.reason, said)
		}
	}
}

// explain() runs "guardrails explain" with the document that the hook of a probe received.
func (m *machine) explain(s *scenario, p probe, flags ...string) (decision, said string) {
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
	var v struct{ Decision, Reason string }
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		m.t.Errorf("%s: explain says %v: %s%s", p.name, err, out.String(), errs.String())
	}
	return v.Decision, v.Decision + ": " + v.Reason + errs.String()
}
