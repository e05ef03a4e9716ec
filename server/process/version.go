package process

import "runtime/debug"

// Version returns the given release version. If the parameter "release" is empty, Version returns the version that Go
// recorded in the program.
func Version(release string) string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
