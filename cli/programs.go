package cli

import (
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

const installRemedy = "install all programs of guardrails into one folder (make install)"

// installedHooks returns the folder with the hook programs of the same installation.
func installedHooks() (string, error) { return findHooks(programPaths(os.Args[0]), os.TempDir()) }

// installedServer returns the path of the server program of the same installation.
func installedServer() (string, error) { return findServer(programPaths(os.Args[0])) }

// programPaths returns the paths of the running program. The first one is the path by which the program was called.
// This path can be a link that stays valid when a package manager moves the program.
func programPaths(called string) []string {
	var paths []string
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	if path, err := exec.LookPath(called); err == nil {
		if path, err = filepath.Abs(path); err == nil && isSameFile(path, self) {
			paths = append(paths, path)
		}
	}
	return append(paths, self)
}

func isSameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// findServer returns the server program that is in the same folder as one of the given programs.
func findServer(programs []string) (string, error) {
	problem := "guardrails cannot find the path of its own program"
	for i, program := range programs {
		path := setup.ProgramPath(filepath.Dir(program), product.Server, runtime.GOOS == "windows")
		if canRun(path) {
			return path, nil
		}
		if i == 0 {
			problem = path + ": cannot be run"
		}
	}
	return "", app.Failf("%s; %s", problem, installRemedy)
}

// findHooks returns the folder of the first given program that has all hook programs in the same folder. It rejects a
// temporary folder, because the client's settings would then contain paths of programs that will disappear.
func findHooks(programs []string, temp string) (string, error) {
	problem := "guardrails cannot find the path of its own program"
	for i, program := range programs {
		dir := filepath.Dir(program)
		if isTemporary(dir, temp) {
			return "", app.Failf("%s: is a temporary folder, and the hooks would disappear with it; "+
				"install the programs (make install), and run the installed guardrails", dir)
		}
		missing := missingHook(dir)
		if missing == "" {
			return dir, nil
		}
		if i == 0 {
			problem = missing + ": cannot be run, so the hooks would do nothing"
		}
	}
	return "", app.Failf("%s; %s", problem, installRemedy)
}

// isTemporary reports whether a folder is in the system's temporary folder, or was created by go run.
func isTemporary(dir, temp string) bool {
	if strings.Contains(filepath.ToSlash(dir), "/go-build") {
		return true
	}
	const separator = string(filepath.Separator)
	return temp != "" && strings.HasPrefix(host.Resolve(dir)+separator, host.Resolve(temp)+separator)
}

// missingHook returns the path of a hook program that is missing in a folder, or "".
func missingHook(dir string) string {
	for _, name := range product.Hooks() {
		if path := setup.ProgramPath(dir, name, runtime.GOOS == "windows"); !canRun(path) {
			return path
		}
	}
	return ""
}

func canRun(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
