package setup

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"guardrails/setup/jsontext"
)

func (p *planner) enterHooks() error {
	d, err := p.open(p.Settings)
	if err != nil {
		return err
	}
	found, err := d.hooks()
	if err != nil {
		return err
	}
	if n := d.At("disableAllHooks"); n != nil && d.Raw(n) == "true" {
		return d.Wrong(n, "disableAllHooks", "disables every hook, so nothing would be guarded", "remove it")
	}
	d.recall(slices.ContainsFunc(found, func(e Entry) bool { return e.Ours() }))
	if p.Config == "" {
		// If there is no configuration, the existing entries decide whether the project is strict.
		p.Strict = p.Strict || slices.ContainsFunc(found, func(e Entry) bool { return e.Ours() && e.Strict() })
	}
	m := &fixer{editedFile: d}
	p.plan.entries = Wanted(p.Options)
	for i, want := range p.plan.entries {
		m.fix(hooks()[i], &want)
	}
	m.clear(p.Mask)
	if len(m.added) > 0 {
		d.say("adds the hooks of " + words(m.added))
	}
	if p.MCP && p.Server != "" {
		d.enableServer()
	}
	p.close(d)
	return nil
}

type fixer struct {
	*editedFile
	added []string
}

func (m *fixer) of(h hook) []Entry {
	all, _ := m.hooks() // all entries were read before, so there is no error
	return slices.DeleteFunc(all, func(e Entry) bool { return e.Event != h.event || e.Program() != h.program })
}

// fix() makes sure that the document has the wanted entry exactly once. If the group of our entry also has hooks of
// other products, the group keeps its matcher. If this matcher does not match all calls, our entry moves to a new
// group.
func (m *fixer) fix(h hook, want *Entry) {
	entries := m.of(h)
	keep := slices.IndexFunc(entries, func(e Entry) bool { return e.SeesEverything() || !e.Shared })
	if keep < 0 {
		keep = len(entries)
		m.add(want)
	}
	if len(entries) == 0 {
		if !slices.Contains(m.added, h.event) {
			m.added = append(m.added, h.event)
		}
		return
	}
	// The loop goes backwards, because removing an entry changes the positions of the later entries.
	for i := range slices.Backward(entries) {
		if i != keep {
			m.drop(&entries[i])
		}
	}
	m.renew(&m.of(h)[0], want)
}

func (m *fixer) add(want *Entry) {
	switch list := (jsontext.List{want.newGroup()}); {
	case m.At("hooks", want.Event) != nil:
		m.keepSpaces("hooks", want.Event)
		m.Append(list[0], "hooks", want.Event)
	case m.At("hooks") != nil:
		m.keepSpaces("hooks")
		m.Set(want.Event, list, "hooks")
	default:
		m.Set("hooks", jsontext.Object{{Name: want.Event, Value: list}})
	}
}

func (m *fixer) drop(e *Entry) {
	if e.SeesEverything() {
		m.say(fmt.Sprintf("%s: removes the second entry (line %d)", e.Event, e.Line))
	} else {
		m.say(m.narrow(e))
	}
	m.dropHook(e)
}

func (*fixer) narrow(e *Entry) string {
	return fmt.Sprintf("%s: the matcher %q (line %d) covered only some calls; it now covers all",
		e.Event, e.Matcher, e.Line)
}

// clear() removes those of our entries that no hook needs. The argument "mask" says whether personal data is
// masked.
func (m *fixer) clear(mask bool) {
	all, _ := m.hooks()
	for _, e := range slices.Backward(all) {
		fits := func(h hook) bool { return e.Event == h.event && e.Program() == h.program }
		if e.Masks() && !mask {
			m.say(fmt.Sprintf("%s: removes %s (line %d), because masking is switched off", e.Event, e.Program(), e.Line))
			m.dropHook(&e)
			m.prune("hooks", e.Event)
		} else if e.Ours() && !slices.ContainsFunc(hooks(), fits) {
			m.say(fmt.Sprintf("%s: removes %s (line %d), because it belongs to another event", e.Event, e.Program(), e.Line))
			m.dropHook(&e)
			m.prune("hooks", e.Event)
		}
	}
}

// renew() fixes an entry in place. It corrects the matcher of its group and every wrong value.
func (m *fixer) renew(have, want *Entry) {
	group := []any{"hooks", have.Event, have.group}
	if !have.SeesEverything() {
		m.say(m.narrow(have))
		if want.Matcher == "" {
			m.Remove(append(group, "matcher")...)
		} else {
			m.Set("matcher", want.Matcher, group...)
		}
	}
	switch differences := have.differences(want); {
	case have.Direct() != want.Direct():
		m.say(fmt.Sprintf("%s: %s (line %d)", have.Event, want.instead(), have.Line))
	case len(differences) > 0:
		m.say(fmt.Sprintf("%s: corrects %s (line %d)", have.Event, words(differences), have.Line))
	default:
		return
	}
	m.Replace(want.value(), append(group, "hooks", have.index)...)
}

// instead() returns words for a message about an entry that replaces another entry. The words say what the new entry
// does.
func (e *Entry) instead() string {
	if e.Direct() {
		return "calls the server instead of the program"
	}
	return "runs the program instead of calling the server"
}

// differences() returns the names of the values in which an entry differs from the wanted entry.
func (e *Entry) differences(want *Entry) []string {
	var out []string
	note := func(differs bool, what string) {
		if differs {
			out = append(out, what)
		}
	}
	if want.Direct() {
		note(!reflect.DeepEqual(e.Input, want.Input), "the input")
	} else {
		note(e.Command != want.Command && want.Args != nil, "the program's path")
		note(e.Command != want.Command && want.Args == nil, "the command")
		note((e.Args == nil) != (want.Args == nil) || !slices.Equal(e.Args, want.Args), "the arguments")
	}
	note(e.Timeout != want.Timeout, fmt.Sprintf("the timeout of %v s", e.Timeout))
	note(e.OnFailure != want.OnFailure, "onFailure")
	for _, other := range e.Others {
		note(true, fmt.Sprintf("%q", other))
	}
	return out
}

// words() joins a list with commas, and the last two items with "and".
func words(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

func packWords(packs []string) string {
	switch len(packs) {
	case 0:
		return "no pack"
	case 1:
		return "the pack " + packs[0]
	}
	return "the packs " + words(packs)
}
