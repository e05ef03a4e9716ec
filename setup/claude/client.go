// Package claude finds the Claude Code client of this computer and its version. It also knows which keys of a settings
// file this version understands. Start with Find.
//
// Two packages help tests and checks to control a client. Package "session" runs the client, and package "fakemodel"
// plays the client's model.
package claude

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"guardrails/internal/product"
)

// Client is an installed client.
type Client struct {
	// Path is the absolute path of the program.
	Path    string
	Version Version
}

// ErrNotFound means that no client is installed in the usual places.
var ErrNotFound = errors.New("no Claude Code client found")

// versionTimeout limits how long the client may take to print its version. It is long, because the first start reads
// 300 MB from the disk. Later starts take a tenth of a second.
const versionTimeout = 20 * time.Second

// Find returns the client that a person would start: the first client on PATH or, if there is none, a client in the
// usual folders. It reads PATH, HOME and the variables of npm.
func Find(ctx context.Context, env func(string) string) (*Client, error) {
	path := locate(env)
	if path == "" {
		return nil, fmt.Errorf("%w on PATH or in the usual folders: install it (https://claude.com/claude-code) or add "+
			"its folder to PATH", ErrNotFound)
	}
	return At(ctx, path, env)
}

// At is a function that returns the client whose program is at a path.
func At(ctx context.Context, path string, env func(string) string) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	// A client from npm is a script and needs PATH for its interpreter.
	cmd.Env = []string{"PATH=" + env("PATH"), "HOME=" + product.Home(env), "DISABLE_AUTOUPDATER=1"}
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("client %s does not answer --version: %w; reinstall it", path, err)
	}
	version, err := ParseVersion(string(out))
	if err != nil {
		return nil, fmt.Errorf("client %s: %w; reinstall it", path, err)
	}
	return &Client{Path: path, Version: version}, nil
}
