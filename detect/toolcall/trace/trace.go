// Package trace has the state of one analysis: the Trace with its effects so far, and the commands, values, data flows,
// scopes and places that the other packages of the analysis share. Start reading at Trace.
package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/literal"
	"guardrails/detect/toolcall/words"
)

// Limits of one analysis. Beyond them, the analysis adds an opaque effect with the event too_large and stops.
const (
	MaxCommandSize = 128 << 10 // bytes of one command
	MaxCommands    = 10000     // simple commands, counted in every iteration of a loop
	MaxEffects     = 5000
	MaxDepth       = 24 // scripts inside scripts: bash -c, eval, functions, substitutions
)

// Failed is the reason of the effect when the analysis stopped because of a bug in it.
const Failed = "could not be analyzed because the analysis itself failed"

// Guard runs an analysis. If it panics, Guard adds an opaque effect that a person must approve, so that a bug in the
// analysis never lets a call pass.
func (t *Trace) Guard(analyze func()) {
	defer func() {
		if recover() != nil {
			t.Within = nil
			t.Opaque(t.Span(0, len(t.Source)), Failed, effect.OpaqueExecution)
		}
	}()
	analyze()
}

// Trace collects the effects of one call.
type Trace struct {
	Env      *Env
	toolName string
	Effects  []effect.Effect
	// Content is the known content of files that the call writes.
	Content map[string]Flow
	// Calling has the names of the functions being run, to detect functions that call themselves.
	Calling  []string
	Commands int
	// Privileged is above zero inside sudo and similar programs.
	Privileged int
	Depth      int
	Nesting    int
	// Within is the span of the outer command while a script inside it is analyzed.
	Within *effect.Span
	// Source is the text that offsets refer to.
	Source string
	// Cut is the source without its long literal texts, while the shell parser reads it.
	Cut *literal.CutCommand
	// CutFrom is the minimum size of a literal text that is cut out. Full is set after a limit was exceeded.
	CutFrom int
	Full    bool
	// Staged are the paths that the call adds to git. Stages says which other pending files it adds.
	Staged []string
	Stages Staging
	// Commits is what the call has committed so far.
	Commits Commits
	// Since is the number of the first effect, counted from one, that must succeed before the current command runs. It is
	// 0 if none must.
	Since int
	// Branch is the branch that the call has checked out, or "" if it has not checked out any.
	Branch string
	// TreeChecks counts the calls of Env.Guardless.
	TreeChecks int
	// Links has the target of each link that the call creates.
	Links map[string]string
	// Worktrees are the folders in which the call creates worktrees.
	Worktrees []string
	// Compiles is set after the call has run a compiler.
	Compiles bool
	// Scripts are the scripts on disk that the call runs.
	Scripts scripts
	// OnRow, if set, is called for each table row that determines the result for a command. Tests set it.
	OnRow     func(program, order string)
	callbacks *Callbacks
}

// Callbacks are functions of packages that import this one. All packages of the analysis can call them through a Trace.
type Callbacks struct {
	// Find returns the handler of a program by its name, or nil.
	Find func(name string) Handler
	// Dispatch analyzes a call of a program.
	Dispatch func(t *Trace, argv []Value, span effect.Span, sc *Scope, io Streams) Flow
	// Shell analyzes a text as a shell script and returns its output.
	Shell func(t *Trace, text string, sc *Scope, stdin Flow) Flow
}

// Find returns the handler of a program by its name, or nil.
func (t *Trace) Find(name string) Handler { return t.callbacks.Find(name) }

// Dispatch analyzes a call of a program and returns its output.
func (t *Trace) Dispatch(argv []Value, span effect.Span, sc *Scope, io Streams) Flow {
	return t.callbacks.Dispatch(t, argv, span, sc, io)
}

// Shell analyzes a text as a shell script and returns its output.
func (t *Trace) Shell(text string, sc *Scope, stdin Flow) Flow {
	return t.callbacks.Shell(t, text, sc, stdin)
}

