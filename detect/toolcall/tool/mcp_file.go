package tool

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/document"
	"guardrails/internal/product"
)

// maxServers is the maximum size in bytes of a file with MCP servers. A larger file is not compared.
const maxServers = 1 << 20

// otherServers handles a write to the project's file of MCP servers. If the guard's own entry stays the same,
// otherServers replaces the event guard_tamper with startup_change, because a person can be asked about startup_change.
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
	e.Drop(effect.GuardTamper)
	e.Reason = ""
	e.Note("changes which MCP servers Claude Code starts ("+product.MCPFile+")", effect.StartupChange)
}

// noteOwnHooks adds an event if a call writes hooks into a file that defines an agent, a skill or a command of the
// client, if it lets an agent work without the client's permissions, or if it changes what a Markdown rule enforces.
func noteOwnHooks(t *trace.Trace, call *toolCall) {
	e := &t.Effects[len(t.Effects)-1]
	if !strings.HasSuffix(e.Path, ".md") || !trace.InFolder(e.Path, product.ClientFolder) {
		return
	}
	whole := call.texts("content")
	for _, text := range slices.Concat(whole, call.texts("new_string"), call.texts("old_string")) {
		// The settings are between two lines of hyphens. An edit may contain only a part of the settings.
		head, _, _ := strings.Cut(strings.TrimPrefix(text, "---"), "\n---")
		if strings.Contains("\n"+head, "\nhooks:") {
			e.Note("defines hooks, which are commands that run automatically ("+e.Path+")", effect.StartupChange)
		}
		hasFields := strings.HasPrefix(text, "---") || len(whole) == 0
		if hasFields && (trace.IsRule(e.Path) && trace.Enforces(head) || strings.Contains(head, "bypassPermissions")) {
			e.Note("changes "+e.Path+", which the guard enforces", effect.GuardTamper)
		}
	}
}

// textAfter returns the text that a file has after a call of Write or Edit. It returns false if that text is unknown.
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

// keepsGuard is for a change of a file with MCP servers. It reports whether the change keeps the guard's own entry and
// affects only servers that have nothing to do with the guard.
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

// namesGuard reports whether a text may contain the name of the guard. It also returns true for a text with escapes,
// because escapes can spell the name.
func namesGuard(text string) bool {
	return strings.Contains(strings.ToLower(text), product.MCPServer) || strings.Contains(text, `\u`)
}

// serverFile holds the content of a file with MCP servers: the name and the compact JSON of each server, and the rest
// of the file.
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

// compact() removes the white space between the parts of a JSON text.
func compact(raw []byte) string {
	out := make([]byte, 0, len(raw))
	quoted, escaped := false, false
	for _, c := range raw {
		if !quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			continue
		}
		if c == '"' && !escaped {
			quoted = !quoted
		}
		escaped = quoted && c == '\\' && !escaped
		out = append(out, c)
	}
	return string(out)
}
