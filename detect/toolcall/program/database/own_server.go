package database

import (
	"strconv"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// own_server.go is about servers that the call itself starts. What such a server holds comes from the call too.

// nearUsual is the largest distance between the usual port of a server and the ports of other servers that people often
// keep running, such as 6380 for a second Redis.
const nearUsual = 10

// startServer analyzes the start of a database server. It records the port if the server begins without data: its
// folder must be temporary, and no file with settings may be read.
func startServer(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "p port save dir -sd sd store_dir dbpath daemonize pidfile logfile logpath P pid a addr bind_ip n name")
	folder := o.LastText("dir sd store_dir dbpath")
	usual := 6379
	switch c.Name {
	case "nats-server":
		usual = 4222
		folder = words.OrElse(folder, "/tmp/x") // the default folder is temporary
	case "mongod":
		usual = 27017
	default:
		if o.HasWhole("save") && o.LastText("save") == "" && !o.Has("appendonly") {
			folder = words.OrElse(folder, "/tmp/x") // the server never saves its data
		}
	}
	port := o.LastText("p port")
	number, _ := strconv.Atoi(port)
	if len(o.Operands) == 0 && !o.Has("c config f") && (number < usual-nearUsual || number > usual+nearUsual) {
		if p := t.Place(trace.Value{Text: folder}, c.Scope); p.Zone == trace.Scratch {
			t.NotePort(port, true, c.Scope)
		}
	}
	return program.Plain(t, c)
}

// ForgiveOwn removes the events of a command that deletes or changes only what a server holds that the call itself has
// started, or that stops this server.
func ForgiveOwn(t *trace.Trace, c *trace.Command) {
	if (!t.HasServers() && c.Name != "clickhouse") || c.Run >= len(t.Effects) || len(t.Effects[c.Run].Events) == 0 ||
		!connectsToOwn(t, c) {
		return
	}
	e := &t.Effects[c.Run]
	e.Drop(func(event effect.Event) bool {
		return event == effect.DestructiveOp || event == effect.SystemControl || event == effect.Publish
	})
	if len(e.Events) == 0 {
		e.Reason = ""
	}
}

// connectsToOwn reports whether a client connects to a server that the call has started.
func connectsToOwn(t *trace.Trace, c *trace.Command) bool {
	spec := sqlValues + " server context"
	switch c.Name {
	case "psql", "pgcli":
		spec = postgresValues
	case "mysql", "mariadb":
		spec = mysqlValues
	case "redis-cli", "valkey-cli", "mongo", "mongosh":
		spec = "h p a n u r i s d user pass eval host port f file"
	}
	o := flags.Parse(c.Args(), spec)
	name, _ := serverOf(c.Scope, &o)
	host := o.LastText("h host")
	text := c.In.Text + trace.JoinAll(o.Values(sqlFlags+" eval"))
	if c.Name != "nats" && o.Has("f file S socket protocol cluster") || c.In.From() != "" {
		return false // the server may be another one, or the commands are not known
	}
	switch c.Name {
	case "clickhouse": // "clickhouse local" forgets its tables; without a string, the SQL names no file and no server
		return o.Word(0) == "local" && !o.Has("path config-file C queries-file") && !strings.ContainsAny(text, "'$`")
	case "redis-cli", "valkey-cli":
		if o.Has("u s eval") {
			return false
		}
		name = words.OrElse(host, "localhost") + ":" + o.LastText("p")
	case "mongo", "mongosh":
		switch {
		case len(o.Operands) > 1 || switches(text) || strings.Contains(text, "Mongo("):
			return false
		case !strings.ContainsAny(name, ":./"):
			name = words.OrElse(host, "localhost") + ":" + o.LastText("port")
		}
	case "mysql", "mariadb": // for these clients, "localhost" stands for a socket, whatever the port is
		if name = host + ":" + o.LastText("P port"); host == "localhost" {
			return false
		}
	case "psql", "pgcli":
		switch {
		case connects(strings.ToUpper(text)), c.Scope.Exported("PGHOSTADDR").Text+c.Scope.Exported("PGSERVICE").Text != "":
			return false
		case !strings.ContainsAny(name, ":="):
			name = host + ":" + o.LastText("p port")
		}
	case "nats":
		name = o.LastText("s server")
	case "regctl", "crane", "oras":
		name = c.Argv[len(c.Argv)-1].Text
	default:
		return false
	}
	return t.OwnAddress(name, c.Scope)
}
