package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// ofBudgets is how long the reference work takes on the computer that the budgets of functions were set on.
const ofBudgets = 1400 * time.Microsecond

// slowness is how many times slower this computer is at this moment than the one that the budgets of functions were set on;
// 1 where it is as fast or faster. Machines differ, and so do the hours of one.
func slowness() (float64, error) {
	text := "[" + strings.Repeat(`{"name":"a guideline","priority":700,"agents":["backend","frontend"],"enabled":true},`, 1200) + "{}]"
	const runs = 40
	fastest := time.Hour
	for range runs {
		began := time.Now()
		var document []any
		if err := json.Unmarshal([]byte(text), &document); err != nil {
			return 0, fmt.Errorf("the reference work: %w", err)
		}
		if _, err := json.Marshal(document); err != nil {
			return 0, fmt.Errorf("the reference work: %w", err)
		}
		fastest = min(fastest, time.Since(began))
	}
	return max(1, float64(fastest)/float64(ofBudgets)), nil
}
