//go:build !linux

package worstcase

import "time"

// Cost returns how long the work takes. The result is the smallest of several runs.
func Cost(runs int, work func()) time.Duration {
	least := time.Duration(1<<63 - 1)
	for range runs {
		began := time.Now()
		work()
		least = min(least, time.Since(began))
	}
	return least
}
