package tooluse

func packageHandler(string) handler { return nil }

// isTestProgram reports whether a program's name alone says that it runs tests.
func isTestProgram(name string) bool { return name == "pytest" }
