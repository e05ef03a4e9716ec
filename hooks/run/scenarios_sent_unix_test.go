//go:build unix

package run_test

import (
	"bytes"
	"io"
	"os"
	"strings"

	"guardrails/hooks/run"
)

// text() returns a function that gives every hook the text s on stdin.
func text(s string) func(*machine, []byte) io.Reader {
	return func(*machine, []byte) io.Reader { return strings.NewReader(s) }
}

// changed() returns a function that gives a hook a changed document on stdin.
func changed(change func(doc []byte) []byte) func(*machine, []byte) io.Reader {
	return func(_ *machine, doc []byte) io.Reader { return bytes.NewReader(change(doc)) }
}

// withField returns a function that gives a hook its document on stdin, with an additional field at the
// end.
func withField(field string) func(*machine, []byte) io.Reader {
	return changed(func(doc []byte) []byte { return append(append(doc[:len(doc)-1], ","+field...), '}') })
}

// sentScenarios returns scenarios about the whole text that a hook reads on stdin.
func sentScenarios() map[string]scenario {
	return map[string]scenario{
		"stdin is empty":                           {send: text("")},
		"stdin is not JSON":                        {send: text("hello")},
		"stdin is a list":                          {send: text("[1]")},
		"stdin ends in the middle of the document": {send: changed(func(doc []byte) []byte { return doc[:len(doc)-3] })},
		"text follows the JSON document on stdin":  {send: changed(func(doc []byte) []byte { return append(doc, " {}"...) })},
		"stdin is nested a million levels deep":    {send: text(strings.Repeat(`{"a":`, 1<<20))},
		"a field on stdin is nested deeply":        {send: withField(`"new":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000))},
		"stdin is not UTF-8":                       {send: changed(notUTF8)},
		"stdin is 64 MiB":                          {send: changed(func(doc []byte) []byte { return filled(doc, run.MaxInput) }), only: []string{"denied"}},
		"stdin is more than 64 MiB":                {send: changed(func(doc []byte) []byte { return filled(doc, run.MaxInput+1) }), only: []string{"strict", "prompt"}},
		"stdin never ends":                         {send: neverEnding, only: []string{"denied", "strict", "after", "prompt", "stop"}, slow: true},
		"stdin stays open after the document":      {send: staysOpen},
		"stdin cannot be read":                     {send: folder},
		"there are unknown fields":                 {send: withField(`"new":{"a":[1,null]},"effort":{"level":"high"}`)},
		"optional fields are missing or null":      {send: withField(`"agent_id":null,"transcript_path":null,"permission_mode":null,"agent_type":null`)},
	}
}

// staysOpen returns a pipe that contains the whole document and stays open.
func staysOpen(m *machine, doc []byte) io.Reader {
	r, w, err := os.Pipe()
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = w.Close(); _ = r.Close() })
	if _, err := w.Write(doc); err != nil {
		m.t.Fatal(err)
	}
	return r
}

// notUTF8 puts bytes that are not UTF-8 into fields that the hooks use.
func notUTF8(doc []byte) []byte {
	doc = bytes.Replace(doc, []byte("a.ts"), []byte("a\xff\xc0.ts"), 1)
	doc = bytes.Replace(doc, []byte("a.go"), []byte("a\xff.go"), 1)
	return bytes.Replace(doc, []byte("build it"), []byte("build \xfe it"), 1)
}

// filled() extends a document to exactly size bytes.
func filled(doc []byte, size int) []byte {
	const field = `,"new":""}`
	out := append(make([]byte, 0, size), doc[:len(doc)-1]...)
	out = append(out, field[:len(field)-2]...)
	out = append(out, bytes.Repeat([]byte{'x'}, size-len(out)-2)...)
	return append(out, `"}`...)
}

// neverEnding returns a pipe that contains half a document and stays open.
func neverEnding(m *machine, doc []byte) io.Reader {
	r, w, err := os.Pipe()
	must(m.t, err)
	m.t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	_, err = w.Write(doc[:len(doc)/2])
	must(m.t, err)
	return r
}

func folder(m *machine, _ []byte) io.Reader {
	f, err := os.Open(m.work)
	must(m.t, err)
	m.t.Cleanup(func() { _ = f.Close() })
	return f
}
