//go:build unix

package socket

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"guardrails/internal/private"
)

// The type "listener" is a bound socket. It accepts connections only from processes of the same user.
type listener struct {
	*net.UnixListener
	dir  *private.Dir
	info fs.FileInfo
}

// bind() replaces a socket on which no process listens. Only the holder of the lock may call it. The function sets the
// mode of the new socket and listens on it before the socket gets its final name. So other processes never see an
// unfinished socket.
func bind(dir *private.Dir) (*listener, error) {
	path := dir.Path(Name)
	if err := free(path); err != nil {
		return nil, err
	}
	if _, err := dir.Remove(draftName); err != nil {
		return nil, err
	}
	draft := dir.Path(draftName)
	on, err := net.ListenUnix("unix", &net.UnixAddr{Name: draft, Net: "unix"})
	if err != nil {
		return nil, tooLong(path, err)
	}
	on.SetUnlinkOnClose(false)
	info, err := install(draft, path)
	if err != nil {
		_, gone := dir.Remove(draftName)
		return nil, errors.Join(err, gone, on.Close())
	}
	return &listener{on, dir, info}, nil
}

func install(draft, path string) (fs.FileInfo, error) {
	if err := os.Chmod(draft, 0o600); err != nil {
		return nil, err
	}
	info, err := os.Lstat(draft)
	if err != nil {
		return nil, err
	}
	return info, os.Rename(draft, path)
}

// free() returns an error if the path cannot be used for a socket. A path cannot be used if a file that is not a socket
// has this path, or if a program without the lock listens on the socket.
func free(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return errors.New(path + " is not a socket; remove it")
	}
	c, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return nil //nolint:nilerr // no process listens on the socket
	}
	return errors.Join(errors.New("another program listens on "+path+"; end it"), c.Close())
}

func tooLong(path string, err error) error {
	const longest = 103
	if len(path) > longest {
		return fmt.Errorf("%s is too long for a socket; set GUARDRAILS_CACHE_DIR to a folder with a shorter path", path)
	}
	return err
}

// withdraw() removes the name of the socket. If another process has replaced the socket, the method does not remove the
// name.
func (l *listener) withdraw() error {
	now, err := os.Lstat(l.dir.Path(Name))
	if err != nil || !os.SameFile(l.info, now) {
		return nil //nolint:nilerr // the socket is already gone
	}
	_, err = l.dir.Remove(Name)
	return err
}

// Accept returns the next connection of a process of this user.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if ownPeer(c) {
			return c, nil
		}
		_ = c.Close() // the process belongs to another user
	}
}
