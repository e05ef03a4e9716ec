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
	folder := o.Values("dir sd store_dir dbpath")
	begins, usual := len(folder) > 0, 6379
	switch c.Name {
	case "nats-server":
		begins, usual = true, 4222 // the default folder is temporary
	case "mongod":
		usual = 27017
	default:
		begins = begins || len(o.Values("save")) == 1 && o.LastText("save") == "" && !o.Has("appendonly")
	}
	for _, v := range folder {
		p := t.Place(v, c.Scope)
		begins = begins && p.Zone == trace.Scratch
	}
	port := o.LastText("p port")
	number, _ := strconv.Atoi(port)
	if begins && len(o.Operands) == 0 && !o.Has("c config f") && (number < usual-nearUsual || number > usual+nearUsual) {
		t.NotePort(port, 0, c.Scope)
	}
	return program.Plain(t, c)
}

// usesOwnServer reports whether an SQL client connects to a server that the call has started. For mysql, "localhost"
// stands for a socket, whatever the port is.
func usesOwnServer(t *trace.Trace, c *trace.Command, o *flags.Options) bool {
	name, _ := serverOf(c.Scope, o)
	isMySQL := words.OneOf(c.Name, "mysql mariadb")
	if !isMySQL && !words.OneOf(c.Name, "psql pgcli") || connects(strings.ToUpper(trace.JoinAll(o.Values(sqlFlags)))) ||
		c.Scope.Exported("PGHOSTADDR").Text+c.Scope.Exported("PGSERVICE").Text != "" {
		return false
	}
	if strings.Contains(name, "://") {
		return !isMySQL && t.OwnAddress(trace.Value{Text: name}, c.Scope)
	}
	host, port := o.LastText("h host"), o.LastText("p port")
	if isMySQL {
		port = o.LastText("P port")
	}
	return !strings.Contains(name, "=") && (host == "127.0.0.1" || host == "localhost" && !isMySQL) &&
		!o.Has("S socket protocol") && t.OwnPort(port, c.Scope)
}

// isScratch reports whether "clickhouse local" works only with tables that it forgets at its end. The SQL must contain
// no word that can stand for a file or for another server.
func isScratch(c *trace.Command, o *flags.Options) bool {
	if c.Name != "clickhouse" || o.Word(0) != "local" || o.Has("path config-file C queries-file") || c.In.From() != "" {
		return false
	}
	text := strings.ToUpper(c.In.Text + trace.JoinAll(o.Values(sqlFlags)))
	for word := range strings.FieldsSeq("MYSQL POSTGRES MONGO SQLITE REMOTE FILE S3 GCS URL ATTACH DBC REDIS ICEBERG DELTA HDFS " +
		"AZURE SYSTEM DISK :// $ `") {
		if strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// ownsPort reports whether a client connects to a server that the call has started. The client takes the host and the
// port from flags. Without a flag for the host, it connects to this machine.
func ownsPort(t *trace.Trace, c *trace.Command, o *flags.Options) bool {
	host := o.LastText("h host")
	return (host == "" || trace.IsLoopback(host)) && t.OwnPort(o.LastText("p port"), c.Scope)
}

// forgiveOwn removes the events of a command that deletes the data of a server or stops the server.
func forgiveOwn(t *trace.Trace, number int) {
	if number < len(t.Effects) {
		e := &t.Effects[number]
		e.Drop(func(event effect.Event) bool { return event == effect.DestructiveOp || event == effect.SystemControl })
		if len(e.Events) == 0 {
			e.Reason = ""
		}
	}
}
