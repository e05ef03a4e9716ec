package trace

import (
	"path"
	"slices"
	"strings"

	"guardrails/detect/effect"
)

// The limits on the scripts that one call runs. Scripts beyond a limit are not analyzed.
const (
	MaxScriptSize = 64 << 10 // bytes of one script
	MaxScripts    = 16       // runs of scripts
	maxScriptText = 256 << 10
)

// tooMany is the reason why a script beyond the limit of MaxScripts is not analyzed.
const tooMany = "comes after 16 other scripts, which is the limit"

// The type "scripts" holds the scripts on disk that a call runs. The scripts are analyzed like the text of "bash
// -c". Each effect of a script contains the number of the script, because decisions treat the effects of scripts
// differently from the effects of the call itself.
type scripts struct {
	Read []effect.Script
	// The field "running" lists the scripts under analysis. The innermost script is the last one.
	running []runningScript
	runs    int
	size    int
	// The field "unread" says why the last script could not be read although it exists. It is empty if there is no
	// such script. The field "copies" maps the path of each copied script to the path of its original.
	unread string
	copies map[string]string
	// The field "inserted" holds the texts that the call puts into a file on disk.
	inserted map[string][]string
	// The field "closed" is set after a script was too large to analyze. No other script is read after that.
	closed bool
	// The field "configured" is the folder of the last downloaded script "configure" that the call has run.
	configured string
}

// runningScript is a script under analysis. The number of the first script is 1. The target is empty unless the script
// is a file with several targets, such as a makefile.
type runningScript struct {
	number int
	target string
}

// Current returns the number of the script under analysis, or 0 for the call itself.
func (s *scripts) Current() int {
	if len(s.running) == 0 {
		return 0
	}
	return s.running[len(s.running)-1].number
}

// LeaveAll makes new effects belong to the call itself rather than to a script. The caller ends this state by calling
// the returned function. LeaveAll is for a command in the arguments of a script, because the person who reviewed the
// script has not seen these arguments.
func (s *scripts) LeaveAll() func() {
	running := s.running
	s.running = nil
	return func() { s.running = running }
}

// find() returns the number of a script that was already read, or 0.
func (s *scripts) find(path string) int {
	for i := range s.Read {
		if s.Read[i].Path == path {
			return i + 1
		}
	}
	return 0
}

func (s *scripts) runsAlready(script runningScript) bool {
	for _, running := range s.running {
		if running == script {
			return true
		}
	}
	return false
}

// ScriptAt reads the script at a place and returns its number. It returns 0 if it does not read the script. It does not
// read a file that the call itself has written, because the content of that file is already known. It does not read a
// file that exists only in a container. It also does not read a file of the system, because an agent cannot have
// written such a file.
func (t *Trace) ScriptAt(p *Place) int {
	s := &t.Scripts
	s.unread = ""
	if source, ok := s.copies[p.Name]; ok {
		p = &Place{Name: p.Name, Abs: source, Zone: p.Zone}
	}
	if t.Env.Script == nil || strings.HasPrefix(p.Abs, ContainerPrefix) || p.Partial || p.Glob || p.Abs == "" ||
		p.Secret || p.Zone == System || p.Zone == Device {
		return 0
	}
	if _, written := t.Content[p.Name]; written {
		return 0
	}
	if s.closed {
		s.unread = "comes after a script that is too long"
		return 0
	}
	if n := s.find(p.Abs); n > 0 {
		t.Spend(len(s.Read[n-1].Text))
		return n
	}
	if len(s.Read) >= MaxScripts {
		s.unread = tooMany
		return 0
	}
	text, ok := t.Env.Script(p.Abs, MaxScriptSize)
	t.Spend(stepsOfFile + len(text)/bytesOfStep)
	switch {
	case isProgram(string(text)):
		return 0
	case !ok && len(text) > 0, len(text) > MaxScriptSize:
		s.unread = "is larger than 64 KiB"
	case !ok:
		return 0
	case s.size+len(text) > maxScriptText:
		s.unread = "exceeds 256 KiB together with the other scripts"
	case isPacked(string(text)):
		s.unread = "is not a text"
	}
	if s.unread != "" {
		return 0
	}
	s.size += len(text)
	s.Read = append(s.Read, effect.Script{Path: p.Abs, Text: string(text)})
	return len(s.Read)
}

