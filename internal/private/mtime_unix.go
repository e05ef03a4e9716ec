//go:build unix && !darwin

package private

import "syscall"

// changed() returns the time at which the content or the mode of a file last changed.
func changed(s *syscall.Stat_t) syscall.Timespec { return s.Ctim }

func modified(s *syscall.Stat_t) syscall.Timespec { return s.Mtim }
