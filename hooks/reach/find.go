package reach

import (
	"os"
	"path/filepath"
	"runtime"

	"guardrails/internal/product"
)

// FindServer is the server's binary beside a hook's own binary, as FindCLI is the command line's.
func FindServer(self string) string { return beside(self, product.Server) }

// FindCLI is the guardrails binary beside a hook's own binary, whose path (of os.Executable) is given; empty when there is
// none. The search path is never asked: whoever can set it would choose what answers for the guard.
func FindCLI(self string) string { return beside(self, product.CLI) }

func beside(self, name string) string {
	if !filepath.IsAbs(self) {
		return ""
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(filepath.Dir(self), name)
	if info, err := os.Stat(path); err != nil || !executable(info) {
		return ""
	}
	return path
}
