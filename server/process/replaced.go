package process

import (
	"context"
	"os"
	"time"
)

// replacedEvery is the time after which the process checks again whether the program was replaced.
const replacedEvery = time.Second

// untilReplaced returns a context that ends when another file has taken the place of the program, for example after an
// installation. A missing file does not end the context, because the file may come back. If the path is empty, the
// context never ends.
func untilReplaced(ctx context.Context, program string) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	started, err := os.Stat(program)
	if err != nil {
		return ctx, stop
	}
	go func() {
		tick := time.NewTicker(replacedEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if now, err := os.Stat(program); err == nil && !isSameFile(started, now) {
					stop()
					return
				}
			}
		}
	}()
	return ctx, stop
}

func isSameFile(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}
