package hooks

import (
	"errors"
	"strconv"
	"strings"

	"guardrails/hooks/cache"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/changemark"
	"guardrails/internal/document"
	"guardrails/internal/private"
)

type answer struct {
	injection string
	notices   []string
	source    string
	// The field "fallback" says why the guidelines do not come from their usual source. It is empty if they come from
	// the usual source.
	fallback string
	// The field "message" is a text for the user. The field "note" is a text for the model. The field "refusal" is what
	// the user reads if the safety gate refuses the prompt.
	message, note, refusal string
	// The field "doc" is the encoded session cache.
	doc []byte
}

// ask() requests the guidelines that apply or may apply to the agent of an event.
func (h *Host) ask(e *wire.Event) (*answer, error) {
	// If the guidelines change after this moment, the answer is outdated.
	asked := h.Now()
	raw, passed, err := h.Ask(h.request(e))
	if err != nil {
		return nil, err
	}
	a, err := parseAnswer(raw)
	if err != nil {
		return nil, err
	}
	_ = cache.Seal(a.doc, asked, h.cacheKey(e)) // if this fails, readers reject the unsigned document
	h.noteAnswer(e, a, passed)
	return a, nil
}

// noteAnswer records why an answer does not come from the usual source. It also shows the answer's notices to the user.
func (h *Host) noteAnswer(e *wire.Event, a *answer, passed error) {
	if passed != nil {
		h.log(e, record{kind: "fallback", outcome: "cli", reason: "the server was skipped: " + passed.Error()})
		h.notify(e, "server", "guardrails reads its guidelines without its server, which takes longer: "+passed.Error()+
			". Run: guardrails doctor")
	}
	if a.fallback != "" {
		h.log(e, record{kind: "fallback", outcome: a.source, reason: a.fallback})
		h.markNoticed(e, question, true)
	}
	for _, notice := range a.notices {
		h.notify(e, notice, notice)
	}
}

// request() returns the arguments with which the hook calls the tool guardrails_get_context.
func (h *Host) request(e *wire.Event) []byte {
	out := appendField([]byte{'{'}, "agent", h.agent(e))
	out = appendField(out, "session_id", e.Session)
	out = appendField(out, "project", h.root(e))
	if e.Agent == "" && e.Name != wire.SubagentStart {
		out = append(out, `,"main_thread":true`...)
	}
	if e.Prompt != "" {
		out = appendField(out, "prompt", wire.Shorten(e.Prompt, promptLimit))
	} else {
		out = h.appendTasks(out, e)
	}
	if choice := h.choice(e); choice != "" {
		out = appendField(out, "choice", choice)
	}
	if e.TypedIn != "" {
		out = appendField(out, "typed", e.TypedIn)
	}
	if e.Calls != "" {
		out = appendField(out, "calls", e.Tool+e.Calls)
		out = appendField(out, "agent_id", e.Agent)
	}
	return append(h.appendSettings(out), `,"hook":true}`...)
}

// appendTasks adds the task that each layer found in the last prompt. So the task stays the same when the hook requests
// the guidelines again: after a compaction, after a change of the guidelines, or after some minutes.
func (h *Host) appendTasks(out []byte, e *wire.Event) []byte {
	c, err := h.keptCache(e)
	if c == nil || err != nil && !errors.Is(err, cache.ErrExpired) {
		return out
	}
	separator := `,"tasks":[{"domain":`
	for _, task := range c.Contexts() {
		out = document.AppendText(append(out, separator...), task.Domain)
		out = document.AppendText(append(out, `,"action":`...), task.Action)
		separator = `},{"domain":`
	}
	return append(out, "}]"...)
}

// appendSettings adds the settings from the environment of this session. The server does not know these settings,
// because it may have been started in another session.
func (h *Host) appendSettings(out []byte) []byte {
	if h.Settings == nil {
		return out
	}
	separator := `,"environment":{`
	for _, variable := range h.Settings() {
		name, value, _ := strings.Cut(variable, "=")
		out = document.AppendText(append(out, separator...), name)
		out = document.AppendText(append(out, ':'), value)
		separator = ","
	}
	if separator == "," {
		out = append(out, '}')
	}
	return out
}

const promptLimit = 32 << 10

// choice() returns the user's answer to the question of how to continue during an outage. It returns "" if there is no
// answer.
func (h *Host) choice(e *wire.Event) string {
	if h.Dir == nil || e.Session == "" {
		return ""
	}
	state, err := session.ReadLedger(h.Dir, e.Session)
	if err != nil {
		return ""
	}
	return state.Choice
}

var errAnswer = errors.New("the answer does not come from guardrails_get_context; " +
	"check that the server and the hooks have the same version")

func parseAnswer(raw []byte) (*answer, error) {
	members, err := document.Members(raw)
	if err != nil {
		return nil, errAnswer
	}
	a := &answer{}
	for _, m := range members {
		switch m.Name {
		case "success":
			if string(m.Raw) != "true" {
				return nil, errAnswer
			}
		case "injection":
			a.injection, _ = document.Text(m.Raw)
		case "source":
			a.source, _ = document.Text(m.Raw)
		case "session_cache":
			a.doc, _ = document.TextBytes(m.Raw)
		case "notices":
			a.notices = texts(m.Raw)
		case "message":
			a.message, _ = document.Text(m.Raw)
		case "note":
			a.note, _ = document.Text(m.Raw)
		case "refusal":
			a.refusal, _ = document.Text(m.Raw)
		case "fallback":
			a.fallback = memberText(m.Raw, "reason")
		}
	}
	if len(a.doc) == 0 {
		return nil, errAnswer
	}
	return a, nil
}

func texts(raw []byte) []string {
	members, _ := document.Members(raw)
	var out []string
	for _, m := range members {
		if text, ok := document.Text(m.Raw); ok {
			out = append(out, text)
		}
	}
	return out
}

func memberText(raw []byte, name string) string {
	members, _ := document.Members(raw)
	for _, m := range members {
		if m.Name == name {
			text, _ := document.Text(m.Raw)
			return text
		}
	}
	return ""
}

// cacheKey returns the key that signs the cached guidelines of an agent. If there is no folder for the session's files,
// there is no cache, and cacheKey returns an empty key.
func (h *Host) cacheKey(e *wire.Event) private.Key {
	if h.Dir == nil {
		return private.Key{}
	}
	return h.Dir.KeyOf(session.CacheName(session.Key(e.Session, e.Agent)))
}

// store() writes an answer to the cache file of the agent. It writes nothing for a subagent without an id, because such
// a write would overwrite the file of the main thread.
func (h *Host) store(e *wire.Event, a *answer) error {
	if h.Dir == nil {
		return h.DirError
	}
	if e.Session == "" || e.Name == wire.SubagentStart && e.Agent == "" {
		return nil
	}
	err := h.Dir.Write(session.CacheName(session.Key(e.Session, e.Agent)), a.doc)
	if e.Waits {
		_ = h.Dir.Touch(changemark.Name) // makes the next call look at the guard's own files
	}
	return err
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
