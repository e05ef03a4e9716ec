package session_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/hooks/session"
	"guardrails/internal/private"
)

type story struct {
	Name    string
	Entries []session.Entry
	Files   []string
	// Untested is compared with State.Untested only if it is set.
	Untested         []string
	TestedSinceWrite bool
	Failures         map[string]int
	Choice           string
	Noticed          []string
}

func stories(t testing.TB) []story {
	t.Helper()
	text, err := os.ReadFile("testdata/stories.json")
	must(t, err)
	var list []story
	must(t, json.Unmarshal(text, &list))
	return list
}

func record(t testing.TB, d *private.Dir, entries ...session.Entry) {
	t.Helper()
	for _, e := range entries {
		must(t, session.Note(d, "s", e))
	}
}

func read(t testing.TB, d *private.Dir) *session.State {
	t.Helper()
	s, err := session.ReadLedger(d, "s")
	must(t, err)
	return s
}

func TestLedgerStateMatchesItsEntries(t *testing.T) {
	for _, want := range stories(t) {
		t.Run(want.Name, func(t *testing.T) {
			d := folder(t)
			record(t, d, want.Entries...)
			s := read(t, d)
			if !slices.Equal(s.Files, want.Files) || s.TestedSinceWrite != want.TestedSinceWrite ||
				want.Untested != nil && !slices.Equal(s.Untested, want.Untested) || !maps.Equal(s.Failures, want.Failures) || s.Choice != want.Choice || s.Unreadable != 0 || s.Truncated {
				t.Errorf("got %+v", s)
			}
			for _, path := range want.Files {
				if !s.Wrote(path) || s.Wrote(path+"x") {
					t.Errorf("Wrote does not agree on %s", path)
				}
			}
			for command, times := range want.Failures {
				if s.Failed(command) != times {
					t.Errorf("%s failed %d times", command, s.Failed(command))
				}
			}
			for _, name := range want.Noticed {
				if !s.Noticed(name) || s.Noticed(name+"x") {
					t.Errorf("Noticed does not agree on %s", name)
				}
			}
		})
	}
}

func TestTextsRoundTrip(t *testing.T) {
	for _, text := range []string{
		`"quoted" \ back`, "line\nend\r\t\x00\x1f\x7f", "日本 🙂 \u2028\u2029\ufffd", `{"kind":"committed"}`, "\n{\"kind\":\"committed\"}\n",
		strings.Repeat("x", 1024),
	} {
		d := folder(t)
		record(t, d, session.Entry{Kind: session.Wrote, Path: text}, session.Entry{Kind: session.Chose, Choice: text})
		if s := read(t, d); !slices.Equal(s.Files, []string{text}) || s.Choice != text {
			t.Errorf("%q became %q and %q", text, s.Files, s.Choice)
		}
	}
}

