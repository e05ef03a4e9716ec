package session_test

import (
	"strings"
	"testing"

	"guardrails/hooks/session"
)

// whole() builds a text in the form that the service uses. Each line is given in short form, such as "deny a", "ask b",
// "task c" and "left d".
func whole(header string, lines ...string) string {
	headings := []string{"Not allowed:", "The user is asked first:", session.TaskHeading + " (review):", session.LeftOutHeading}
	out := header + strings.Repeat(" They are long.", 10)
	for i, kind := range []string{"deny ", "ask ", "task ", "left "} {
		heading := "\n\n" + headings[i]
		for _, line := range lines {
			if text, ok := strings.CutPrefix(line, kind); ok {
				out += heading + "\n- " + text
				heading = ""
			}
		}
	}
	return out
}

func TestTheModelIsToldOnlyWhatItWasNotTold(t *testing.T) {
	const adds = "guardrails adds to what it said before:"
	first := whole("Rules.", "deny a", "deny two lines\n  of text", "ask b")
	for _, c := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"nothing was told", []string{first}, first},
		{"no guidelines", []string{""}, ""},
		{"no guidelines any more for this prompt", []string{first, ""}, ""},
		{"the same", []string{first, first}, ""},
		{
			"a new line",
			[]string{first, whole("Rules.", "deny a", "deny two lines\n  of text", "deny c", "ask b", "ask d")},
			adds + "\n\nNot allowed:\n- c\n\nThe user is asked first:\n- d",
		},
		{"a line that is gone", []string{first, whole("Rules.", "deny two lines\n  of text", "ask b")}, adds + "\n\nRemoved from \"Not allowed\":\n- a"},
		{"a line of two lines is gone", []string{first, whole("Rules.", "deny a", "ask b")}, adds + "\n\nRemoved from \"Not allowed\":\n- two lines\n  of text"},
		{
			"a line changed its heading",
			[]string{first, whole("Rules.", "deny a", "deny two lines\n  of text", "deny b")},
			adds + "\n\nNot allowed:\n- b\n\nRemoved from \"The user is asked first\":\n- b",
		},
		{
			"a line of the task",
			[]string{first, whole("Rules.", "deny a", "deny two lines\n  of text", "ask b", "task c")},
			adds + "\n\nFor this task (review):\n- c",
		},
		{
			"the task is over",
			[]string{first + "\n\nFor this task:\n- c", first},
			"",
		},
		{
			"the task comes back",
			[]string{first + "\n\nFor this task:\n- c", first, first + "\n\nFor this task:\n- c\n- d"},
			adds + "\n\nFor this task:\n- d",
		},
		{"an outage", []string{first, "No rules."}, "No rules."},
		{"an outage goes on", []string{first, "No rules.", "No rules."}, ""},
		{"an outage is over", []string{first, "No rules.", first}, whole("Rules.")},
		{"an outage at the start", []string{"No rules.", first}, first},
		{
			"lines are left out",
			[]string{first, whole("Rules.", "ask b", "left a")},
			adds + "\n\nLeft out for lack of space:\n- a",
		},
		{"everything changed", []string{first + whole("", "ask "+strings.Repeat("x", 999)), whole("Rules.", "deny x")}, whole("Rules.", "deny x")},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, got := folder(t), ""
			for _, text := range c.texts {
				got = session.OpenTold(d, "s").Add(text)
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestAfterForgetToldTheModelIsToldEverything(t *testing.T) {
	d := folder(t)
	text := whole("Rules.", "deny a")
	session.OpenTold(d, "s").Add(text)
	session.ForgetTold(d, "s")
	if got := session.OpenTold(d, "s").Add(text); got != text {
		t.Errorf("got %q", got)
	}
}

func TestManyTasksDoNotFillTheFileWithWhatWasTold(t *testing.T) {
	d := folder(t)
	for i := range 100 {
		session.OpenTold(d, "s").Add(whole("Rules.", "deny a", "task "+strings.Repeat(string(rune('a'+i%26)), 1000+i)))
	}
	text, err := d.Read(session.ToldName("s"), 1<<20)
	if err != nil || len(text) > 32<<10 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if got := session.OpenTold(d, "s").Add(whole("Rules.", "deny a")); got != "" {
		t.Errorf("got %q", got)
	}
}

func FuzzTold(f *testing.F) {
	f.Add("Rules.\n\nNot allowed:\n- a", "Rules.\n\nNot allowed:\n- b\n  c\n\nFor this task:\n- d")
	f.Add("- a", "\n\n  x\n- y\n\n\n")
	f.Fuzz(func(t *testing.T, before, now string) {
		d := folder(t)
		if got := session.OpenTold(d, "s").Add(before); got != before {
			t.Fatalf("got %q, want %q", got, before)
		}
		session.OpenTold(d, "s").Add(now)
		if got := session.OpenTold(d, "s").Add(now); got != "" && len(now) < 16<<10 && strings.TrimSpace(before) != "" && strings.TrimSpace(now) != "" {
			t.Fatalf("%q is told twice: %q", now, got)
		}
	})
}
