package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"guardrails/hooks/reach"
	"guardrails/service"
	"guardrails/service/fallback"
)

const linkAnswer = "answer"

// These constants are the longest times that the hook of a tool call waits for an answer: of the server, and of the
// guardrails program.
const (
	warmTimeout = 500 * time.Millisecond
	coldTimeout = 1500 * time.Millisecond
)

// checkAnswer starts the guardrails program to get guidelines, as a hook does if no server runs.
func (x *Examination) checkAnswer() {
	program := x.cli()
	if program == "" {
		x.add(linkAnswer, Broken, "the hooks do not find the guardrails program", x.installAgain())
		return
	}
	// This timeout is longer than the timeout of the hooks. The longer timeout distinguishes a slow program from a program
	// that hangs.
	r, err := x.ask(&reach.Asker{CLI: program, Dir: x.root, Now: x.Now, ColdTimeout: 4 * coldTimeout})
	if err != nil {
		if u, ok := errors.AsType[*reach.Unanswered](err); ok {
			err = u.CLI // checkAnswer asks only the command line
		}
		x.add(linkAnswer, Broken, err.Error(),
			"repair the guardrails program; until then, you are asked about every call that changes something")
		return
	}
	x.answered(linkAnswer, r, coldTimeout)
}

type answer struct {
	Count    int    `json:"count"`
	Source   string `json:"source"`
	Fallback *struct {
		Reason string `json:"reason"`
	} `json:"fallback"`

	took time.Duration
	// The field "by" is the name of the program that answered, or "" if it is unknown.
	by string
}

// ask() requests guidelines as a hook does. The request names the project, but no agent and no task.
func (x *Examination) ask(a *reach.Asker) (*answer, error) {
	question, err := json.Marshal(map[string]any{"project": x.root, "hook": true, "environment": service.Carried(x.Env)})
	if err != nil {
		return nil, err
	}
	begin := x.Now()
	text, _, err := a.Ask(question)
	if err != nil {
		return nil, err
	}
	r := &answer{took: x.Now().Sub(begin)}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("the answer does not come from guardrails_get_context: %w", err)
	}
	return r, nil
}

// answered() adds a check that describes an answer and says how long it took.
func (x *Examination) answered(link string, r *answer, patience time.Duration) {
	detail := fmt.Sprintf("%s from %s in %.1f ms", count(r.Count, "guideline"), r.Source,
		float64(r.took.Microseconds())/1000)
	if r.by != "" {
		detail += ", by " + r.by
	}
	const more = "fix the named cause; to see more, run: guardrails fallback"
	switch {
	case r.Fallback != nil && r.Source == fallback.SourceOpen:
		x.add(link, Broken, detail+", so nothing is guarded: "+r.Fallback.Reason, more)
	case r.Fallback != nil:
		x.add(link, Warning, detail+": "+r.Fallback.Reason, more)
	case r.took > patience:
		x.add(link, Broken, fmt.Sprintf("%s; hooks wait at most %v", detail, patience),
			"reduce the load of this computer, or run a server")
	default:
		x.add(link, OK, detail, "")
	}
}
