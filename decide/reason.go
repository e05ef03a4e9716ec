package decide

import (
	"slices"
	"strings"
	"unicode/utf8"

	"guardrails/detect/effect"
	"guardrails/guideline/pattern"
	"guardrails/internal/document"
)

// conclude() selects the finding that decides, and writes the reason. It selects the strictest finding. If several
// findings are equally strict, it selects the finding with the highest priority.
func (j *judge) conclude() {
	d := j.decision
	if len(d.Findings) == 0 {
		return
	}
	sortFindings(d.Findings)
	d.Outcome = d.Findings[0].Outcome
	instead := j.instead(&d.Findings[0])
	d.Instead = strings.TrimPrefix(instead, "Instead: ")
	if d.Outcome == Ask {
		d.Reason = j.question()
		return
	}
	d.Reason = j.reason(&d.Findings[0], instead)
}

// sortFindings sorts pointers instead of values. The evaluator also sorts pointers, so the programs contain the sorting
// code only once.
func sortFindings(list []Finding) {
	found := slices.Clone(list)
	order := make([]*Finding, len(list))
	for i := range found {
		order[i] = &found[i]
	}
	document.Sort(order, func(a, b *Finding) int {
		if a.Outcome != b.Outcome {
			return b.Outcome.rank() - a.Outcome.rank()
		}
		return b.Guideline.Priority - a.Guideline.Priority
	})
	for i := range order {
		list[i] = *order[i]
	}
}

// reason() returns the text of a decision for the agent. It names the guideline that decides, its objection, and what
// the agent may do instead.
func (j *judge) reason(f *Finding, instead string) string {
	var b strings.Builder
	b.Grow(512)
	g := f.Guideline
	if f.Outcome == Deny {
		b.WriteString(DeniedBy(g.ID) + " " + strings.TrimRight(g.Name, ".") + ": ")
	} else {
		b.WriteString("Note from " + g.ID + " (" + g.Name + "): ")
	}
	b.WriteString(Visible(j.seen(f)))
	if instead != "" {
		b.WriteString(" " + instead)
	}
	return b.String()
}

// DeniedBy returns the first sentence of a refusal.
func DeniedBy(id string) string {
	return "Denied by " + id + "."
}

// seen() says what a guideline objects to: the effect, and the part of the call that causes the effect.
func (j *judge) seen(f *Finding) string {
	if f.Seen != "" {
		return f.Seen
	}
	what := j.action(f)
	if e := j.effectOf(f); e.Span.Text != "" && (!isPathOf(e) || !strings.Contains(what, oneLine(e.Path))) {
		what += " (in the call: " + oneLine(e.Span.Text) + ")"
	}
	if hasSubject(what) {
		return what + "."
	}
	return "the call " + what + "."
}

// isPathOf reports whether the part of the call that causes an effect is only the path of the effect. The reason already
// names this path.
func isPathOf(e *effect.Effect) bool {
	name, path, _ := strings.Cut(e.Span.Text, ": ")
	return e.Path != "" && strings.HasSuffix(path, strings.TrimPrefix(e.Path, "~")) &&
		(name == "file_path" || name == "notebook_path" || name == "path")
}

// action() describes what the call does. The text is a whole sentence if hasSubject returns true for it. Otherwise, it
// begins with a verb, such as "writes".
func (j *judge) action(f *Finding) string {
	if f.Effect < 0 && f.rest == nil {
		return "uses " + j.call.Tool
	}
	e := j.effectOf(f)
	what := shortened(j.quoteNames(e.Reason), 400)
	byPattern := f.Pattern != "" && (f.Event == "" || f.Event.IsFileEvent())
	if what == "" || byPattern || f.Allowed != nil {
		what = describe(e, j.call.Tool)
	}
	switch {
	case f.Pattern != "" && f.Outcome == Ask && e.Kind == effect.Opaque:
		return describe(e, j.call.Tool) + " (" + shortened(e.Reason, 400) +
			") and may do what the pattern " + f.Pattern + " denies"
	case f.Pattern != "" && f.Outcome == Ask:
		return describe(e, j.call.Tool) + ", an unknown path that the pattern " + f.Pattern + " may deny"
	case byPattern:
		return what + ", which the pattern " + f.Pattern + " denies"
	case f.Allowed != nil && e.Kind == effect.Opaque:
		return what + ", which no pattern can allow"
	case f.Allowed != nil && e.Unknown:
		return what + ", which is partly unknown, so no pattern can allow it"
	case f.Allowed != nil:
		return what + ", which no pattern allows here"
	}
	return what
}

