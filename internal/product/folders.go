package product

import "path/filepath"

// The constant "folder" is the name of the product's folder in a user's data, state and runtime folders.
const folder = "guardrails"

// Home returns the user's home folder, or "" if the environment does not name one.
func Home(env func(string) string) string {
	if home := env(VariableHome); home != "" {
		return home
	}
	return env(variableProfile)
}

// DataDir returns the folder of the database, or "" if the environment names no absolute path for it.
func DataDir(env func(string) string) string {
	return userDir(env, VariableData, "share")
}

// DatabasePath returns the path of the default database, or "" if DataDir is unknown.
func DatabasePath(env func(string) string) string {
	if dir := DataDir(env); dir != "" {
		return filepath.Join(dir, DatabaseFile)
	}
	return ""
}

// StateDir returns the state folder, which contains everything that outlives a session. It returns "" if the
// environment names no absolute path for it.
func StateDir(env func(string) string) string {
	return userDir(env, VariableState, "state")
}

// ConfigDir returns the folder of the user's settings, or "" if the environment names no absolute path for it.
func ConfigDir(env func(string) string) string {
	if base := env(VariableConfig); filepath.IsAbs(base) {
		return filepath.Join(base, folder)
	}
	if home := env(VariableHome); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", folder)
	}
	return ""
}

// userDir returns the path of the product's folder. This folder is inside the folder that an environment variable
// names. If the variable is not set, the product's folder is in ~/.local/NAME, where NAME is the argument "name".
func userDir(env func(string) string, variable, name string) string {
	if base := env(variable); filepath.IsAbs(base) {
		return filepath.Join(base, folder)
	}
	if home := env(VariableHome); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", name, folder)
	}
	return ""
}

// SessionRuntimeDir returns the product's folder in the runtime folder of the login session, or "" if the environment
// names none.
func SessionRuntimeDir(env func(string) string) string {
	if base := env(VariableRuntime); filepath.IsAbs(base) {
		return filepath.Join(base, folder)
	}
	return ""
}

// ClientDir returns the folder in which the client stores a user's files, or "" if the environment names no home
// folder.
func ClientDir(env func(string) string) string {
	if dir := env(VariableClientDir); dir != "" {
		return dir
	}
	if home := Home(env); home != "" {
		return filepath.Join(home, ClientFolder)
	}
	return ""
}
