package session_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"guardrails/hooks/session"
)

func TestPlainIDsAreUsedUnchangedInFileNames(t *testing.T) {
	const id, agent = "8c5f6c1e-0b1a-4a57-9d0e-3f2a1b4c5d6e", "a1b2c3"
	for got, want := range map[string]string{
		session.Key(id, ""):                           id,
		session.Key(id, agent):                        id + ".a1b2c3",
		session.CacheName(session.Key(id, "")):        "guardrails-" + id + ".json",
		session.CacheName(session.Key(id, agent)):     "guardrails-" + id + ".a1b2c3.json",
		session.BeatName(id, "PreToolUse"):            "guardrails-" + id + ".beat-PreToolUse",
		session.LedgerName(id):                        "guardrails-" + id + ".ledger",
		session.GapName(id):                           "guardrails-" + id + ".gap",
		session.AskName(id, "toolu_01AbC"):            "guardrails-" + id + ".ask-toolu_01AbC",
		session.DeniedName(id, "K7QX"):                "guardrails-" + id + ".denied-K7QX",
		session.GrantName(id, "K7QX"):                 "guardrails-" + id + ".allow-K7QX",
		session.Key(strings.Repeat("a", 64), "_-Z09"): strings.Repeat("a", 64) + "._-Z09",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// hostileIds returns ids with which a file name could point to another folder.
func hostileIds(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/hostile_ids.json")
	must(t, err)
	var ids []string
	must(t, json.Unmarshal(text, &ids))
	ids = append(ids, strings.Repeat("a", 65), strings.Repeat("../", 10_000), "\xff\xfe", "a\xffb", "a\xfeb")
	for _, id := range ids[:len(ids):len(ids)] {
		ids = append(ids, session.Key(id, "")) // this id is the same as the key of another id
	}
	return ids
}

func TestHostileIDsGiveSafeDistinctFileNames(t *testing.T) {
	d := folder(t)
	owner := map[string]string{}
	for _, id := range hostileIds(t) {
		for kind, name := range map[string]string{
			"cache": session.CacheName(session.Key(id, "")), "cache of an agent": session.CacheName(session.Key("s", id)),
			"beat": session.BeatName(id, "Stop"), "event": session.BeatName("s", id), "ledger": session.LedgerName(id),
			"ask": session.AskName("s", id), "denied": session.DeniedName("s", id), "grant": session.GrantName("s", id),
		} {
			if before, taken := owner[name]; taken && before != kind+id {
				t.Errorf("%q and %q have the same name: %s", before, kind+id, name)
			}
			owner[name] = kind + id
			must(t, d.Touch(name))
			if _, seen := d.Seen(name); !seen || len(name) > 200 {
				t.Errorf("the file name of %s of %q is %s", kind, id, name)
			}
		}
	}
	if got := names(t, d, "guardrails-"); len(got) != len(owner) {
		t.Errorf("%d files for %d names", len(got), len(owner))
	}
}

func FuzzKeysAreSafeAndDistinct(f *testing.F) {
	f.Add("a", "b", "a.b", "")
	f.Add("h-0", "", "", "h-0")
	f.Add("../x", "\x00", "..", "/")
	f.Fuzz(func(t *testing.T, session1, agent1, session2, agent2 string) {
		one, two := session.Key(session1, agent1), session.Key(session2, agent2)
		if (one == two) != (session1 == session2 && agent1 == agent2) {
			t.Errorf("%s and %s", one, two)
		}
		if strings.ContainsAny(one, "/\\\x00:") || strings.Contains(one, "..") || len(one) > 130 {
			t.Errorf("%q", one)
		}
	})
}
