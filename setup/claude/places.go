package claude

import (
	"os"
	"path/filepath"
	"runtime"

	"guardrails/internal/product"
)

func locate(env func(string) string) string {
	for _, dir := range places(env) {
		// A relative folder would be a folder of the guarded project, in which an agent can write.
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, name := range programNames(runtime.GOOS) {
			if path := filepath.Join(dir, name); executable(path) {
				return path
			}
		}
	}
	return ""
}

// places() returns the folders to search: first the folders of PATH, then the folders that the client's installers use.
func places(env func(string) string) []string {
	dirs := filepath.SplitList(env("PATH"))
	if home := product.Home(env); home != "" {
		dirs = append(dirs,
			filepath.Join(home, ".local", "bin"),
			filepath.Join(home, product.ClientFolder, "local"),
			filepath.Join(home, ".npm-global", "bin"))
	}
	for _, variable := range []string{"npm_config_prefix", "NPM_CONFIG_PREFIX"} {
		if prefix := env(variable); prefix != "" {
			dirs = append(dirs, filepath.Join(prefix, "bin"))
		}
	}
	if roaming := env("APPDATA"); roaming != "" {
		dirs = append(dirs, filepath.Join(roaming, "npm"))
	}
	return append(dirs, "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin")
}

func programNames(system string) []string {
	if system == "windows" {
		return []string{"claude.exe", "claude.cmd"}
	}
	return []string{"claude"}
}

func executable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	return runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0
}
