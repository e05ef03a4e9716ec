package author

import (
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/decide"
	"guardrails/decide/explain"
	"guardrails/detect/effect"
	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/service"
)

type explanation struct {
	a       *app.App
	c       *cobra.Command
	call    *call
	sources []string
	// The field "session" is the value of the flag --session.
	session string
	// The field "dir" is the folder of the sessions' files. If hooks cannot use the folder, dirError is the reason.
	dir      *private.Dir
	dirError error
}

// verdict() decides about the call. With the flag -g, it uses the guidelines of this flag. Without -g, it uses the
// guidelines that the session given by --session keeps. If it cannot use the session's guidelines, or if --session is
// not given, it uses the project's guidelines.
func (e *explanation) verdict(who *contextFlags) (*explain.Verdict, error) {
	if e.call.unreadable != nil {
		return e.unreadable(), nil
	}
	context := guideline.Context{Agent: e.call.agent, SessionID: e.call.session}
	if err := who.set(e.c, &context); err != nil {
		return nil, err
	}
	e.dir, e.dirError = private.Runtime(e.a.Env)
	if e.session != "" && e.dirError == nil && hooks.Recorded(e.dir, e.session) == nil {
		return nil, errUnknownSession
	}
	if len(e.sources) > 0 {
		return e.bySources(who, context)
	}
	if e.session != "" {
		v, err := e.bySession()
		if err == nil {
			return v, nil
		}
		e.a.Note("the session's guidelines cannot be used (" + err.Error() +
			"); the project's current guidelines are used instead")
	}
	return e.byProject(context)
}

func (e *explanation) now() time.Time { return e.a.Clock()() }

// unreadable() returns the hook's decision about a payload that the hook cannot read.
func (e *explanation) unreadable() *explain.Verdict {
	event := wire.Event{Name: wire.PreToolUse, Tool: e.call.tool}
	h := &hooks.Host{Machine: &host.Machine{Env: e.a.Env}, Now: e.a.Clock()}
	o := hooks.Unreadable(h, &event, e.call.unreadable)
	return explain.Undecided(e.call.tool, decide.Ask, o.Reason)
}

// bySources decides about the call with the guidelines that the flag -g names, and with the project's settings.
func (e *explanation) bySources(who *contextFlags, context guideline.Context) (*explain.Verdict, error) {
	settings, err := e.a.Config()
	if err != nil {
		return nil, err
	}
	layers, err := compiled(e.a, e.c, settings, e.sources)
	if err != nil {
		return nil, err
	}
	who.complete(e.a, e.c, settings, &context)
	call, facts := e.look()
	facts.Now = e.now()
	return explain.Call([]decide.Layer{{
		Set: layers[0].Set, Context: context, Exceptions: service.Exceptions(settings, e.now()),
		TestCommands: settings.TestCommands,
	}}, call, facts), nil
}

// bySession decides about the call with the guidelines that the session of the call keeps.
func (e *explanation) bySession() (*explain.Verdict, error) {
	if e.dirError != nil {
		return nil, e.dirError
	}
	kept, file, err := hooks.OpenCache(e.dir, e.session, e.call.agentID, e.now())
	if file != nil {
		defer func() { _ = file.Close() }() // an error of Close does not matter after reading
	}
	if err != nil {
		return nil, err
	}
	call, facts := e.look()
	list, err := kept.Relevant(call)
	if err != nil {
		return nil, err
	}
	layers, err := hooks.Layers(list, e.session, call)
	if err != nil {
		return nil, err
	}
	facts.Now = e.now()
	return explain.Call(layers, call, facts), nil
}

// byProject decides about the call with the project's current guidelines. It calls the same function of the service as
// the server does.
func (e *explanation) byProject(context guideline.Context) (*explain.Verdict, error) {
	r := service.CallRequest{
		Request: service.Request{Context: context}, Tool: e.call.tool, Input: e.call.input, Cwd: e.cwd(),
		Mode: e.call.mode, Headless: hooks.Headless(e.a.Env), Subagent: e.call.agentID,
	}
	if hooks.Recorded(e.dir, e.call.session) != nil {
		if state, err := session.ReadLedger(e.dir, e.call.session); err == nil {
			r.Choice = state.Choice
		}
	}
	s := service.New(service.Options{
		Env: e.a.Env, Now: e.a.Clock(), Dir: e.cwd(), Mask: hooks.Mask,
		Open: e.a.OpenExisting,
	})
	defer func() { _ = s.Close() }() // an error of Close does not matter after reading
	answer, err := s.ExplainCall(e.c.Context(), r)
	if err != nil {
		return nil, err
	}
	for _, notice := range answer.Notices {
		e.a.Note(notice)
	}
	return answer.Verdict, nil
}

func (e *explanation) cwd() string {
	if e.call.cwd != "" {
		return e.call.cwd
	}
	return e.a.Cwd
}

// look() returns the effects of the call, such as the files that it writes, and the other facts on which the decision
// depends.
func (e *explanation) look() (*effect.Analysis, decide.Facts) {
	root := host.Root(e.a.Env, e.cwd())
	q := hooks.Question{
		Root: root, Cwd: e.cwd(), Session: e.call.session, Agent: e.call.agentID,
		Tool: e.call.tool, Input: e.call.input, Mode: e.call.mode,
		Headless: hooks.Headless(e.a.Env), Dir: e.dir, Err: e.dirError,
	}
	return q.Look(host.Local(e.a.Env))
}
