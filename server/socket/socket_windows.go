package socket

import (
	"net"

	"guardrails/internal/private"
)

// listener does not exist on this system.
type listener struct{ net.Listener }

func bind(*private.Dir) (*listener, error) { return nil, ErrUnsupported }

func (*listener) withdraw() error { return nil }
