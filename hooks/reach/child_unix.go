//go:build linux || darwin

package reach

import (
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// The constant "turn" is how long this process waits for one pipe of the child before it checks the next one. A
// single thread serves all three pipes, so it must not wait for one pipe while the child needs another pipe.
const turn = 5 * time.Millisecond

// The type "child" is a running process and this process's ends of its pipes.
type child struct {
	*command
	ending
	pid                 int
	stdin, stdout, errs *os.File
	deadline            time.Time
}

// run() starts the process, sends the request, reads the output, and waits until the process ends or the time is up.
func (c *command) run(request []byte) (ending, error) {
	p := &child{command: c, deadline: time.Now().Add(c.left())}
	defer func() { closeAll(p.stdin, p.stdout, p.errs) }()
	if err := p.start(); err != nil {
		return p.ending, err
	}
	err := p.converse(request)
	if err == nil {
		err = p.await()
	}
	if err != nil {
		p.kill()
	}
	return p.ending, err
}

// start() starts the process in a new process group, so that kill() can stop the process and everything that the
// process starts.
func (p *child) start() error {
	var theirs [3]*os.File
	defer func() { closeAll(theirs[:]...) }()
	for i, ours := range []**os.File{&p.stdin, &p.stdout, &p.errs} {
		r, w, err := os.Pipe()
		if err != nil {
			return &Failure{StageStart, "cannot create a pipe: " + err.Error()}
		}
		if *ours, theirs[i] = r, w; i == 0 {
			*ours, theirs[i] = w, r
		}
	}
	pid, err := syscall.ForkExec(p.path, p.args, &syscall.ProcAttr{
		Dir: p.dir, Env: syscall.Environ(), Sys: &syscall.SysProcAttr{Setpgid: true},
		Files: []uintptr{theirs[0].Fd(), theirs[1].Fd(), theirs[2].Fd()},
	})
	if err != nil {
		return p.cannotStart(err)
	}
	p.pid = pid
	return nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// converse() writes the request and reads the output until the process closes its stdout.
func (p *child) converse(request []byte) error {
	for p.remains() {
		if p.stdin != nil {
			n, err := p.write(request)
			if request = request[n:]; err != nil {
				return err
			}
		}
		p.readErrs()
		if closed, err := p.read(); closed || err != nil {
			p.unread = p.unread || len(request) > 0
			return err
		}
	}
	return p.tooSlow("did not answer", &p.ending)
}

func (p *child) remains() bool { return time.Now().Before(p.deadline) }

// write() writes the part of the request that the process accepts during one turn. After the last part, it closes the
// process's stdin.
func (p *child) write(request []byte) (int, error) {
	_ = p.stdin.SetWriteDeadline(p.turnEnd())
	n, err := p.stdin.Write(request)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return n, nil
	}
	p.unread = errors.Is(err, syscall.EPIPE)
	if err != nil && !p.unread {
		return n, &Failure{StageRun, "cannot send the request to " + p.path + ": " + err.Error()}
	}
	err = p.stdin.Close()
	p.stdin = nil
	return n, err
}

// read() reads the output that arrives during one turn.
func (p *child) read() (closed bool, err error) {
	const piece = 64 << 10
	_ = p.stdout.SetReadDeadline(p.turnEnd())
	p.out = slices.Grow(p.out, piece)
	n, err := p.stdout.Read(p.out[len(p.out):cap(p.out)])
	p.out = p.out[:len(p.out)+n]
	switch {
	case len(p.out) > maxAnswer:
		return false, p.tooMuch()
	case err == io.EOF:
		return true, nil
	case err == nil || errors.Is(err, os.ErrDeadlineExceeded):
		return false, nil
	}
	return false, &Failure{StageRun, "cannot read the output of " + p.path + ": " + err.Error()}
}

func (p *child) turnEnd() time.Time {
	if end := time.Now().Add(turn); end.Before(p.deadline) {
		return end
	}
	return p.deadline
}

// readErrs reads from stderr without waiting. It keeps only the last bytes.
func (p *child) readErrs() {
	const pipeful = 16
	var piece [4 << 10]byte
	raw, err := p.errs.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Read(func(fd uintptr) bool {
		for range pipeful {
			n, err := syscall.Read(int(fd), piece[:])
			if n <= 0 || err != nil {
				break
			}
			p.stderr = append(p.stderr, piece[:n]...)
			p.stderr = p.stderr[max(0, len(p.stderr)-maxStderr):]
		}
		return true
	})
}

// await() waits for the end of a process that has closed its stdout.
func (p *child) await() error {
	closeAll(p.stdin)
	p.stdin = nil
	if !p.reap(p.deadline) {
		return p.tooSlow("closed its output but did not end", &p.ending)
	}
	p.readErrs()
	return nil
}

// reap() waits for the end of the process, but only until the given time. A process closes its pipes just before it
// ends, so the first or second attempt usually succeeds.
func (p *child) reap(until time.Time) bool {
	for pause := 20 * time.Microsecond; ; pause = min(2*pause, turn) {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(p.pid, &status, syscall.WNOHANG, nil)
		if pid == p.pid {
			p.died = died(status)
			return true
		}
		if err != nil && err != syscall.EINTR {
			p.died = "is not a child of this process any more: " + err.Error()
			return true
		}
		p.readErrs()
		if !time.Now().Before(until) {
			return false
		}
		time.Sleep(pause)
	}
}

// died() describes how a process failed. It returns "" for exit code 0.
func died(status syscall.WaitStatus) string {
	switch {
	case status.Signaled():
		return "was ended by a signal: " + status.Signal().String()
	case status.ExitStatus() != 0:
		return "ended with code " + strconv.Itoa(status.ExitStatus())
	}
	return ""
}

// kill() stops the process and its process group. It waits only briefly for their end, because the kernel may need a
// long time to end a process.
func (p *child) kill() {
	const moment = 50 * time.Millisecond
	_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	p.reap(time.Now().Add(moment))
}
