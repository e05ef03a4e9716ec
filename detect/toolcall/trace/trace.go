// Package trace holds the state of the analysis of one tool call. The type Trace contains the effects found so far.
// Commands, values, data flows, scopes and places are the types that the other packages of the analysis share. Start
// reading at Trace.
package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/literal"
	"guardrails/detect/toolcall/words"
)

// These are the limits of one analysis. If a limit is exceeded, the analysis adds an opaque effect with the event
// too_large and stops.
const (
	MaxCommandSize = 128 << 10 // bytes of one command
	MaxCommands    = 10000     // simple commands; a command in a loop counts once for each iteration
	MaxEffects     = 5000
	MaxDepth       = 24        // scripts inside scripts: bash -c, eval, functions, substitutions
	MaxSteps       = 3_500_000 // units of work, about 10 ns each
)

// The analysis counts steps instead of measuring time, so that it gives the same answer on every machine. The
// constants below say how many steps each part of an analysis takes.
const (
	StepsOfByte      = 6 // for each byte of a text that is parsed
	stepsOfCommand   = 250
	stepsOfArgument  = 20
	stepsOfHandler   = 1500
	StepsOfStatement = 40
	stepsOfEffect    = 60
	bytesOfStep      = 4  // bytes of an effect's path or command that cost one step
	bytesOfJoin      = 64 // bytes of two joined texts that cost one step
	stepsOfPlace     = 60
	// stepsOfKnownPlace is the cost of a place that was looked up shortly before.
	stepsOfKnownPlace = 10
	stepsOfGlob       = 800
	stepsOfMatch      = 400
	stepsOfGlobByte   = 8   // for each byte of a glob that is compared with a path
	maxDoubled        = 6   // a glob has at most 2^6 = 64 alternatives
	stepsOfFile       = 400 // for a file that is looked for on the disk
	stepsOfFolder     = 1500
	stepsOfName       = 20 // for each name in a folder
	// StepsOfRepository is the cost of reading several files of a repository. StepsOfGit is the cost of a call of git.
	StepsOfRepository = 2000
	StepsOfGit        = 400_000
)

// Failed is the reason of the effect that is added if a bug stops the analysis.
const Failed = "could not be analyzed because the analysis itself failed"

