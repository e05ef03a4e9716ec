//go:build linux || darwin

package reach

import (
	"io"
	"strconv"
	"syscall"
	"time"

	"guardrails/internal/product"
)

// The type "connection" is a connection to the server's socket. All its methods fail when the time is up.
type connection struct {
	fd   int
	left countdown
	got  int
}

// dial() connects to a socket. The socket and the process that listens on it must belong to this user. If the parameter
// "server" is not empty, the process must run that program.
func dial(path, server string, left countdown) (*connection, error) {
	if err := ownSocket(path); err != nil {
		return nil, err
	}
	fd, err := newSocket()
	if err != nil {
		return nil, &Failure{StageSocket, "cannot create a socket: " + err.Error()}
	}
	c := &connection{fd: fd, left: left}
	if err := c.connect(path); err != nil {
		c.close()
		return nil, err
	}
	if why := foreignPeer(fd, server); why != "" {
		c.close()
		return nil, &Failure{StageSocket, "the process that listens on " + path + " " + why}
	}
	return c, nil
}

// ownSocket returns an error if the file at the path is not a socket of this user. It does not follow a link.
func ownSocket(path string) error {
	if path == "" {
		return &Failure{StageAbsent, "cannot ask a server: there is no folder for its socket"}
	}
	if path[0] != '/' {
		return &Failure{StageSocket, "the socket's path " + strconv.Quote(path) + " is not absolute"}
	}
	if len(path) > maxPath {
		return &Failure{StageAbsent, "no server can listen on " + path + ", which is longer than the " +
			strconv.Itoa(maxPath) +
			" bytes that a socket's path may have; set " + product.VariableCache + " to a folder with a shorter path"}
	}
	var st syscall.Stat_t
	switch err := syscall.Lstat(path, &st); {
	case err == syscall.ENOENT || err == syscall.ENOTDIR:
		return &Failure{StageAbsent, "no server runs (there is no " + path + ")"}
	case err != nil:
		return &Failure{StageSocket, path + " cannot be examined: " + err.Error()}
	case st.Mode&syscall.S_IFMT != syscall.S_IFSOCK:
		return &Failure{StageSocket, path + " is not a socket; remove it"}
	case int(st.Uid) != syscall.Geteuid():
		return &Failure{StageSocket, path + " belongs to another user"}
	}
	return nil
}

// connect() connects to the socket. If too many other connections wait for the server, it waits until the deadline. It
// sets the timeout for sending, because the kernel also uses this timeout for connecting.
func (c *connection) connect(path string) error {
	address := &syscall.SockaddrUnix{Name: path}
	for {
		if err := c.wait(syscall.SO_SNDTIMEO, "the server did not accept the connection in time"); err != nil {
			return err
		}
		switch err := syscall.Connect(c.fd, address); err {
		case nil:
			return nil
		case syscall.EINTR:
		case syscall.ECONNREFUSED:
			return &Failure{StageConnect, "no process listens on " + path}
		case syscall.EAGAIN:
			return &Failure{StageSend, "the server did not accept the connection in time: it is busy or hangs"}
		default:
			return &Failure{StageConnect, path + ": cannot connect: " + err.Error()}
		}
	}
}

// onePiece is the largest number of bytes that the kernel accepts in one piece. The kernel splits a longer write into
// pieces, and it would restart the timeout for each piece.
const onePiece = 32 << 10

func (c *connection) send(request []byte) error {
	const late = "the server did not accept the request in time"
	for len(request) > 0 {
		if err := c.wait(syscall.SO_SNDTIMEO, late); err != nil {
			return err
		}
		n, err := syscall.Write(c.fd, request[:min(onePiece, len(request))])
		switch err {
		case nil:
			request = request[n:]
		case syscall.EINTR:
		case syscall.EAGAIN:
			return &Failure{StageSend, late}
		default:
			return &Failure{StageSend, "the server did not accept the request: " + err.Error()}
		}
	}
	return nil
}

// Read reads the bytes that have arrived, or waits for the first byte. Before it waits, it sets the timeout to the time
// that is left. So a server that sends one byte at a time cannot extend the deadline.
func (c *connection) Read(into []byte) (int, error) {
	for {
		if c.wait(syscall.SO_RCVTIMEO, "") != nil {
			return 0, c.late()
		}
		n, err := syscall.Read(c.fd, into)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			return 0, c.late()
		case err != nil:
			return 0, &Failure{StageReceive, "the answer broke off: " + err.Error()}
		case n == 0:
			return 0, io.EOF
		default:
			c.got += n
			return n, nil
		}
	}
}

func (c *connection) late() error {
	return &Failure{StageReceive, "the server did not answer in time (" + strconv.Itoa(c.got) +
		" bytes of the answer arrived)"}
}

// wait() sets the timeout of the next system call to the time that is left. It returns an error if no time is left,
// because a timeout of 0 would mean that the call waits forever.
func (c *connection) wait(option int, late string) error {
	left := c.left()
	if left < time.Microsecond {
		return &Failure{StageSend, late}
	}
	limit := syscall.NsecToTimeval(left.Nanoseconds())
	if err := syscall.SetsockoptTimeval(c.fd, syscall.SOL_SOCKET, option, &limit); err != nil {
		return &Failure{StageSocket, "cannot set the timeout of the socket: " + err.Error()}
	}
	return nil
}

func (c *connection) close() { _ = syscall.Close(c.fd) }
