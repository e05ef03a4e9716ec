package reach

import (
	"os"
	"path/filepath"
	"runtime"

	"guardrails/internal/product"
)

// FindServer returns the path of the server program, or "". The parameter "self" is the path of the hook program.
// FindServer looks in the same folder.
func FindServer(self string) string { return beside(self, product.Server) }

// FindCLI returns the path of the guardrails program, or "". The parameter "self" is the path of the hook program.
// FindCLI looks in the same folder. It does not use PATH, because an agent that can set PATH could replace the guard.
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
