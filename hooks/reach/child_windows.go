package reach

import (
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"guardrails/internal/product"
)

// run() starts the process and waits until the process ends or the time is up. On Windows, pipes have no deadlines, so
// stdin, stdout and stderr are temporary files.
func (c *command) run(request []byte) (ending, error) {
	var files [3]*os.File
	defer func() { removeAll(files[:]) }()
	for i := range files {
		f, err := os.CreateTemp("", product.CLI+"-*")
		if err != nil {
			return ending{}, &Failure{StageStart, "cannot create a temporary file: " + err.Error()}
		}
		files[i] = f
	}
	if _, err := files[0].Write(request); err != nil {
		return ending{}, &Failure{StageStart, "cannot write the request: " + err.Error()}
	}
	if _, err := files[0].Seek(0, io.SeekStart); err != nil {
		return ending{}, &Failure{StageStart, "cannot write the request: " + err.Error()}
	}
	died, ended, err := c.wait(files)
	if err != nil {
		return ending{}, err
	}
	e := ending{died: died, out: readPart(files[1], 0, maxAnswer+1), stderr: readEnd(files[2])}
	switch {
	case !ended:
		return e, c.tooSlow("did not end", &e)
	case len(e.out) > maxAnswer:
		return e, c.tooMuch()
	}
	return e, nil
}

// wait() runs the process and waits for its end. If the time is up, it stops the process, and the result "ended" is
// false.
func (c *command) wait(files [3]*os.File) (died string, ended bool, err error) {
	_, h, err := syscall.StartProcess(c.path, c.args, &syscall.ProcAttr{
		Dir: c.dir, Env: syscall.Environ(), Files: []uintptr{files[0].Fd(), files[1].Fd(), files[2].Fd()},
	})
	if err != nil {
		return "", false, c.cannotStart(err)
	}
	handle := syscall.Handle(h)
	defer func() { _ = syscall.CloseHandle(handle) }()
	left := max(c.left(), 0)
	event, err := syscall.WaitForSingleObject(handle, uint32(left/time.Millisecond))
	if err != nil || event != syscall.WAIT_OBJECT_0 {
		_ = syscall.TerminateProcess(handle, 1)
		_, _ = syscall.WaitForSingleObject(handle, 50)
		return "", false, nil
	}
	var code uint32
	if err := syscall.GetExitCodeProcess(handle, &code); err != nil || code != 0 {
		return "ended with code " + strconv.Itoa(int(code)), true, nil
	}
	return "", true, nil
}

func readEnd(f *os.File) []byte {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil
	}
	return readPart(f, max(0, size-maxStderr), maxStderr)
}

func readPart(f *os.File, from, most int64) []byte {
	text, _ := io.ReadAll(io.NewSectionReader(f, from, most))
	return text
}

func removeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}
}
