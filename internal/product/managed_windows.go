package product

// ManagedDir returns the folder of the settings and guidelines that an administrator sets for the whole machine. It is
// not taken from the environment, because a project can change that.
func ManagedDir() string { return `C:\ProgramData\` + folder }
