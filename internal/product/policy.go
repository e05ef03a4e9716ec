package product

// PolicyDir returns the folder with the client's settings by the machine's administrator. They apply to every user of
// the computer.
func PolicyDir(goos string) string {
	switch goos {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}
