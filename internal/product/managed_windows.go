package product

// ManagedDir returns the folder with the administrator's settings and guidelines for the whole machine. It does not
// depend on the environment, because a project can change the environment.
func ManagedDir() string { return `C:\ProgramData\` + folder }
