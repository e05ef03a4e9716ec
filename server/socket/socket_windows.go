package socket

import (
	"net"

	"guardrails/internal/private"
)

// lock and listener do not exist on this system.
type (
	lock     struct{}
	listener struct{ net.Listener }
)

func openLock(*private.Dir) (*lock, error) { return nil, ErrUnsupported }

func (*lock) try() (bool, error) { return false, ErrUnsupported }

func (*lock) wait() error { return ErrUnsupported }

func (*lock) orClose(err error) error { return err }

func (*lock) release() error { return nil }

func bind(*private.Dir) (*listener, error) { return nil, ErrUnsupported }

func (*listener) withdraw() error { return nil }
