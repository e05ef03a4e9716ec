package flags_test

import (
	"strings"
	"testing"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
)

func values(line string) []trace.Value {
	var out []trace.Value
	for word := range strings.FieldsSeq(line) {
		out = append(out, trace.Value{Text: word})
	}
	return out
}

func texts(list []trace.Value) string {
	var out []string
	for _, v := range list {
		out = append(out, v.Text)
	}
	return strings.Join(out, " ")
}

// TestLookUp parses the arguments of each case and looks up one flag.
func TestLookUp(t *testing.T) {
	const spec = flags.Abbreviates + "?iS --force o output force-with-lease max-args -out"
	for _, c := range []struct {
		spec, args, flag string
		has              bool
		values, operands string
	}{
		{spec, "-o x y", "o output", true, "x", "y"},
		{spec, "-ox y", "o output", true, "x", "y"},
		{spec, "-vo x y", "o output", true, "x", "y"},
		{spec, "--output=x y", "o output", true, "x", "y"},
		{spec, "--outp x y", "o output", true, "x", "y"},
		{spec, "--o x y", "o output", true, "x", "y"},
		{spec, "--outp=x y", "o output", true, "x", "y"},
		{spec, "-out x y", "out", true, "x", "y"},
		{spec, "-i x", "i", true, "", "x"},
		{spec, "-ibak x", "i", true, "bak", "x"},
		{spec, "-vSkey x", "S", true, "key", "x"},
		{spec, "--force x", "force", true, "", "x"},
		{spec, "--force x", "force-with-lease", false, "", "x"},
		{spec, "--forc x", "f force", true, "", "x"},
		{spec, "--force-w x y", "force-with-lease", true, "x", "y"},
		{spec, "--recur x", "r recursive", true, "", "x"},
		{spec, "--recursively x", "r recursive", false, "", "x"},
		{spec, "--r x", "r recursive", true, "", "x"},
		{spec, "-recur x", "recursive", false, "", "x"},
		{spec, "-- --recur", "recursive", false, "", "--recur"},
		{"o output", "--outp x y", "o output", false, "", "x y"},
		{"", "--recur x", "recursive", false, "", "x"},
	} {
		o := flags.Parse(values(c.args), c.spec)
		if got := o.Has(c.flag); got != c.has {
			t.Errorf("%s: Has(%q) = %t", c.args, c.flag, got)
		}
		if got := texts(o.Values(c.flag)); got != c.values {
			t.Errorf("%s: Values(%q) = %q, want %q", c.args, c.flag, got, c.values)
		}
		if got := texts(o.Operands); got != c.operands {
			t.Errorf("%s: operands %q, want %q", c.args, got, c.operands)
		}
	}
}

// TestHasWhole checks that HasWhole does not accept the abbreviation of a flag.
func TestHasWhole(t *testing.T) {
	o := flags.Parse(values("--dry x"), flags.Abbreviates)
	if !o.Has("dry-run") || o.HasWhole("dry-run") {
		t.Error("--dry counts as --dry-run in Has alone")
	}
	o = flags.Parse(values("--dry-run -n"), flags.Abbreviates)
	if !o.HasWhole("dry-run") || !o.HasWhole("n") {
		t.Error("a whole name counts in HasWhole")
	}
}

func TestParseLeading(t *testing.T) {
	for line, want := range map[string]string{
		"-u root -n cmd -x": "cmd -x", "--user root cmd": "cmd", "--us root cmd": "cmd", "-uroot cmd": "cmd",
		"-nu root cmd": "cmd", "-u root -- -x": "-x", "- cmd": "- cmd", "-u": "", "": "",
	} {
		o, rest := flags.ParseLeading(values(line), flags.Abbreviates+"u user")
		if got := texts(rest); got != want || texts(flags.SkipLeading(values(line), flags.Abbreviates+"u user")) != want {
			t.Errorf("%s: rest %q, want %q", line, got, want)
		}
		if strings.Contains(line, "root") && texts(o.Values("u user")) != "root" {
			t.Errorf("%s: the user is %q", line, texts(o.Values("u user")))
		}
	}
}

func TestFirstOf(t *testing.T) {
	const list = flags.Abbreviates + "-a --all --set= --vacuum*"
	for arg, want := range map[string]bool{
		"-a": true, "--all": true, "--al": true, "--set=x": true, "--vacuum-size=1": true, "--vac": true, "--se=x": true,
		"-al": false, "--alles": false, "--": false, "--*": false, "all": false,
	} {
		if got := flags.FirstOf(values("x "+arg), list) == arg; got != want {
			t.Errorf("%s: %t", arg, got)
		}
	}
	if got := flags.FirstOf(values("--al"), "-a --all"); got != "" {
		t.Errorf("a program with whole names alone matched %q", got)
	}
}
