package proof

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"guardrails/server/process"
)

// asServer is the name of an environment variable. If the variable is set, the test binary runs as a server whose clock
// the test can set.
const asServer = "GUARDRAILS_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Exit(serve(os.Args[1:]))
	}
	zerolog.SetGlobalLevel(zerolog.Disabled) // the proxies of newNetwork log every connection
	os.Exit(m.Run())
}

// serve() runs a server as cmd/guardrails-server does. Each line of the standard input sets the duration by which the
// server's clock is ahead of the real time. The server starts after the first line.
func serve(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	var ahead atomic.Int64
	lines := bufio.NewScanner(os.Stdin)
	set := func() bool {
		if !lines.Scan() {
			return false
		}
		d, err := time.ParseDuration(lines.Text())
		ahead.Store(int64(d))
		return err == nil
	}
	if !set() {
		fmt.Fprintln(os.Stderr, "the test must say how far the clock is ahead")
		return 1
	}
	go func() {
		for set() {
		}
	}()
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return process.Run(ctx, args, &process.System{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: os.Stderr, Env: os.Getenv, Dir: dir,
		Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }, Version: "test", User: "tester",
	})
}
