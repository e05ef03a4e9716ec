package toolcall

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/effect"
)

// Limits of one analysis; what is over them becomes an opaque effect with the event too_large.
const (
	MaxCommandSize = 128 << 10 // bytes of one command
	MaxCommands    = 10000     // simple commands, counting every turn of a loop
	MaxEffects     = 5000
	MaxDepth       = 24  // scripts inside scripts: bash -c, eval, functions, substitutions
)

// Analyze says what a tool call would do. Input is the JSON object of the tool's arguments as the client sends it.
func Analyze(env *Env, tool string, input []byte) *effect.Analysis {
	a := newTrace(env, tool)
	a.guarded(func() { a.tool(tool, input) })
	return a.finish()
}

// AnalyzeCommand says what a shell command would do when the Bash tool runs it.
func AnalyzeCommand(env *Env, command string) *effect.Analysis {
	a := newTrace(env, "Bash")
	a.guarded(func() { a.bash(command) })
	return a.finish()
}

// Failed is the reason of the effect that stands for an analysis which broke off by a mistake of its own.
const Failed = "could not be analysed because the analysis itself failed"

// guarded turns a panic into an opaque effect that is asked about: a mistake here must never let a call pass.
func (a *analyzer) guarded(analyse func()) {
	defer func() {
		if recover() != nil {
			a.within = nil
			a.opaque(a.span(0, len(a.source)), Failed, effect.OpaqueExecution)
		}
	}()
	analyse()
}

// analyzer collects the effects of one call.
type analyzer struct {
	env      *Env
	toolName string
	effects  []effect.Effect
	// content is what files that the call itself writes are known to hold.
	content map[string]flow
	// calling are the names of the functions being run, to find those that call themselves.
	calling  []string
	commands int
	// privileged is above zero inside sudo and its kind.
	privileged int
	depth      int
	nesting    int
	// within is the span of the outer command while a script inside it is analysed.
	within *effect.Span
	// source is the text that offsets point into.
	source string
	// cut is what source became for the parser while literal texts are left out of it.
	cut *cutCommand
	// cutFrom is the size from which on a literal text is cut out.
	cutFrom int
	full    bool
	// staged are the paths that the call adds to git.
	staged []string
	// stages is how much of what is pending the call adds to git, asked for how much git was asked already.
	stages, asked staging
	// swaps counts how often git was asked what a change of the working tree does.
	swaps int
	// links are the links that the call makes: where each leads to.
	links map[string]string
	// worktrees are the folders that the call makes work trees of.
	worktrees []string
	// scripts are those on disk that the call runs.
	scripts scripts
	rooms   *rooms
}

// rooms are the parts of the analysis that call one another.
type rooms struct {
	// find returns the handler of a program by its name, or nil.
	find func(name string) handler
	// dispatch follows a program that is called with arguments.
	dispatch func(a *analyzer, argv []value, span effect.Span, sc *scope, io streams) flow
	// shell follows a text as a shell does and returns its output.
	shell func(a *analyzer, text string, sc *scope, stdin flow) flow
}

// find returns the handler of a program by its name, or nil.
func (a *analyzer) find(name string) handler { return a.rooms.find(name) }

// dispatch follows a program that is called with arguments and returns its output.
func (a *analyzer) dispatch(argv []value, span effect.Span, sc *scope, io streams) flow {
	return a.rooms.dispatch(a, argv, span, sc, io)
}

// script follows a text as a shell does and returns its output.
func (a *analyzer) script(text string, sc *scope, stdin flow) flow {
	return a.rooms.shell(a, text, sc, stdin)
}

func newAnalyzer(rooms *rooms, env *Env, tool string) *analyzer {
	e := Env{}
	if env != nil {
		e = *env
	}
	return &analyzer{env: e.withDefaults(), toolName: tool, cutFrom: cutFrom, rooms: rooms}
}

func (a *analyzer) finish() *effect.Analysis {
	a.settleScripts()
	a.markComplex()
	a.inWorktrees()
	if a.effects == nil {
		a.effects = []effect.Effect{}
	}
	return &effect.Analysis{Tool: a.toolName, Effects: a.effects, Scripts: a.scripts.read}
}

// emit adds an effect and returns a pointer that is good until the next one is added.
func (a *analyzer) emit(e effect.Effect) *effect.Effect {
	if len(a.effects) >= MaxEffects {
		a.overflow("has more than 5,000 effects")
		return &effect.Effect{}
	}
	if e.Script == 0 {
		e.Script = a.scripts.current()
	}
	a.effects = append(a.effects, e)
	return &a.effects[len(a.effects)-1]
}

// opaque adds what cannot be known, with the reason.
func (a *analyzer) opaque(span effect.Span, reason string, events ...effect.Event) {
	a.emit(effect.Effect{Kind: effect.Opaque, Span: span, Reason: reason, Events: events})
}

// overflow notes once that a limit was met: from here on nothing more is looked at.
func (a *analyzer) overflow(reason string) {
	if a.full {
		return
	}
	a.full = true
	a.effects = append(a.effects, effect.Effect{
		Kind: effect.Opaque, Events: []effect.Event{effect.TooLarge}, Reason: "the command " + reason + "; the rest of it was not analysed",
		Span: a.span(0, len(a.source)), Script: a.scripts.current(),
	})
}

// spanText is how much of a span is shown.
const spanText = 160

func (a *analyzer) span(start, end int) effect.Span {
	if a.within != nil {
		return *a.within
	}
	end = min(max(end, 0), len(a.source))
	start = min(max(start, 0), end)
	return effect.Span{Start: start, End: end, Text: shorten(a.source[start:end])}
}

// spanOf is where a part of the script stands.
func (a *analyzer) spanOf(from, to syntax.Pos) effect.Span {
	return a.span(a.cut.offset(int(from.Offset())), a.cut.offset(int(to.Offset())))
}

func shorten(s string) string {
	if len(s) <= spanText {
		return s
	}
	return strings.ToValidUTF8(s[:spanText], "") + "…"
}

// complexFiles is the number of files in one call from which on it counts as a complex operation.
const complexFiles = 10

// markComplex finds calls that write many files, or the backend and the frontend in one go.
func (a *analyzer) markComplex() {
	files := map[string]bool{}
	sides := map[string]bool{}
	for i := range a.effects {
		e := &a.effects[i]
		if (e.Kind != effect.Write && e.Kind != effect.Delete) || e.Path == "" || e.Script > 0 || len(files) > complexFiles {
			continue
		}
		files[e.Path] = true
		if side := sideOf(e.Path); side != "" {
			sides[side] = true
		}
	}
	if len(files) > complexFiles || len(sides) > 1 {
		last := &a.effects[len(a.effects)-1]
		last.Note("writes more than ten files, or backend and frontend together", effect.ComplexOp)
	}
}

// sideOf says whether a path belongs to the backend or the frontend by the names of its folders.
func sideOf(path string) string {
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "backend", "server", "workers", "orchestrator":
			return "backend"
		case among(segment, "frontend client hitl_ui hitl-ui webapp"):
			return "frontend"
		}
	}
	return ""
}
