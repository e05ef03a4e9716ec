package product

// PolicyDir returns the folder in which the machine's administrator keeps settings for the client. These settings apply
// to every user of the computer.
func PolicyDir(goos string) string {
	switch goos {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}
