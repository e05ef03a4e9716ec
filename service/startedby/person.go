package startedby

import (
	"cmp"
	"os"
	"os/user"
	"strconv"
	"strings"

	"guardrails/hooks"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Person returns an error unless a person has started this program.
func Person(env func(string) string) error {
	m, err := known(env)
	if err != nil {
		return err
	}
	return m.Check()
}

// PersonOrClient is like Person, but for a program that the client may start itself, such as an MCP server in the
// settings.
func PersonOrClient(env func(string) string) error {
	m, err := known(env)
	if err != nil {
		return err
	}
	return m.CheckClient()
}

// known() returns a Machine that knows when the clients of the user's sessions started. Hooks recorded these times.
func known(env func(string) string) (*Machine, error) {
	dir, err := private.Runtime(env)
	if err != nil {
		return This(env, nil), err
	}
	clients, err := hooks.ClientStarts(dir, hooks.TicksAt)
	states := []string{product.StateDir(env)}
	for _, other := range usualFolders(env) {
		states = append(states, product.StateDir(other))
		if _, err := os.Stat(cmp.Or(product.SessionRuntimeDir(other), product.TemporaryRuntimeDir(other))); err != nil {
			continue // no session has used this folder
		}
		dir, err := private.Runtime(other)
		if err != nil {
			continue // no session can have used this folder
		}
		if more, err := hooks.ClientStarts(dir, hooks.TicksAt); err == nil {
			clients = append(clients, more...)
		}
	}
	sessions := len(clients) > 0
	for _, state := range states {
		clients = append(clients, hooks.FirstClients(state, inUserNamespace(), sessions)...)
	}
	return This(env, clients), err
}

// usualFolders returns environments with the folders in which the user's sessions usually have their files. The
// variables of this process could name other folders, in which there is no session.
func usualFolders(env func(string) string) []func(string) string {
	home := realHome()
	if home == "" || !strings.HasPrefix(product.DataDir(env), home+"/") &&
		!strings.HasPrefix(product.StateDir(env), home+"/") {
		return nil // this process does not use the user's own guidelines
	}
	var out []func(string) string
	for _, runtime := range []string{"/run/user/" + strconv.Itoa(os.Geteuid()), ""} {
		out = append(out, func(name string) string {
			return map[string]string{product.VariableHome: home, product.VariableRuntime: runtime}[name]
		})
	}
	return out
}

// realHome returns the home folder of the user, even if the environment names another folder.
func realHome() string {
	if u, err := user.LookupId(strconv.Itoa(os.Getuid())); err == nil {
		return u.HomeDir
	}
	return ""
}
