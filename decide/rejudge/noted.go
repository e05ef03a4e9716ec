// Package rejudge writes down a tool call and the facts on which its decision depends, so that the call can be judged
// again later, with other guidelines and on another computer.
//
// A hook calls Noted.Watch before it judges a call, and Noted.Append afterwards. Parse reads the text. Call.Judge
// judges the call again, and says which facts were missing. Hooks link this package.
package rejudge

import (
	"strconv"

	"guardrails/decide"
	"guardrails/guideline"
)

// Noted collects what a judgement depends on besides the guidelines and the effects of the call.
type Noted struct {
	// Layers has the task of the call for each layer.
	Layers []*guideline.Context
	// Unconfirmed is set if the hook did not compare the call's scripts with the last commit. If it had compared them, it
	// could have ignored some effects of a script.
	Unconfirmed bool
	// Unlooped is set if the hook did not check whether the agent had made the call again and again.
	Unlooped bool

	facts decide.Facts
	// The field "asked" has the facts that Judge asked for, in the form of fields of the text.
	asked []field
	// The field "names" counts the names in the field "asked". If there are more than maxNames, further facts are left out
	// and the field "leftOut" is set.
	names   int
	leftOut bool
}

type field struct {
	name  string
	texts []string
}

// The names of fields with facts. The names "folder" and "layer" are followed by a number.
const (
	agreed   = "agreed"
	branch   = "branch"
	tests    = "tests"
	session  = "session"
	changed  = "changed"
	untested = "untested"
	folder   = "folder"
	layer    = "layer"
)

// The constant "known" is the first string of a field whose list may be empty.
const known = "+"

// maxNames is the largest number of names that are noted for one call. The names are entries of folders, and files of
// the session.
const maxNames = 200

// Watch replaces the functions in f, so that n records each fact that Judge gets from them.
func (n *Noted) Watch(f *decide.Facts) {
	n.facts = *f
	if f.Agreed != nil {
		f.Agreed = n.agreed
	}
	if f.Branch != nil {
		f.Branch = n.branch
	}
	if f.Tests != nil {
		f.Tests = n.tests
	}
	if f.Session != nil {
		f.Session = n.session
	}
	if f.List != nil {
		f.List = n.list
	}
}

// note() adds a fact to n.asked unless it is already there. The function Judge can ask for the same fact several times,
// once for each layer or finding.
func (n *Noted) note(name, first string, texts []string) {
	for i := range n.asked {
		if n.asked[i].name == name {
			return
		}
	}
	if n.names += len(texts); n.names > maxNames {
		n.leftOut = true
		return
	}
	n.asked = append(n.asked, field{name, append([]string{first}, texts...)})
}

func (n *Noted) agreed() []string {
	list := n.facts.Agreed()
	n.note(agreed, known, list)
	return list
}

func (n *Noted) branch() string {
	name := n.facts.Branch()
	n.note(branch, known, []string{name})
	return name
}

func (n *Noted) tests() decide.ProjectTests {
	t := n.facts.Tests()
	n.note(tests, strconv.FormatBool(t.None), []string{t.Command})
	return t
}

func (n *Noted) session() (decide.Session, error) {
	s, err := n.facts.Session()
	if err == nil {
		n.note(changed, known, s.Changed)
		n.note(untested, known, s.Untested)
		n.note(session, strconv.Itoa(int(s.Tests)), s.Passed)
	}
	return s, err
}

// list() notes the entries of a folder. A slash after a name marks a folder, and a slash before a name marks a link.
func (n *Noted) list(name string, limit int) ([]decide.Entry, bool) {
	entries, complete := n.facts.List(name, limit)
	texts := []string{strconv.Itoa(limit), strconv.FormatBool(complete)}
	for i := range entries {
		text := entries[i].Name
		if entries[i].Folder {
			text += "/"
		}
		if entries[i].Link {
			text = "/" + text
		}
		texts = append(texts, text)
	}
	n.note(folder+strconv.Itoa(len(n.asked)), name, texts)
	return entries, complete
}
