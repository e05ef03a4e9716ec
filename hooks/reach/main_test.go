//go:build linux || darwin

package reach_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary can also play the guardrails program. A test starts the binary through a link whose name begins with
// this prefix. The rest of the name selects what the binary does.
const part = "cli-"

func TestMain(m *testing.M) {
	if name, ok := strings.CutPrefix(filepath.Base(os.Args[0]), part); ok {
		os.Exit(play(name))
	}
	// The race detector would make every process wait for a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	os.Exit(m.Run())
}

func play(name string) int {
	switch name {
	case "answers":
		question, _ := io.ReadAll(os.Stdin)
		dir, _ := os.Getwd()
		fmt.Printf("{\"question\":%s,\"args\":%q,\"dir\":%q,\"env\":%q}\n", question, strings.Join(os.Args[1:], " "), dir, os.Getenv("REACH_TEST"))
	case "talks-first":
		fmt.Printf("{\"text\":%q,", strings.Repeat("x", 1<<20))
		fmt.Fprint(os.Stderr, strings.Repeat("note\n", 1<<18))
		question, _ := io.ReadAll(os.Stdin)
		fmt.Printf("\"read\":%d}", len(question))
	case "hangs":
		hang()
	case "closes-and-hangs":
		fmt.Print("{}")
		os.Stdout.Close()
		hang()
	case "does-not-read":
		fmt.Print("{}")
	case "fails":
		fmt.Fprint(os.Stderr, strings.Repeat("chatter\n", 1000), "the store\x1b[31m is broken\n")
		return 1
	case "is-killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		hang()
	case "has-a-child":
		startChild()
		witness()
		hang()
	case "is-a-child":
		witness()
		hang()
	case "serves":
		serve()
	default:
		printWrongly(name)
	}
	return 0
}

func printWrongly(name string) {
	// Read the whole stdin. Otherwise, the test would see an error about stdin instead of the error about the output.
	_, _ = io.Copy(io.Discard, os.Stdin)
	switch name {
	case "prints":
		fmt.Print("Welcome!")
	case "prints-two":
		fmt.Print("{} {}")
	case "prints-nothing":
	case "prints-much":
		fmt.Print("{" + strings.Repeat(" ", 20<<20) + "}")
	case "prints-without-end":
		repeat(os.Stdout, "[[[[[[[[")
	case "complains-without-end":
		repeat(os.Stderr, "no no no")
	}
}

// serve() sends the content of a file in the current folder on every connection.
func serve() {
	answer, err := os.ReadFile("answer")
	if err != nil {
		panic(err)
	}
	l, err := net.Listen("unix", "s")
	if err != nil {
		panic(err)
	}
	fmt.Print("ready")
	var request [4 << 10]byte
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		if _, err := c.Read(request[:]); err == nil {
			_, _ = c.Write(answer)
		}
		c.Close()
	}
}

func hang() { time.Sleep(time.Hour) }

func repeat(to io.Writer, text string) {
	for block := []byte(strings.Repeat(text, 1<<10)); ; {
		if _, err := to.Write(block); err != nil {
			return
		}
	}
}

func startChild() {
	self := filepath.Join(filepath.Dir(os.Args[0]), part+"is-a-child")
	_, err := os.StartProcess(self, []string{self}, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
	if err != nil {
		panic(err)
	}
}

// witness() opens a connection that stays open until this process ends.
func witness() {
	if _, err := net.Dial("unix", "witness"); err != nil {
		panic(err)
	}
}
