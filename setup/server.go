package setup

import (
	"fmt"

	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/setup/jsontext"
)

// The client's keys for MCP servers.
const (
	serversKey = "mcpServers"
	enabledKey = "enabledMcpjsonServers"
)

func (p *planner) enterServer() error {
	if !p.MCP || p.Server == "" {
		return nil
	}
	d, err := p.open(p.Server)
	if err != nil {
		return err
	}
	have, err := d.server()
	if err != nil {
		return err
	}
	d.recall(have != nil)
	want := jsontext.Object{
		{Name: "command", Value: ProgramPath(p.Bin, product.CLI, p.Windows)},
		{Name: "args", Value: jsontext.Words{"mcp"}},
	}
	if have == nil || !d.Same(have, want) {
		d.keepSpaces(serversKey)
		if d.At(serversKey) == nil {
			d.Set(serversKey, jsontext.Object{})
		}
		d.Set(product.MCPServer, want, serversKey)
		d.say(serverReason(have))
	}
	p.close(d)
	return nil
}

func serverReason(have *jsontext.Node) string {
	if have == nil {
		return "adds the MCP server"
	}
	var names []string
	if env := have.Member("env"); env != nil {
		for _, m := range env.Members {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return "replaces the entry of the MCP server"
	}
	return "replaces the entry of the MCP server, without its env (" + words(names) + "), because hooks do not read it; " +
		"name the store in " + product.ConfigFile
}

// server() returns the entry of our server, or nil. If another program has the same name, it returns an error.
func (d *editedFile) server() (*jsontext.Node, error) {
	servers := d.At(serversKey)
	if servers == nil {
		return nil, nil
	}
	if err := d.Want(servers, serversKey, document.Object); err != nil {
		return nil, err
	}
	n := servers.Member(product.MCPServer)
	if n == nil {
		return nil, nil
	}
	path := document.Join(serversKey, product.MCPServer)
	if err := d.Want(n, path, document.Object); err != nil {
		return nil, err
	}
	command, _ := d.String(n.Member("command"))
	if name := product.ProgramName(command); name != product.CLI {
		return nil, d.Wrong(n, path, fmt.Sprintf("runs %s, which is another program", document.Excerpt(command)),
			"give this entry another name")
	}
	return n, nil
}

// enableServer allows the server in advance, so that the client does not ask about the server.
func (d *editedFile) enableServer() {
	list := d.At(enabledKey)
	if list != nil && list.Kind != document.List {
		return // Without this setting, the client asks about the server.
	}
	if list != nil && d.enabled(list) >= 0 {
		return
	}
	if list == nil {
		d.Set(enabledKey, jsontext.Words{product.MCPServer})
	} else {
		d.keepSpaces(enabledKey)
		d.Append(product.MCPServer, enabledKey)
	}
	d.say("allows the client to start the MCP server")
}

func (d *editedFile) enabled(list *jsontext.Node) int {
	for i, item := range list.Items {
		if name, _ := d.String(item); name == product.MCPServer {
			return i
		}
	}
	return -1
}

func (d *editedFile) disableServer() {
	list := d.At(enabledKey)
	if list == nil || list.Kind != document.List {
		return
	}
	if i := d.enabled(list); i >= 0 {
		d.Remove(enabledKey, i)
		d.prune(enabledKey)
		d.say("no longer allows the client to start the MCP server")
	}
}

func (p *planner) removeServer() error {
	if p.Server == "" {
		return nil
	}
	d, err := p.openExisting(p.Server)
	if err != nil {
		// The client cannot read this file, so the client does not start our server. The user receives only a note.
		p.note(err.Error())
		return nil
	}
	if d == nil {
		return nil
	}
	if have, _ := d.server(); have == nil {
		// The entry belongs to another program, so it stays.
		return nil
	}
	p.served = true
	d.Remove(serversKey, product.MCPServer)
	d.prune(serversKey)
	d.say("removes the MCP server")
	p.closeRemoved(d)
	return nil
}
