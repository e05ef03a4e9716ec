// Package slowness uses a reference task to measure how slow a computer is. On a slow computer, tests then use larger
// time limits.
package slowness

import (
	"encoding/json"
	"strings"
	"time"
)

// Usual is how long the reference task takes on the computer for which the limits were set.
const Usual = 1400 * time.Microsecond

// Now is a function that returns how many times slower this computer is than the computer for which the limits were
// set. It returns at least 1. Other programs can interrupt the task, so only the fastest of many runs counts. So the
// result says how fast the processor is, and not how busy it is. Each call of Now() measures again, because the speed
// of a processor can change.
func Now() float64 {
	const runs = 40
	fastest := time.Hour
	for range runs {
		began := time.Now()
		Task()
		fastest = min(fastest, time.Since(began))
	}
	return Factor(fastest)
}

// Factor returns how many times longer than usual the reference task took. It returns at least 1.
func Factor(took time.Duration) float64 { return max(1, float64(took)/float64(Usual)) }

// Task is the reference task: it reads and writes a JSON document of 100 KB.
func Task() {
	text := "[" + strings.Repeat(`{"name":"a guideline","priority":700,"agents":["backend","frontend"],"enabled":true},`, 1200) + "{}]"
	var document []any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		panic(err)
	}
	if _, err := json.Marshal(document); err != nil {
		panic(err)
	}
}
