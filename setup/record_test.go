package setup_test

import (
	"strings"
	"testing"

	"guardrails/setup"
)

func TestUninstallWithoutARecordRestoresTheMeaning(t *testing.T) {
	for before, want := range map[string]string{
		`{ "hooks" : { "Stop" : [ ] }, "a": 1 }`: `{ "a": 1 }`,
		"{ }\n":                                  "{}\n",
		" \n":                                    "{}\n",
		"{\n  \"hooks\": {\"Stop\": [{\"hooks\":[]}]}\n}": "{\n  \"hooks\": {\"Stop\": [{\"hooks\":[]}]}\n}",
	} {
		d := disk{settingsFile: before}.setUp(t, nil)
		delete(d, recordFile)
		if got := d.uninstalled(t)[settingsFile]; got != want {
			t.Errorf("%q: got %q", before, got)
		}
	}
}

func TestRecordContainsNoTextOfUsers(t *testing.T) {
	d := disk{settingsFile: `{"env": {"TOKEN": "secret"}, "hooks": {}}`, configFile: "# mine\n"}.setUp(t, nil)
	if strings.Contains(d[recordFile], "secret") || !strings.Contains(d[recordFile], `"hooks": "{}"`) {
		t.Errorf("got %s", d[recordFile])
	}
}

func TestLaterAdditionsOfOthersAreKept(t *testing.T) {
	for name, c := range map[string]struct{ before, old, added, want string }{
		"in a file created by init":   {"", "  \"hooks\": {\n", "  \"model\": \"x\",\n  \"hooks\": {\n", "{\n  \"model\": \"x\"\n}\n"},
		"in an object that was empty": {"{\"hooks\": {}}", `{"hooks": {`, `{"model": "x", "hooks": {`, "{\"model\": \"x\", \"hooks\": {}}"},
	} {
		d := disk{}
		if c.before != "" {
			d[settingsFile] = c.before
		}
		d = d.setUp(t, nil)
		d[settingsFile] = strings.Replace(d[settingsFile], c.old, c.added, 1)
		if got := d.uninstalled(t)[settingsFile]; got != c.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestRecordIsIgnoredWhenTheEntriesAreGone(t *testing.T) {
	d := disk{}.setUp(t, nil)
	d[settingsFile] = "{ }" // the user removed our entries, so the file belongs to the user
	d = d.setUp(t, nil)
	if got := d.uninstalled(t)[settingsFile]; got != "{ }" {
		t.Errorf("got %q", got)
	}
}

// The record can only restore white space, so an attacker gains nothing by changing the record.
func TestRecordCannotAddToSettings(t *testing.T) {
	const record = `{"format":1,"for":"` + settingsFile + `","files":{"` + settingsFile + `":{"blank":"{\"a\":1}","empty":{"":"{\"a\":1}","hooks":"{\"Stop\":[]}"}}}}`
	d := disk{}.setUp(t, nil)
	d[recordFile] = record
	if got := d.uninstalled(t)[settingsFile]; got != "{}\n" {
		t.Errorf("got %q", got)
	}
}

func TestUnreadableRecordIsReportedAndIgnored(t *testing.T) {
	for _, text := range []string{"", "{", `{"format":2}`, `{"format":1,"for":"/other"}`, `[]`} {
		d := disk{recordFile: text}
		o := d.project()
		next, plan := d.filesAfter(t, o)
		if len(plan.Notes) != 1 || !strings.HasPrefix(plan.Notes[0], recordFile+": is damaged or of another version") {
			t.Errorf("%q: got the notes %q", text, plan.Notes)
		}
		if next = next.uninstalled(t); len(next) != 0 {
			t.Errorf("%q: not removed: %v", text, next)
		}
	}
}

func TestNoChangeLeavesNoRecord(t *testing.T) {
	d := disk{}.setUp(t, nil)
	delete(d, recordFile)
	d[configFile] += "# mine\n"
	if again := d.setUp(t, nil); again[recordFile] != "" {
		t.Errorf("got %s", again[recordFile])
	}
	if left := (disk{"/x": "y"}).uninstalled(t); len(left) != 1 {
		t.Errorf("got %v", left)
	}
}

func TestEveryTargetHasItsOwnRecord(t *testing.T) {
	a, b := setup.RecordPath("/state", setup.ForProject("/a")), setup.RecordPath("/state", setup.ForProject("/b"))
	if a == b || !strings.HasPrefix(a, "/state/init/") {
		t.Errorf("got %s and %s", a, b)
	}
}