// CommandsIn analyzes a file with commands for the program in the parameter c, such as a file of sed commands.
func (t *Trace) CommandsIn(c *Command, v Value, analyze func(inner *Command, text string)) {
	if p := t.Place(v, c.Scope); !t.TextAt(c, &p, analyze) {
		t.NotAnalyzed(c, &p, Other)
	}
}

// TextAt analyzes the text of a file that the call has written or that is on disk. It returns false if the text is
// unknown.
func (t *Trace) TextAt(c *Command, p *Place, analyze func(inner *Command, text string)) bool {
	if f, ok := t.Content[p.Name]; ok && f.Known {
		analyze(c, f.Text)
		return true
	}
	return t.FromDisk(c, p, analyze)
}

// BringIn notes that the call fills a folder with files from elsewhere, such as the members of an archive.
func (t *Trace) BringIn(c *Command, folder Value) {
	if folder.Text == "" || folder.Partial {
		return
	}
	t.BroughtIn = append(t.BroughtIn, t.Place(folder, c.Scope).Abs)
}

// Downloaded is a method that reports whether a file that the call uses may come from a download. The call must have
// downloaded something before, and the file must be missing on disk and be in a folder that the call has unpacked or
// cloned.
func (t *Trace) Downloaded(c *Command, p *Place) bool {
	t.Spend(len(t.BroughtIn) + c.Run/4)
	return slices.ContainsFunc(t.BroughtIn, func(dir string) bool { _, inside := Below(p.Abs, dir); return inside }) &&
		slices.ContainsFunc(t.Effects[:min(c.Run, len(t.Effects))], func(e effect.Effect) bool { return e.Kind == effect.Fetch }) &&
		(t.Env.Missing == nil || t.Env.Missing(p.Abs))
}

// RunsHere does the same as RunsNew, for a program such as cargo that runs files of the current folder. These files are
// not analyzed one by one. The parameter "name" is a path in that folder, such as "./Cargo.toml". If the call has
// run "configure" in the same folder, RunsHere adds nothing, because RunsNew allows that script.
func (t *Trace) RunsHere(c *Command, name string) bool {
	p := t.Place(Value{Text: name}, c.Scope)
	return t.Downloaded(c, &p) && t.Scripts.configured != path.Dir(p.Abs) && t.RunsNew(c, &p)
}

// RunsNew adds an opaque effect if the call runs a script that is not on disk yet. An earlier command of the same call
// writes, unpacks or clones this script. Nobody can have reviewed such a script, so a person must approve the call.
// RunsNew returns false if the script does not come from the call. Scripts named "configure" are an exception, because
// they come with every archive of sources.
func (t *Trace) RunsNew(c *Command, p *Place) bool {
	if _, copied := t.Scripts.copies[p.Name]; copied {
		return false
	}
	t.Spend(len(t.BroughtIn))
	how := " has written"
	if slices.ContainsFunc(t.BroughtIn, func(dir string) bool { _, inside := Below(p.Abs, dir); return inside }) {
		how = " has downloaded or unpacked"
	} else if !t.Writes(p.Name, c.Run) {
		return false
	}
	if t.Env.Script == nil || p.Partial || p.Glob {
		return false
	}
	if BaseName(p.Name) == "configure" {
		t.Scripts.configured = path.Dir(p.Abs)
		return false
	}
	t.mayHide(c, "runs the script "+p.Name+", which the same command"+how)
	return true
}

// Writes reports whether the call writes the file with this name. It looks only at the first effects of the call. The
// parameter "effects" is the number of effects that it looks at.
func (t *Trace) Writes(name string, effects int) bool {
	effects = min(effects, len(t.Effects))
	t.Spend(effects / 4)
	return slices.ContainsFunc(t.Effects[:effects], func(e effect.Effect) bool {
		return e.Kind == effect.Write && !e.Inert && e.Path == name
	})
}

func isProgram(text string) bool {
	for _, magic := range [...]string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\xce\xfa\xed\xfe"} {
		if strings.HasPrefix(text, magic) {
			return true
		}
	}
	return false
}

