// Package cloud analyzes programs for containers, clusters, clouds, infrastructure, forges and secrets.
package cloud

import "guardrails/detect/toolcall/trace"

// Handler returns the handler of a program for containers, clusters, clouds, infrastructure, forges or secrets. It
// returns nil for any other program.
func Handler(name string) trace.Handler {
	if name == "gh" || name == "glab" {
		return forge
	}
	for _, group := range [...]func(string) trace.Handler{engineHandler, embeddedHandler, cloudHandler, vaultHandler, table.Handler} {
		if h := group(name); h != nil {
			return h
		}
	}
	return nil
}