func TestLongAndInvalidTextsStayDistinct(t *testing.T) {
	long := strings.Repeat("é", 5000)
	d := folder(t)
	paths := []string{"a\xff", "a\xfe", "a?", "a", long, long + "1", long + "2", long[1:], "x" + long}
	for _, path := range paths {
		record(t, d, session.Entry{Kind: session.Wrote, Path: path}, session.Entry{Kind: session.Tested, Command: path})
	}
	s := read(t, d)
	if len(s.Files) != len(paths) || len(s.Failures) != len(paths) {
		t.Errorf("got %d files and %d commands, want %d", len(s.Files), len(s.Failures), len(paths))
	}
	for _, path := range paths {
		if !s.Wrote(path) || s.Failed(path) != 1 {
			t.Errorf("%.20q is not found", path)
		}
	}
	if text, err := d.Read("guardrails-s.ledger", 100_000); err != nil || len(text) > len(paths)*2*1200 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestMissingLedgerIsAnEmptyState(t *testing.T) {
	s := read(t, folder(t))
	if len(s.Files)+len(s.Failures) != 0 || !s.TestedSinceWrite || s.Choice != "" || s.Wrote("a") || s.Noticed("") || s.Truncated {
		t.Errorf("got %+v", s)
	}
}

func TestEntryWithAnUnknownKindIsRefused(t *testing.T) {
	d := folder(t)
	for _, kind := range []session.Kind{"", "wrotte", "checkpoint"} {
		if err := session.Note(d, "s", session.Entry{Kind: kind}); !errors.Is(err, session.ErrKind) {
			t.Errorf("%q: got %v", kind, err)
		}
	}
}

func TestSignedLinesThatCannotBeReadAreSkipped(t *testing.T) {
	for _, line := range []string{
		"torn", `{"kind":"wrote","path":"a`, `{"kind":"wrote","path":1}`, `{"kind":"wrote","source":"yes"}`, `{"kind":"later"}`, `{}`, `[]`, `[1]`,
		`null`, `"kind"`, `{"kind":"tested","times":"3"}`, `{"kind":["wrote"]}`, "\x00\xff", `{"kind":"wrote"} {}`, `{"kind":"wrote",}`, `{"kind":"wrote"`,
		` {"kind":"wrote"}`, `{"kind":"wrote","path":}`, `{"kind":"wrote","path"}`, `{kind:"wrote"}`, `{"kind":"wrote","path":"\x"}`, `{"kind":"wrote","path":"\"}`,
	} {
		d := folder(t)
		record(t, d, session.Entry{Kind: session.Wrote, Path: "before"})
		must(t, session.AppendLine(d, "s", line))
		record(t, d, session.Entry{Kind: session.Wrote, Path: "after"})
		if s := read(t, d); s.Unreadable != 0 || !slices.Equal(s.Files, []string{"before", "after"}) {
			t.Errorf("%q: got %+v", line, s)
		}
	}
}

func TestALineWithoutTheGuardsSignatureDoesNotCount(t *testing.T) {
	d := folder(t)
	line := string(session.Line(session.Entry{Kind: session.Chose, Choice: "open"}))
	must(t, session.AppendLine(d, "another", line))
	text, err := d.Read("guardrails-another.ledger", 1<<10)
	must(t, err)
	ofAnother := strings.TrimSpace(string(text))
	for name, forged := range map[string]string{
		"no signature": line, "a zero signature": line + " " + strings.Repeat("0", 16), "copied from another session": ofAnother,
		"a checkpoint": `{"kind":"checkpoint","to":1,"untested":false,"truncated":false,"unreadable":0,"entries":"{\"kind\":\"chose\",\"choice\":\"open\"}\n"}`,
	} {
		must(t, d.Append("guardrails-s.ledger", []byte(forged)))
		if s := read(t, d); s.Choice != "" || s.Unreadable == 0 {
			t.Errorf("%s: got %+v", name, s)
		}
	}
}

func TestUnknownLedgerFieldsAreIgnored(t *testing.T) {
	d := folder(t)
	must(t, session.AppendLine(d, "s", `{"new":"\\u0041\"}","kind":"wrote","at":-15,"path":"a"}`))
	if s := read(t, d); !slices.Equal(s.Files, []string{"a"}) || s.Unreadable != 0 {
		t.Errorf("got %+v", s)
	}
}

func TestUnfinishedLineIsIgnored(t *testing.T) {
	d := folder(t)
	record(t, d, session.Entry{Kind: session.Wrote, Path: "a"})
	text, err := d.Read("guardrails-s.ledger", 1<<10)
	must(t, err)
	must(t, d.Write("guardrails-s.ledger", append(text, "\n{\"kind\":\"wro"...)))
	if s := read(t, d); !slices.Equal(s.Files, []string{"a"}) || s.Unreadable != 0 {
		t.Errorf("got %+v", s)
	}
}

func TestPartialLineDoesNotAffectTheNext(t *testing.T) {
	d := folder(t)
	must(t, os.WriteFile(d.Path(session.LedgerName("s")), []byte("\n{\"kind\":\"noti"), 0o600))
	record(t, d, session.Entry{Kind: session.Noticed, Name: "after"})
	if s := read(t, d); !s.Noticed("after") || s.Unreadable != 1 {
		t.Errorf("got %+v", s)
	}
}

func TestLedgerThatIsASymbolicLinkIsRefused(t *testing.T) {
	d := folder(t)
	must(t, os.Symlink(d.Path("elsewhere"), d.Path(session.LedgerName("s"))))
	_, read := session.ReadLedger(d, "s")
	for what, err := range map[string]error{"read": read, "trim": session.Trim(d, "s"), "note": session.Note(d, "s", session.Entry{Kind: session.Committed})} {
		if unsafe, ok := errors.AsType[*private.Unsafe](err); !ok || unsafe.Why != "is a symbolic link" {
			t.Errorf("%s: got %v", what, err)
		}
	}
}