func describe(e *effect.Effect, tool string) string {
	switch e.Kind {
	case effect.Read:
		return "reads " + inQuotes(e.Path)
	case effect.Write:
		return "writes " + oneLine(strings.Join(append([]string{e.Path}, e.Inside[:min(1, len(e.Inside))]...), " or "))
	case effect.Delete:
		return "deletes or moves away " + inQuotes(e.Path)
	case effect.Run:
		return "runs " + oneLine(e.Command)
	case effect.Fetch:
		return "fetches from " + oneLine(e.Host)
	case effect.Send:
		return "sends data to " + oneLine(e.Host)
	case effect.Opaque:
		return "has an unknown effect"
	}
	if e.Name != "" {
		return "uses " + tool + " for " + oneLine(e.Name)
	}
	return "uses " + tool
}

// Visible replaces characters that control a terminal, are invisible, or change the order of a text. With such
// characters, the screen could show a call that looks different from the real call, and a person could approve the real
// call by mistake.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0xad, r == 0xfeff,
			r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
			return '·'
		}
		return r
	}, s)
}

// quoteNames puts file names in a text into quotes. It quotes only names that a person could take for words of the
// question.
func (j *judge) quoteNames(text string) string {
	for i := range j.call.Effects {
		name := j.call.Effects[i].Path
		if quoted := inQuotes(name); quoted != name {
			text = strings.ReplaceAll(text, name, quoted)
		}
	}
	return text
}

// inQuotes shortens a long file name. It adds quotes if the name could be read as several words or as a question.
func inQuotes(name string) string {
	for i := range len(name) {
		if c := name[i]; len(name) > 120 || c <= ' ' || c > '~' || c == '?' {
			return `"` + strings.ReplaceAll(oneLine(name), `"`, "'") + `"`
		}
	}
	return name
}

func oneLine(s string) string { return shortened(strings.Join(strings.Fields(s), " "), 120) }

func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// maxAllowed limits how many patterns of an allow list are compared with denied patterns.
const maxAllowed = 100

// instead() returns a text that tells the agent what it may do. The result is the guideline's own text or, if there is
// none, the patterns of the allow list that no guideline denies.
func (j *judge) instead(f *Finding) string {
	if text, ok := f.Guideline.Action.Parameters["instead"].(string); ok && text != "" {
		return "Instead: " + sentence(text)
	}
	if f.Allowed == nil {
		return ""
	}
	free := slices.Clone(f.Allowed[:min(len(f.Allowed), maxAllowed)])
	for layer := range j.layers {
		j.use(layer)
		j.findCandidates(j.effectOf(f))
		free = slices.DeleteFunc(free, j.isDeniedToo)
	}
	if len(free) == 0 {
		return ""
	}
	if len(free) > 12 {
		free = append(free[:12], "…")
	}
	return "Allowed here: " + strings.Join(free, ", ") + "."
}

// sentence() adds a period to a text, unless the text already ends with a punctuation mark.
func sentence(text string) string {
	text = strings.TrimRight(text, " \t\n")
	last, _ := utf8.DecodeLastRuneInString(text)
	if strings.ContainsRune(".!?:…。！？", last) {
		return text
	}
	return text + "."
}

// isDeniedToo takes a pattern of an allow list. It reports whether the current layer denies everything that this
// pattern allows. It treats the allowed pattern as plain text. So a wildcard of a denied pattern can match a wildcard
// of the allowed pattern.
func (j *judge) isDeniedToo(text string) bool {
	allowed, err := pattern.CompileTool(text)
	if err != nil {
		return true
	}
	for n := range j.candidates {
		for _, p := range j.candidates[n].Denied {
			if !p.Everything() && deniesAll(p, allowed) {
				return true
			}
		}
	}
	return false
}

// deniesAll reports whether a denied pattern matches everything that an allowed pattern matches.
func deniesAll(denied, allowed *pattern.Tool) bool {
	if denied.Spec == pattern.NoSpec {
		return denied.MatchTool(allowed.Name)
	}
	if denied.Spec != allowed.Spec || denied.Family() != allowed.Family() {
		return false
	}
	_, inside, _ := strings.Cut(strings.TrimSuffix(allowed.String(), ")"), "(")
	switch denied.Spec {
	case pattern.PathSpec:
		return denied.MatchPath(pattern.Path{Name: strings.TrimPrefix(inside, "./")})
	case pattern.CommandSpec:
		return denied.MatchCommand(inside)
	case pattern.HostSpec:
		return denied.MatchHost(strings.TrimPrefix(inside, "domain:"))
	default:
		return denied.Name == allowed.Name && denied.MatchName(inside)
	}
}
