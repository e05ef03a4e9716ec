package product

import "path/filepath"

// folder is the name of the product's folder in the data, state and runtime folders of a user.
const folder = "guardrails"

// Home returns the user's home folder, or "" when the environment does not name one.
func Home(env func(string) string) string {
	if home := env(VariableHome); home != "" {
		return home
	}
	return env(variableProfile)
}

// DataDir returns the folder of the database, or "" when the environment names no absolute folder for it.
func DataDir(env func(string) string) string {
	return userDir(env, VariableData, "share")
}

// DatabasePath returns the path of the database that is used when none is configured, or "" when DataDir is not known.
func DatabasePath(env func(string) string) string {
	if dir := DataDir(env); dir != "" {
		return filepath.Join(dir, DatabaseFile)
	}
	return ""
}

// StateDir returns the folder of everything that outlives a session, or "" when the environment names no absolute folder
// for it.
func StateDir(env func(string) string) string {
	return userDir(env, VariableState, "state")
}

// ConfigDir returns the folder of the user's settings, or "" when the environment names no absolute folder for it.
func ConfigDir(env func(string) string) string {
	if base := env(VariableConfig); filepath.IsAbs(base) {
		return filepath.Join(base, folder)
	}
	if home := env(VariableHome); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", folder)
	}
	return ""
}

// userDir returns the product's folder in the base folder that a variable names, or else in ~/.local.
func userDir(env func(string) string, variable, name string) string {
	if base := env(variable); filepath.IsAbs(base) {
		return filepath.Join(base, folder)
	}
	if home := env(VariableHome); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", name, folder)
	}
	return ""
}

// SessionRuntimeDir returns the product's folder in the runtime folder of the user's login session, or "" when the
// environment names none.
func SessionRuntimeDir(env func(string) string) string {
	if base := env(VariableRuntime); filepath.IsAbs(base) {
		return filepath.Join(base, folder)
	}
	return ""
}

// ClientDir returns the folder in which the client keeps a user's files, or "" when the environment names no home.
func ClientDir(env func(string) string) string {
	if dir := env(VariableClientDir); dir != "" {
		return dir
	}
	if home := Home(env); home != "" {
		return filepath.Join(home, ClientFolder)
	}
	return ""
}
