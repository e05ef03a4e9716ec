// Package kernelclock asks the kernel about the clock of the computer.
package kernelclock

import "time"

// Reading is what the kernel knows about the clock at one moment.
type Reading struct {
	// SinceBoot is the time since the computer was started. The time in which the computer was suspended counts, too.
	// SinceBoot does not depend on what the clock shows, and nobody can change it.
	SinceBoot time.Duration
	// Synchronized is set if a time service, such as NTP, keeps the clock right. The kernel clears this flag if
	// somebody sets the clock by hand.
	Synchronized bool
}
