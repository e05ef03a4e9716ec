package hooks

import (
	"errors"

	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
)

// noteUnsigned records that the hook ignored a file whose signature is not valid, and notifies the user. It ignores
// other errors, such as the usual error that a file does not exist.
func (h *Host) noteUnsigned(e *wire.Event, key, what string, err error) {
	if !errors.Is(err, private.ErrUnsigned) && !errors.Is(err, cache.ErrUnsigned) {
		return
	}
	text := what + ": " + err.Error()
	h.log(e, record{kind: "gap", outcome: "unsigned", reason: text})
	h.notify(e, key, "guardrails ignores "+text+". Its key for signatures has changed, or somebody has changed the file.")
}

// notifyKey notifies the user if the key for signatures cannot be used.
func (h *Host) notifyKey(e *wire.Event) {
	if h.Dir == nil {
		return
	}
	if _, err := h.Dir.Key(); err != nil {
		h.notify(e, "key", "guardrails cannot use its key for signatures, so it ignores what it saved before "+
			"(permissions to run a call once, your answers, the guidelines of the session): "+err.Error()+
			". Run: guardrails doctor")
	}
}
