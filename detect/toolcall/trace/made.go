package trace

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// A thing is something that the call itself has made, such as a branch, a volume or a database, but not a file. If the
// call also deletes the thing, nothing is lost.
type thing struct {
	name    string
	on      *Container
	effects int // the number of effects before the thing was made
	// The field "sure" is set if later commands need not depend on the success of the command that makes the thing.
	sure bool
}

// NoteMade records that the call has made the thing with this name. The name begins with the kind of the thing and also
// says where the thing is. If a thing with the same name exists already, a command that makes the thing fails or does
// nothing. The analysis cannot see whether the thing exists. So the last word of the name must show that the thing is
// temporary, or later commands may run only after the command that makes the thing has succeeded. If the parameter
// "mayExist" is set, the command that makes the thing succeeds even if the thing exists already.
func (t *Trace) NoteMade(name string, mayExist bool, sc *Scope) {
	sure := NamesTrial(name[strings.LastIndexByte(name, ' ')+1:])
	if name != "" && (sure || !mayExist) && !sc.CwdUnknown {
		t.made = append(t.made, thing{name: name, on: sc.Container, effects: len(t.Effects), sure: sure})
	}
}

// ForgetMade forgets all things of one kind.
func (t *Trace) ForgetMade(kind string) {
	t.made = slices.DeleteFunc(slices.Clone(t.made), func(m thing) bool { return strings.HasPrefix(m.name, kind) })
}

// InNewFolder reports whether a path is in a folder that mktemp has made in this call. It returns false if a worktree or
// another folder may be there too.
func (t *Trace) InNewFolder(abs string) bool {
	return strings.HasPrefix(abs, "/tmp/tmp.mktemp/") && !strings.Contains(t.Source, "tmp.mktemp") && len(t.Worktrees) == 0
}

// IsNumbered reports whether a name has no unknown parts except $$ and $RANDOM.
func IsNumbered(name string) bool {
	_, rest, found := strings.Cut(name, "$")
	for found {
		after, isRandom := strings.CutPrefix(rest, "RANDOM")
		switch {
		case strings.HasPrefix(rest, "$"):
			after = rest[1:]
		case !isRandom || after != "" && (after[0] == '_' || after[0]|' ' >= 'a' && after[0]|' ' <= 'z' || after[0]-'0' <= 9):
			return false
		}
		_, rest, found = strings.Cut(after, "$")
	}
	return true
}

// NamesTrial reports whether a name says that something is temporary, as "scratch" does.
func NamesTrial(name string) bool {
	name = strings.ToLower(name)
	if strings.Contains(name, "prod") {
		return false
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if words.OneOf(word, "scratch tmp temp try vtest sandbox throwaway") {
			return true
		}
	}
	number, isRequest := strings.CutPrefix(name, "pr-") // a branch for the pull request with this number
	return isRequest && strings.Trim(number, "0123456789") == "" || NamesTest(name)
}

// MadeHere reports whether an earlier command of the call has made the thing with this name. It also returns the number
// of effects that the call had before that command.
func (t *Trace) MadeHere(name string, sc *Scope) (effects int, made bool) {
	for _, m := range t.made {
		if m.name == name && m.on == sc.Container &&
			(m.sure || t.Since > 0 && m.effects >= t.Since && m.effects <= len(t.Effects) &&
				t.Effects[m.effects-1].Status == effect.StatusKept) {
			return m.effects, true
		}
	}
	return 0, false
}

// OwnAddress reports whether an address, such as redis://localhost:6399/0, names a server that the call has started.
func (t *Trace) OwnAddress(address string, sc *Scope) bool {
	if strings.ContainsAny(address, `?#,%\`) || !IsLoopback(HostOf(address)) || len(t.Tunnels) > 0 {
		return false
	}
	host, _, _ := strings.Cut(words.AfterLast(address, "://"), "/")
	port := "port " + words.AfterLast(host, ":")
	from, made := t.MadeHere(port, sc)
	for i := from; made && i < len(t.Effects) && t.Spend(1); i++ {
		e := &t.Effects[i]
		engine, order, _ := strings.Cut(e.Command, " ")
		if e.Kind == effect.Run && words.OneOf(engine, "docker podman nerdctl docker-compose") && !strings.HasPrefix(order, "exec ") &&
			!strings.HasPrefix(order, "logs ") {
			return false // the port may lead to another container by now
		}
	}
	_, sure := t.MadeHere(port+" tmp", sc)
	return made || sure
}

// HasMade reports whether the call has made something that NoteMade has recorded.
func (t *Trace) HasMade() bool { return len(t.made) > 0 }

// NoteNewFolder records a folder of the project that the call makes, if nothing is at its path yet.
func (t *Trace) NoteNewFolder(v Value, sc *Scope) {
	if t.Env.Missing == nil || v.Partial || v.Glob || sc.Container != nil {
		return
	}
	p := t.Place(v, sc)
	if p.Zone != Project || p.Guard {
		return
	}
	folder := ""
	for at := p.Abs; len(at) > len(t.Env.Root) && t.Spend(stepsOfFile) && t.Env.Missing(at); {
		folder, at = at, at[:max(0, strings.LastIndexByte(at, '/'))] // mkdir -p also makes the folders above
	}
	if folder != "" {
		t.newFolders = append(t.newFolders, folder)
	}
}

// isNew reports whether a place is a folder that the call has made, or is in such a folder.
func (t *Trace) isNew(p *Place) bool {
	for _, folder := range t.newFolders {
		if _, inside := Below(p.Abs, folder); inside {
			return true
		}
	}
	return false
}

// isRendered reports whether a folder such as report_files has the figures of a document beside it. Programs such as
// quarto make these figures again.
func (t *Trace) isRendered(p *Place) bool {
	document, ok := strings.CutSuffix(p.Abs, "_files")
	return ok && !p.Glob && t.Env.Missing != nil && t.Spend(2*stepsOfFile) &&
		(!t.Env.Missing(document+".qmd") || !t.Env.Missing(document+".Rmd"))
}

// NoteNewKey records a new key in a temporary folder. The last effect must be the write of the key. The file may have
// existed before, so later commands may run only after the command has succeeded.
func (t *Trace) NoteNewKey(sc *Scope) {
	if e := &t.Effects[len(t.Effects)-1]; e.Kind == effect.Write && effect.IsTemporaryPath(e.Path) {
		t.NoteMade("key "+e.Path+" .", e.Unknown, sc)
	}
}

// isNewKey reports whether a file with the name of a secret file holds only a key that the call has made. It returns
// false if the call has later written the file, or filled a folder that contains the file, for example from an archive.
func (t *Trace) isNewKey(p *Place, sc *Scope) bool {
	from, made := t.MadeHere("key "+p.Name+" .", sc)
	for i := from; made && i < len(t.Effects) && t.Spend(1); i++ {
		e := &t.Effects[i]
		made = e.Kind != effect.Write || e.Span == t.Effects[from-1].Span || !strings.HasPrefix(p.Name, e.Path)
	}
	return made
}