// isPacked reports whether a file holds code that is not text, such as an archive or an interpreter's compiled code.
func isPacked(text string) bool {
	return strings.Contains(text, "PK\x03\x04") || strings.HasPrefix(text, "\x1f\x8b") ||
		strings.Count(text, "\x00") > 8+len(text)*3/4
}

// cleaned() returns the text of a script in the form in which an interpreter reads it. It removes a byte order mark and
// NUL bytes, and replaces bytes that are not UTF-8 with a question mark.
func cleaned(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\xff\xfe")
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	return strings.ToValidUTF8(text, "?")
}

// InputNotAnalyzed does the same as NotAnalyzed for a script that an interpreter reads from its input.
func (t *Trace) InputNotAnalyzed(c *Command, file string, lang Language) {
	p := t.placeOf(file)
	t.NotAnalyzed(c, &p, lang)
}

// NotAnalyzed adds an effect for a script that was not analyzed. A person must approve the call if the script exists
// but was not read. A person must also approve the call if the call itself has made the script, unless the script is
// JavaScript. A bundler usually makes such JavaScript files. Generated JavaScript and scripts named "configure" or
// "libtool" are often large. For these scripts, NotAnalyzed adds only an opaque effect without an event.
func (t *Trace) NotAnalyzed(c *Command, p *Place, lang Language) {
	name := p.Name
	reason := "runs the script " + name + ", which was not analyzed"
	why := t.Scripts.unread
	t.Scripts.unread = ""
	base := BaseName(name)
	bundle := lang == Script && (IsRegenerable(name) || strings.Contains(name, "vendor/") || strings.Contains(name, "yarn") ||
		strings.Contains(base, "bundle") || strings.Contains(base, ".min.") || strings.HasSuffix(base, ".cjs"))
	if why == "" && lang != Script && t.RunsNew(c, p) {
		return
	}
	if why == "" || bundle && strings.HasPrefix(why, "is larger") || base == "configure" || base == "libtool" {
		t.Unanalyzed(c.Span, reason)
		return
	}
	t.mayHide(c, reason+", because it "+why)
}

// NoteCopy remembers that the call copies a file. If the copy runs as a script, the original is read.
func (t *Trace) NoteCopy(from, to Value, sc *Scope) {
	if target := t.Place(to, sc); !target.Partial {
		t.noteCopy(from, target.Name, sc)
	}
}

// NoteReplacement does the same as NoteCopy for a copy that replaces an existing file.
func (t *Trace) NoteReplacement(from, to Value, sc *Scope) {
	if target, source := t.Place(to, sc), t.Place(from, sc); !target.Partial {
		if f, ok := t.Content[source.Name]; ok {
			t.NoteReplaced(target.Name, f)
		} else if !source.Secret {
			t.NoteReplaced(target.Name, Flow{Taint: FromFile})
		}
	}
	t.NoteCopy(from, to, sc)
}

// NoteCopyInside does the same as NoteCopy for a copy in a container. The parameter "inside" is the path of the
// copy.
func (t *Trace) NoteCopyInside(from Value, inside string, sc *Scope) {
	t.noteCopy(from, ContainerPrefix+path.Clean(inside), sc)
}

func (t *Trace) noteCopy(from Value, target string, sc *Scope) {
	source := t.Place(from, sc)
	if source.Partial || source.Glob || len(t.Scripts.copies) >= MaxScripts {
		return
	}
	if f, ok := t.Content[source.Name]; ok {
		t.RememberPart(target, f)
		return
	}
	for name, f := range Clone(t.Content) {
		if below, ok := strings.CutPrefix(name, source.Name+"/"); ok {
			t.Remember(target+"/"+below, f)
		}
	}
	if first, ok := t.Scripts.copies[source.Name]; ok {
		source.Abs = first
	}
	t.Scripts.copies = Clone(t.Scripts.copies)
	t.Scripts.copies[target] = source.Abs
}

// maxInserted limits the number of files whose inserted text is remembered.
const maxInserted = 16

