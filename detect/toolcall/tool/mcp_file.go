package tool

import (
	"bytes"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// maxServers limits the size of a file with MCP servers.
const maxServers = 1 << 20

// otherServers analyzes a write of a project's file of MCP servers. If the write keeps the guard's own entry unchanged,
// it replaces the event guard_tamper with startup_change, for which a person can be asked.
func otherServers(t *trace.Trace, call *toolCall, v trace.Value) {
	e := &t.Effects[len(t.Effects)-1]
	if e.Path != product.MCPFile || e.Kind != effect.Write || e.Unknown || e.Glob {
		return
	}
	abs := t.Place(v, call.sc).Abs
	before, there := []byte("{}"), true
	if t.Env.Missing == nil || !t.Env.Missing(abs) {
		if t.Env.Script == nil {
			return
		}
		before, there = t.Env.Script(abs, maxServers)
	}
	after, known := call.textAfter(before)
	if !there || !known || !keepsGuard(before, after) {
		return
	}
	e.Drop(func(event effect.Event) bool { return event == effect.GuardTamper })
	e.Reason = ""
	e.Note("changes which MCP servers Claude Code starts ("+product.MCPFile+")", effect.StartupChange)
}

// textAfter returns the text of a file after a call of Write or Edit.
func (c *toolCall) textAfter(before []byte) ([]byte, bool) {
	one := func(name string) (string, bool) {
		texts := c.texts(name)
		return strings.Join(texts, ""), len(texts) == 1
	}
	if c.name == "Write" {
		text, ok := one("content")
		return []byte(text), ok
	}
	old, found := one("old_string")
	renewed, ok := one("new_string")
	if c.name != "Edit" || !found || !ok || old == "" {
		return nil, false
	}
	times := 1
	if c.isTrue("replace_all") {
		times = -1
	}
	return []byte(strings.Replace(string(before), old, renewed, times)), true
}

// keepsGuard reports whether two texts of a file with MCP servers have the same entry of the guard, and differ only in
// servers that have nothing to do with the guard.
func keepsGuard(before, after []byte) bool {
	was, ok := servers(before)
	is, known := servers(after)
	if !ok || !known || was.rest != is.rest {
		return false
	}
	for i, name := range is.names {
		if entry := is.entries[i]; entry != was.entry(name) && namesGuard(name+entry) {
			return false
		}
	}
	return is.entry(product.MCPServer) == was.entry(product.MCPServer)
}

// namesGuard reports whether a text may name the guard. Escapes could spell its name.
func namesGuard(text string) bool {
	return strings.Contains(strings.ToLower(text), product.MCPServer) || strings.Contains(text, `\u`)
}

// serverFile holds the servers in a file, each with its entry as compact JSON, and the rest of the file.
type serverFile struct {
	names, entries []string
	rest           string
}

func (f *serverFile) entry(name string) string {
	for i := range f.names {
		if f.names[i] == name {
			return f.entries[i]
		}
	}
	return ""
}

func servers(text []byte) (*serverFile, bool) {
	f := &serverFile{}
	members, err := document.Members(text)
	if err != nil || !isObject(text) {
		return nil, false
	}
	lists := 0
	for _, m := range members {
		if m.Name != "mcpServers" {
			f.rest += m.Name + "\x00" + compact(m.Raw)
			continue
		}
		entries, err := document.Members(m.Raw)
		if lists++; err != nil || !isObject(m.Raw) || lists > 1 {
			return nil, false
		}
		for _, entry := range entries {
			if f.entry(entry.Name) != "" {
				return nil, false
			}
			f.names, f.entries = append(f.names, entry.Name), append(f.entries, compact(entry.Raw))
		}
	}
	return f, true
}

// compact returns JSON without the spaces between its parts.
func compact(raw []byte) string {
	var out bytes.Buffer
	quoted, escaped := false, false
	for _, c := range raw {
		if !quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			continue
		}
		if c == '"' && !escaped {
			quoted = !quoted
		}
		escaped = quoted && c == '\\' && !escaped
		out.WriteByte(c)
	}
	return out.String()
}
