package flags

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Effective returns the arguments, but leaves out the flags that have no effect. If an argument turns off a trial run,
// the earlier flags that turn on the trial run have no effect. Examples are "--dry-run --no-dry-run", "--dry-run=false"
// and "--dry-run false". Effective also leaves out the argument that turns off the trial run, unless that argument
// begins with --no-.
func Effective(args []trace.Value) []trace.Value {
	undone, negated := 0, false
	for i := range args {
		name, value, has := strings.Cut(args[i].Text, "=")
		switch {
		case !strings.HasPrefix(name, "-") || !isTrial(name):
		case strings.HasPrefix(name, "--no-"):
			undone, negated = i+1, true
		case has && isOff(value):
			undone = i + 1
		case !has && i+1 < len(args) && isOff(args[i+1].Text):
			undone = i + 2
		}
	}
	if undone == 0 {
		return args
	}
	var out []trace.Value
	for i, v := range args {
		taken := i < undone && (isTrial(v.Text) && !strings.HasPrefix(v.Text, "--no-") || i > 0 && i+1 == undone && isOff(v.Text))
		if i < undone && negated && len(v.Text) > 1 && v.Text[0] == '-' && v.Text[1] != '-' {
			v.Text = strings.ReplaceAll(v.Text, "n", "")
			taken = taken || v.Text == "-"
		}
		if !taken {
			out = append(out, v)
		}
	}
	return out
}

// isTrial reports whether an argument turns a trial run on or off.
func isTrial(text string) bool {
	name, _, _ := strings.Cut(text, "=")
	name = strings.TrimPrefix(strings.TrimLeft(name, "-"), "no-")
	return text[:min(1, len(text))] == "-" && name == words.Among(name, "dry-run dryrun dry_run dryRun DryRun")
}

func isOff(value string) bool {
	value = strings.ToLower(value)
	return value == words.Among(value, "false none no off 0")
}
