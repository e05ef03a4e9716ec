package socket

import (
	"net"

	"guardrails/internal/private"
)

// The type "listener" is never created on this system, because bind always fails.
type listener struct{ net.Listener }

func bind(*private.Dir) (*listener, error) { return nil, ErrUnsupported }

func (*listener) withdraw() error { return nil }