// Inserts is a method that remembers a text that the call puts into a file, for example by replacing something. If the
// file runs as a script later in the call, the inserted text is analyzed after the file's own text. The place in the
// file where the call has inserted the text does not matter.
func (t *Trace) Inserts(v Value, sc *Scope, text string) {
	p := t.Place(v, sc)
	if text = strings.TrimSpace(text); text == "" || p.Partial || len(t.Scripts.inserted) >= maxInserted {
		return
	}
	if content, written := t.Content[p.Name]; written && content.Known {
		t.Append(p.Name, Flow{Text: "\n" + text + "\n", Known: true})
		return
	}
	inserted := Clone(t.Scripts.inserted)
	inserted[p.Name] = append(inserted[p.Name][:len(inserted[p.Name]):len(inserted[p.Name])], text)
	t.Scripts.inserted = inserted
}

// Original returns the path of the original if a place is a copy of a file. Otherwise, it returns the path of the
// place.
func (s *scripts) Original(p *Place) string {
	if source, ok := s.copies[p.Name]; ok {
		return source
	}
	return p.Abs
}

// FromDisk analyzes the script at a place. It returns false if the script cannot be read. It calls analyze() with the
// text of the script and a copy of the command. The copy has its own effect in the trace. So the events that analyze()
// adds to this copy belong to the script.
func (t *Trace) FromDisk(c *Command, p *Place, analyze func(inner *Command, text string)) bool {
	return t.FromDiskTarget(c, p, "", analyze)
}

// FromDiskTarget does the same as FromDisk for one target of a file with several targets, such as a makefile.
func (t *Trace) FromDiskTarget(c *Command, p *Place, target string, analyze func(inner *Command, text string)) bool {
	number := t.ScriptAt(p)
	script := runningScript{number, target}
	if number == 0 || t.Scripts.runsAlready(script) {
		return false
	}
	if t.Scripts.runs >= MaxScripts {
		if target == "" {
			t.Scripts.unread = tooMany
		}
		return false
	}
	t.Scripts.runs++
	t.Scripts.running = append(t.Scripts.running, script)
	defer func() { t.Scripts.running = t.Scripts.running[:len(t.Scripts.running)-1] }()
	first, commands, steps, calling := len(t.Effects), t.Commands, t.Steps, t.Calling
	inner := *c
	inner.Run, t.Calling = first, nil
	t.Emit(effect.Effect{Kind: effect.Run, Command: t.withTilde(JoinArgs(c.Argv)), Data: true, Span: c.Span, Inert: true})
	analyze(&inner, cleaned(t.Scripts.Read[number-1].Text))
	if target == "" {
		for _, text := range t.Scripts.inserted[p.Name] {
			analyze(&inner, text)
		}
	}
	t.Calling = calling
	if t.Full {
		t.giveUpScript(first, commands, steps)
		t.mayHide(c, "runs the script "+p.Name+", which is too long to be analyzed whole")
	}
	return true
}

// mayHide adds an opaque effect that a person must approve. The effect belongs to the call itself, even if a script
// runs the command. Otherwise, a reviewed script could hide commands after the point where the analysis stopped.
func (t *Trace) mayHide(c *Command, reason string) {
	e := t.Emit(effect.Effect{Kind: effect.Opaque, Span: c.Span, Reason: reason, Events: []effect.Event{effect.OpaqueExecution}})
	e.Script = 0
}

// giveUpScript lets the analysis continue after a script that was too large. It keeps only the effects of the script
// that have events.
func (t *Trace) giveUpScript(first, commands, steps int) {
	t.Full, t.Commands, t.Steps, t.Scripts.closed = false, commands, max(steps, MaxSteps/2), true
	kept := t.Effects[:first]
	for _, e := range t.Effects[first:] {
		if len(e.Events) > 0 {
			kept = append(kept, e)
		}
	}
	t.Effects = kept[:min(len(kept), MaxEffects-1)]
}

// dropUnknownEvents goes through the effects of scripts. It removes each event that only says that something is
// unknown. Reading a script must not be the reason why a person has to approve the call. If an effect still has other
// events, the path of the script is added to its reason.
func dropUnknownEvents(t *Trace) {
	if len(t.Scripts.Read) == 0 {
		return
	}
	for i := range t.Effects {
		e := &t.Effects[i]
		if e.Script == 0 || len(e.Events) == 0 {
			continue
		}
		e.Drop(effect.OpaqueExecution, effect.TooLarge)
		if len(e.Events) > 0 && e.Reason != "" {
			e.Reason += ", in the script " + t.display(t.Scripts.Read[e.Script-1].Path)
		}
	}
}
