package toolcall

import "guardrails/detect/toolcall/words"

// PathArgument returns the name of the argument that holds a tool's path or address.
func PathArgument(tool string) string {
	switch tool {
	case words.Among(tool, "Write Edit MultiEdit Read View Replace"):
		return "file_path"
	case "NotebookEdit", "NotebookRead":
		return "notebook_path"
	case "WebFetch":
		return "url"
	}
	return "path"
}