// Guard runs analyze(). If this function panics, Guard adds an opaque effect that a person must approve. So a bug in
// the analysis never lets a call pass.
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
	// Content holds the content of each file that the call writes, by the name of the file.
	Content map[string]Flow
	// WroteSettings is set if the call has written a file with a name such as vite.config.ts or .eslintrc.js.
	WroteSettings bool
	// The field "Calling" lists the names of the functions whose calls are being analyzed. With this list, the analysis
	// detects a function that calls itself.
	Calling  []string
	Commands int
	// The field "Steps" counts the work that the analysis has done.
	Steps int
	// Privileged is greater than zero during the analysis of a command that sudo or a similar program runs.
	Privileged int
	Depth      int
	Nesting    int
	// Chosen is the number of variables for which the analysis currently tries one of several possible values.
	Chosen int
	// The field "Within" is the span of the outer command while a script in that command is analyzed.
	Within *effect.Span
	// Source is the text to which the offsets of spans refer.
	Source string
	// The field "Cut" is the source without its long literal texts. It is set while the shell parser reads the source.
	Cut *literal.CutCommand
	// CutFrom is the minimum size of a literal text that is cut out. Full is set after the analysis has exceeded a limit.
	CutFrom int
	Full    bool
	// The field "Staged" lists the paths that the call adds to git. The field "Stages" says which other pending files the
	// call adds.
	Staged []string
	Stages Staging
	// The field "Commits" records what the call has committed so far.
	Commits Commits
	// The field "Since" is the number of the first effect that must succeed before the current command runs. The first
	// effect of the call has the number 1. The field is 0 if no effect must succeed.
	Since int
	// Branch is the branch that the call has checked out, or empty.
	Branch string
	// GitAliases maps the names of the git aliases that the call defines to their texts.
	GitAliases map[string]string
	// CleansUnforced is set after a setting of the call has allowed "git clean" to delete files without --force.
	CleansUnforced bool
	// TreeChecks counts the calls of Env.Guardless.
	TreeChecks int
	// The field "Links" maps each link that the call creates to the target of the link.
	Links map[string]string
	// Containers has the containers that the call starts, by their names.
	Containers map[string]*Container
	// The field "Tunnels" lists the ports of this machine that a tunnel of the call connects to another machine. An empty
	// text stands for all ports.
	Tunnels []string
	// Worktrees lists the folders of the worktrees that the call creates.
	Worktrees []string
	// The field "made" lists the things that the call has made, such as branches and volumes, but not files. The field
	// "newFolders" lists the folders of the project that did not exist before the call.
	made       []thing
	newFolders []string
	// The field "Moved" lists the new places of moved files. It omits files that a program can create again.
	Moved []string
	// BroughtIn lists the folders into which the call has unpacked archives or cloned repositories of other computers.
	BroughtIn []string
	// Sourced identifies the command that ran a file with secrets in the shell. It is the number of the command's effect.
	// The first effect has the number 1. Sourced is 0 if there is no such command.
	Sourced int
	Token   Token
	// The field "Compiles" is set after the call has run a compiler. Sources lists the source files in the compiler's
	// arguments.
	Compiles bool
	Sources  []string
	// Unread is a source file that the call has written, in a language that is not analyzed. The call has given this file
	// to a program that may be a compiler. Unread is empty if there is no such file.
	Unread string
	// Scripts holds the scripts on disk that the call runs.
	Scripts scripts
	// OnRow, if it is set, is called for each table row that determines the result for a command. Tests set OnRow.
	OnRow     func(program, order string, operands []Value)
	callbacks *Callbacks
	recent    recentPlaces
	// Zsh is set while zsh reads the text under analysis.
	Zsh bool
	// The field "Dots" is set after the call has turned on a shell option with which globs also match names that begin
	// with a dot.
	Dots bool
	// Pathspecs is set while git itself expands a glob. Git also finds names that begin with a dot, but only files that
	// exist, and none in .git.
	Pathspecs bool
	// LinkChanges counts the changes of Links.
	LinkChanges int
	// The field "handlers" holds the handlers of the programs that the call has run. So each handler is looked up only
	// once.
	handlers Table[Handler]
}

// Callbacks holds functions of packages that import this package, trace. All packages of the analysis can call these
// functions through a Trace.
type Callbacks struct {
	// Find returns the handler of the program with this name, or nil.
	Find func(name string) Handler
	// Dispatch analyzes a call of a program and returns its output.
	Dispatch func(t *Trace, argv []Value, span effect.Span, sc *Scope, io Streams) Flow
	// Shell analyzes a text as a shell script and returns its output.
	Shell func(t *Trace, text string, sc *Scope, stdin Flow) Flow
}

// Find returns the handler of the program with this name, or nil.
func (t *Trace) Find(name string) Handler {
	handler, ok := t.handlers.Find(name)
	if !ok {
		t.Spend(stepsOfHandler)
		handler = t.callbacks.Find(name)
		t.handlers.Set(name, handler)
	}
	return handler
}

// Dispatch analyzes a call of a program and returns its output.
func (t *Trace) Dispatch(argv []Value, span effect.Span, sc *Scope, io Streams) Flow {
	return t.callbacks.Dispatch(t, argv, span, sc, io)
}

// Shell analyzes a text as a shell script and returns its output.
func (t *Trace) Shell(text string, sc *Scope, stdin Flow) Flow {
	return t.callbacks.Shell(t, text, sc, stdin)
}

// New returns a trace for the analysis of one call. If the parameter "env" is nil, the trace uses the zero Env.
func New(callbacks *Callbacks, env *Env, tool string) *Trace {
	e := Env{}
	if env != nil {
		e = *env
	}
	return &Trace{Env: e.withDefaults(), toolName: tool, CutFrom: literal.CutFrom, callbacks: callbacks}
}

