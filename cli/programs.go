package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"guardrails/cli/app"
	"guardrails/host"
	"guardrails/internal/product"
	"guardrails/setup"
)

// installedTools is the folder of the hook binaries of the running program.
func installedTools() (string, error) {
	return findTools(programPaths(os.Args[0]), os.TempDir())
}

// installedServer is the server that belongs to the running program.
func installedServer() (string, error) { return findServer(programPaths(os.Args[0])) }

// findServer is the server that lies beside a program.
func findServer(programs []string) (string, error) {
	missing := "guardrails: its own path cannot be found"
	for i, program := range programs {
		path := setup.ProgramPath(filepath.Dir(program), product.Server, runtime.GOOS == "windows")
		if canRun(path) {
			return path, nil
		}
		if i == 0 {
			missing = path + ": cannot be run"
		}
	}
	return "", app.Failf("%s; install all programs of guardrails into one folder (make install)", missing)
}

// programPaths are the paths by which the running program is known. The one by which it was called comes first: it stays
// when a package manager moves the file that it leads to.
func programPaths(called string) []string {
	var paths []string
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	if path, err := exec.LookPath(called); err == nil {
		if path, err = filepath.Abs(path); err == nil && isSame(path, self) {
			paths = append(paths, path)
		}
	}
	return append(paths, self)
}

func isSame(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// findTools is the first folder of a program beside which all hook binaries lie, and will lie tomorrow.
func findTools(programs []string, temp string) (string, error) {
	missing := "guardrails: its own path cannot be found"
	for i, program := range programs {
		dir := filepath.Dir(program)
		if passing(dir, temp) {
			return "", app.Failf("%s: lies in a temporary folder, from which the hooks would vanish; install the programs (make install) and run guardrails from there", dir)
		}
		lacking := lackingTool(dir)
		if lacking == "" {
			return dir, nil
		}
		if i == 0 {
			missing = fmt.Sprintf("%s: cannot be run, so that the hooks would do nothing", lacking)
		}
	}
	return "", app.Failf("%s; install all programs of guardrails into one folder (make install)", missing)
}

// passing reports whether a folder is one that is cleared: the system's temporary one, or that of go run.
func passing(dir, temp string) bool {
	if strings.Contains(filepath.ToSlash(dir), "/go-build") {
		return true
	}
	return temp != "" && strings.HasPrefix(host.Resolve(dir)+string(filepath.Separator), host.Resolve(temp)+string(filepath.Separator))
}

// lackingTool is the path of a hook binary that a folder lacks; empty when all are there.
func lackingTool(dir string) string {
	windows := runtime.GOOS == "windows"
	for _, name := range product.Hooks() {
		if path := setup.ProgramPath(dir, name, windows); !canRun(path) {
			return path
		}
	}
	return ""
}

func canRun(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
