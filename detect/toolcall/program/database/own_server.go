package database

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// own_server.go is about servers that the call itself starts. What such a server holds comes from the call too.

// startServer analyzes the start of a database server. It records the port if the server begins without data: the
// folder of the server must be temporary or unused, and the server must read no file with settings. It does not record
// the usual port, the ports right after the usual port, and the ports whose number ends with that of the usual port.
// Other servers often use these ports.
func startServer(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "p port save appendonly dir -sd sd store_dir daemonize pidfile logfile P pid a addr n name")
	folder, port := o.LastText("dir sd store_dir"), o.LastText("p port")
	if c.Name == "nats-server" || o.HasWhole("save") && o.LastText("save") == "" && strings.TrimPrefix(o.LastText("appendonly"), "no") == "" {
		folder = words.OrElse(folder, "/tmp/x")
	}
	if p := t.Place(trace.Value{Text: folder + "/x"}, c.Scope); p.Zone == trace.Scratch && len(o.Operands) == 0 && !o.Has("c config") &&
		(len(port) == 5 && !strings.HasSuffix(port, "6379") || strings.HasPrefix(port, "639")) {
		t.NoteMade("port "+port+" tmp", true, c.Scope)
	}
	return program.Plain(t, c)
}

// ForgiveOwn is for a server that the call itself has started. It removes the events of a command that stops this
// server, or that deletes or changes only data in this server.
func ForgiveOwn(t *trace.Trace, c *trace.Command) {
	if t.HasMade() && c.Run < len(t.Effects) && len(t.Effects[c.Run].Events) > 0 &&
		connectsToOwn(t, c) {
		t.Effects[c.Run].Drop(effect.DestructiveOp, effect.SystemControl, effect.Publish, effect.DevopsInvoked)
	}
}

// connectsToOwn reports whether a client connects to a server that the call has started. It returns false if the
// commands for the server are in a file, or if they may connect to another server.
func connectsToOwn(t *trace.Trace, c *trace.Command) bool {
	var spec string
	ports, other, host := "p port", "f file", "localhost"
	switch c.Name {
	case "psql":
		spec, host = postgresValues, ""
	case "mysql", "mariadb": // for these clients, "localhost" stands for a socket, whatever the port is
		spec, ports, other, host = mysqlValues, "P port", "S socket protocol", ""
	case "redis-cli", "valkey-cli":
		spec, other = "h p a n r i u s", "u s eval cluster"
	case "mongo", "mongosh":
		spec, ports = "u p host port eval", "port"
	case "vault", "bao":
		address := c.Scope.Exported("VAULT_ADDR").Text
		for _, name := range strings.Fields("BAO_ADDR VAULT_AGENT_ADDR BAO_AGENT_ADDR VAULT_PROXY_ADDR VAULT_HTTP_PROXY") {
			_, isSet := c.Scope.Vars.Find(name)
			if isSet || t.Env.Variable != nil && t.Env.Variable(name) != "" {
				return false // it takes precedence over VAULT_ADDR
			}
		}
		return !strings.Contains(trace.JoinAll(c.Args()), "-address") && t.OwnAddress(address, c.Scope)
	case "nats":
		spec, ports, other = "s server context user creds", "-", "-"
	default:
		return false
	}
	o := flags.Parse(c.Args(), spec)
	text := c.In.Text + trace.JoinAll(o.Values(sqlFlags+" eval"))
	if upper := strings.ToUpper(text); o.Has(other) || c.In.From() != "" || connects(upper) || strings.Contains(upper, "MONGO(") ||
		strings.Contains(upper, "DBLINK") || c.Scope.Exported("PGHOSTADDR").Text+c.Scope.Exported("PGSERVICE").Text != "" {
		return false
	}
	address, port := o.LastText("h host s server"), o.LastText(ports)
	switch {
	case port != "":
		address = words.OrElse(address, host) + ":" + port
		if strings.ContainsAny(trace.JoinAll(o.Operands)+o.LastText("d dbname"), ":=/.") ||
			spec == mysqlValues && strings.HasPrefix(address, "localhost") {
			return false
		}
	case address == "" && !o.Has("d dbname") && len(o.Operands) == 1:
		address = o.Word(0)
	}
	return t.OwnAddress(address, c.Scope)
}