// Finish completes the effects and returns the result of the analysis.
func (t *Trace) Finish() *effect.Analysis {
	dropUnknownEvents(t)
	markComplex(t)
	addWorktreePaths(t)
	if t.Effects == nil {
		t.Effects = []effect.Effect{}
	}
	return &effect.Analysis{Tool: t.toolName, Effects: t.Effects, Scripts: t.Scripts.Read}
}

// Emit adds an effect. The pointer that it returns is valid until the next effect is added.
func (t *Trace) Emit(e effect.Effect) *effect.Effect {
	if len(t.Effects) >= MaxEffects {
		t.Overflow("has more than 5,000 effects")
		return &effect.Effect{}
	}
	t.Spend(stepsOfEffect + (len(e.Path)+len(e.Command))/bytesOfStep)
	if e.Script == 0 {
		e.Script = t.Scripts.Current()
	}
	t.Effects = append(t.Effects, e)
	return &t.Effects[len(t.Effects)-1]
}

// Spend adds steps to the work that is counted. It returns false if the analysis must stop.
func (t *Trace) Spend(steps int) bool {
	if t.Full {
		return false
	}
	t.Steps += steps
	if t.Steps > MaxSteps {
		t.Overflow("takes too many steps to analyze")
	}
	return !t.Full
}

// Opaque adds an opaque effect, which stands for something that the call does not show. The effect gets a reason and an
// event. The method takes a single event instead of a list, because this makes the hook program smaller.
func (t *Trace) Opaque(span effect.Span, reason string, event effect.Event) {
	t.Emit(effect.Effect{Kind: effect.Opaque, Span: span, Reason: reason, Events: []effect.Event{event}})
}

// Unanalyzed adds an opaque effect that has no event.
func (t *Trace) Unanalyzed(span effect.Span, reason string) {
	t.Emit(effect.Effect{Kind: effect.Opaque, Span: span, Reason: reason})
}

// Overflow adds an effect that says which limit is exceeded. It adds no effect for a second limit, because nothing more
// is analyzed after the first limit is exceeded.
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

// SpanText is the maximum length in bytes of the text in a span.
const SpanText = 160

// Span returns a span: the offsets and the text of a part of the source. While a script in a command is analyzed, Span
// returns the span of that command.
func (t *Trace) Span(start, end int) effect.Span {
	if t.Within != nil {
		return *t.Within
	}
	end = min(max(end, 0), len(t.Source))
	start = min(max(start, 0), end)
	return effect.Span{Start: start, End: end, Text: Shorten(t.Source[start:end])}
}

// Shorten cuts a text after SpanText bytes.
func Shorten(s string) string {
	if len(s) <= SpanText {
		return s
	}
	return strings.ToValidUTF8(s[:SpanText], "") + "…"
}

// complexFiles is the number of files that a call may write or delete before it counts as a complex operation.
const complexFiles = 10

// markComplex marks a call that writes or deletes many files, or files of both the backend and the frontend.
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
		last.Note("changes more than ten files, or files of both the backend and the frontend", effect.ComplexOp)
	}
}

// sideOf returns "backend" or "frontend" if the name of a folder in the path usually stands for this side of an
// application. Otherwise, it returns "".
func sideOf(path string) string {
	for _, segment := range strings.Split(path, "/") {
		switch segment {
		case "backend", "server", "workers", "orchestrator":
			return "backend"
		case words.Among(segment, "frontend client hitl_ui hitl-ui webapp"):
			return "frontend"
		}
	}
	return ""
}

// IsCalling reports whether a call of the function with this name is being analyzed.
func (t *Trace) IsCalling(name string) bool {
	for _, n := range t.Calling {
		if n == name {
			return true
		}
	}
	return false
}

// Inside is a method that calls analyze(). The effects that analyze() adds get the span of the outer command.
func (t *Trace) Inside(span effect.Span, analyze func() Flow) Flow {
	if t.Within == nil {
		t.Within = &span
		defer func() { t.Within = nil }()
	}
	return analyze()
}