// New returns the trace of one call. A nil env is the zero Env.
func New(callbacks *Callbacks, env *Env, tool string) *Trace {
	e := Env{}
	if env != nil {
		e = *env
	}
	return &Trace{Env: e.withDefaults(), toolName: tool, CutFrom: literal.CutFrom, callbacks: callbacks}
}

// Finish returns the result of the analysis.
func (t *Trace) Finish() *effect.Analysis {
	dropUnknownEvents(t)
	markComplex(t)
	addWorktreePaths(t)
	if t.Effects == nil {
		t.Effects = []effect.Effect{}
	}
	return &effect.Analysis{Tool: t.toolName, Effects: t.Effects, Scripts: t.Scripts.Read}
}

// Emit adds an effect and returns a pointer that is valid until the next effect is added.
func (t *Trace) Emit(e effect.Effect) *effect.Effect {
	if len(t.Effects) >= MaxEffects {
		t.Overflow("has more than 5,000 effects")
		return &effect.Effect{}
	}
	if e.Script == 0 {
		e.Script = t.Scripts.Current()
	}
	t.Effects = append(t.Effects, e)
	return &t.Effects[len(t.Effects)-1]
}

// Opaque adds an opaque effect with its reason.
func (t *Trace) Opaque(span effect.Span, reason string, events ...effect.Event) {
	t.Emit(effect.Effect{Kind: effect.Opaque, Span: span, Reason: reason, Events: events})
}

// Overflow adds one effect for the first limit that is exceeded. After that, nothing more is analyzed.
func (t *Trace) Overflow(reason string) {
	if t.Full {
		return
	}
	t.Full = true
	t.Effects = append(t.Effects, effect.Effect{
		Kind: effect.Opaque, Events: []effect.Event{effect.TooLarge}, Span: t.Span(0, len(t.Source)),
		Reason: "the command " + reason + "; the rest of it was not analyzed", Script: t.Scripts.Current(),
	})
}

// SpanText is the maximum length of a span's text.
const SpanText = 160

// Span returns the span of a part of the source, or the span of the outer command inside a script.
func (t *Trace) Span(start, end int) effect.Span {
	if t.Within != nil {
		return *t.Within
	}
	end = min(max(end, 0), len(t.Source))
	start = min(max(start, 0), end)
	return effect.Span{Start: start, End: end, Text: Shorten(t.Source[start:end])}
}

// Shorten cuts a text at SpanText bytes.
func Shorten(s string) string {
	if len(s) <= SpanText {
		return s
	}
	return strings.ToValidUTF8(s[:SpanText], "") + "…"
}

// complexFiles is the number of files above which a call is a complex operation.
const complexFiles = 10

// markComplex marks calls that write many files, or both the backend and the frontend.
func markComplex(t *Trace) {
	files := map[string]bool{}
	sides := map[string]bool{}
	for i := range t.Effects {
		e := &t.Effects[i]
		if (e.Kind != effect.Write && e.Kind != effect.Delete) || e.Path == "" || e.Script > 0 || len(files) > complexFiles {
			continue
		}
		files[e.Path] = true
		if side := sideOf(e.Path); side != "" {
			sides[side] = true
		}
	}
	if len(files) > complexFiles || len(sides) > 1 {
		last := &t.Effects[len(t.Effects)-1]
		last.Note("writes more than ten files, or backend and frontend together", effect.ComplexOp)
	}
}

// sideOf returns "backend" or "frontend" if a folder in the path has a typical name, and otherwise "".
func sideOf(path string) string {
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "backend", "server", "workers", "orchestrator":
			return "backend"
		case words.Among(segment, "frontend client hitl_ui hitl-ui webapp"):
			return "frontend"
		}
	}
	return ""
}

// IsCalling reports whether a function is being run.
func (t *Trace) IsCalling(name string) bool {
	for _, n := range t.Calling {
		if n == name {
			return true
		}
	}
	return false
}

// Inside runs an analysis and uses the span of the outer command for all its effects.
func (t *Trace) Inside(span effect.Span, analyze func() Flow) Flow {
	if t.Within == nil {
		t.Within = &span
		defer func() { t.Within = nil }()
	}
	return analyze()
}
