package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// ofBudgets is the time that the reference task took on the computer for which the budgets were set.
const ofBudgets = 1400 * time.Microsecond

// slowness returns how many times slower this computer is than the computer for which the budgets were set. It returns
// at least 1. It measures again on each call, because other work can slow the computer down at any time.
func slowness() (float64, error) {
	text := "[" + strings.Repeat(`{"name":"a guideline","priority":700,"agents":["backend","frontend"],"enabled":true},`, 1200) + "{}]"
	const runs = 40
	fastest := time.Hour
	for range runs {
		began := time.Now()
		var document []any
		if err := json.Unmarshal([]byte(text), &document); err != nil {
			return 0, fmt.Errorf("the reference task: %w", err)
		}
		if _, err := json.Marshal(document); err != nil {
			return 0, fmt.Errorf("the reference task: %w", err)
		}
		fastest = min(fastest, time.Since(began))
	}
	return max(1, float64(fastest)/float64(ofBudgets)), nil
}
