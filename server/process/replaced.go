package process

import (
	"context"
	"os"
	"time"
)

// replacedEvery is how often the server looks whether its program was replaced.
const replacedEvery = time.Second

// untilReplaced returns a context that ends when another file takes the place of a program, as an installation does. An
// empty path is never replaced. A program that is only missing may come back, so it does not end the context.
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
