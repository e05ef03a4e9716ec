package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"guardrails/hooks/reach"
	"guardrails/internal/product"
	"guardrails/setup"
	"guardrails/setup/jsontext"
)

const unstarted = "; until this is fixed, the client starts no server from the file"

// checkEntered checks the entry in .mcp.json with which the client starts the server. It returns a text that says which
// program the entry starts. If there is a problem, checkEntered adds a check and returns "".
func (x *Examination) checkEntered() (starts string) {
	path := setup.ForProject(x.root).Server
	t, err := readServers(path)
	if err != nil {
		x.add(linkServer, x.withoutServer(), err.Error()+unstarted, "fix the file, then "+x.runInit())
		return ""
	}
	n := t.At("mcpServers", product.MCPServer)
	switch {
	case n == nil && x.hooksOnlyIn(setup.User, setup.Local, setup.Managed):
		return "not installed, because only one person's settings have the hooks"
	case n == nil:
		x.add(linkServer, x.withoutServer(), path+": the server of guardrails is not installed, so "+x.meanwhile(),
			x.runInit())
		return ""
	}
	command, _ := t.String(n.Member("command"))
	place := fmt.Sprintf("%s:%d: ", path, t.Line(n))
	if flaw, remedy := x.flaw(t, n, command); flaw != "" {
		x.add(linkServer, x.withoutServer(), place+flaw, remedy)
		return ""
	}
	if !x.checkLeave() {
		return ""
	}
	return place + "starts " + command
}

// readServers reads a project's .mcp.json. If the file is missing, the result has no servers.
func readServers(path string) (*jsontext.Text, error) {
	text, err := setup.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return jsontext.Parse(path, text)
}

// flaw() says what is wrong with the server's entry, or returns "". The entry must start the server to which the hooks
// send their requests.
func (x *Examination) flaw(t *jsontext.Text, n *jsontext.Node, command string) (flaw, remedy string) {
	written := jsontext.Object{{Name: "command", Value: command}, {Name: "args", Value: jsontext.Words{"mcp"}}}
	path := x.locate(command)
	server := reach.FindServer(path)
	why, advice := x.unstartable(command)
	switch name := product.ProgramName(command); {
	case name != product.CLI:
		return fmt.Sprintf("the entry %s runs %.100q, which is another program", product.MCPServer, command),
			"give this entry another name, then " + x.runInit()
	case otherStore(n) != "":
		return "its env sets " + otherStore(n) + ", so the tools of the server and the hooks may use different stores",
			"name the store in " + product.ConfigFile + " (store: \"elasticsearch:URL\"), then " + x.runInit()
	case command != name && !filepath.IsAbs(command) || !t.Same(n, written):
		return "the entry " + product.MCPServer + " differs from the one that guardrails init writes", x.runInit()
	case why != "":
		return why, advice
	case server == "":
		return "the folder of " + path + " has no " + product.Server + ", so the server cannot start", x.installAgain()
	case x.enforcer() != "" && !sameFile(server, reach.FindServer(x.enforcer())):
		return "starts " + server + ", but the hooks trust only the programs in the folder of " + x.enforcer(), x.runInit()
	}
	return "", ""
}

// otherStore returns the variables in the server's entry that select another store, or "".
func otherStore(n *jsontext.Node) string {
	env := n.Member("env")
	if env == nil {
		return ""
	}
	var names []string
	for _, m := range env.Members {
		if product.IsLocation(m.Name) || m.Name == product.VariableStore || m.Name == product.VariableServer {
			names = append(names, m.Name)
		}
	}
	return strings.Join(names, " and ")
}

func sameFile(a, b string) bool {
	one, errOne := os.Stat(a)
	other, errOther := os.Stat(b)
	return errOne == nil && errOther == nil && os.SameFile(one, other)
}

// hooksOnlyIn reports whether at least one of our hooks is installed, and every installed one is in a settings file of
// the given scopes.
func (x *Examination) hooksOnlyIn(scopes ...setup.Scope) bool {
	found := false
	for _, f := range x.files {
		if len(f.ours()) == 0 {
			continue
		}
		if !slices.Contains(scopes, f.Scope) {
			return false
		}
		found = true
	}
	return found
}

// checkLeave reports whether the client is allowed to start the server without asking the user. If the client must ask
// the user or must not start the server, checkLeave adds a check with the reason.
func (x *Examination) checkLeave() bool {
	if place := x.naming("disabledMcpjsonServers"); place != "" {
		x.add(linkServer, x.withoutServer(), place+": disabledMcpjsonServers keeps the client from starting the server",
			"remove "+product.MCPServer+" from that list")
		return false
	}
	if x.naming("enabledMcpjsonServers") == "" && x.switching("enableAllProjectMcpServers") == nil {
		x.add(linkServer, x.withoutServer(), "no settings file allows the client to start the server: the client asks the "+
			"user first, and runs no server without an answer",
			"answer yes, or "+x.runInit())
		return false
	}
	return true
}

// naming() returns the place in the settings where the given list contains the name of our server, or "". It looks in
// all settings files, because the client joins the lists of all files.
func (x *Examination) naming(list string) string {
	for _, f := range x.files {
		t, err := jsontext.Parse(f.Path, f.text)
		if err != nil {
			continue
		}
		n := t.At(list)
		if n == nil {
			continue
		}
		for _, item := range n.Items {
			if name, _ := t.String(item); name == product.MCPServer {
				return fmt.Sprintf("%s:%d", f.Path, t.Line(item))
			}
		}
	}
	return ""
}
