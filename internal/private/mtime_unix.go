//go:build unix && !darwin

package private

import "syscall"

func modified(s *syscall.Stat_t) syscall.Timespec { return s.Mtim }
