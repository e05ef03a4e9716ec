package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// method follows a method's call on a value.
func (w *coder) method(self datum, name string, args datum) datum {
	if d, ok := w.objectMethod(self, name, args); ok {
		return d
	}
	first := argument(args, 0)
	switch name {
	case among(name, "decode encode strip trim rstrip chomp toString to_s text content body string freeze dup String "+
		"result value read readText stdout strip! resolve absolute b Trim trimEnd absolutePath expand_path "+
		"flat to_a readlines readlines! getvalue"):
		return w.kept(self, name, args)
	case "join":
		return w.joinMethod(self, first)
	case "split":
		if len(args.items) == 0 {
			return splitList(self, " ")
		}
		return splitList(self, first.text)
	case "format":
		return formatBraces(self, args)
	case "replace", "gsub", "sub", "replaceAll":
		return replacedText(self, first, argument(args, 1))
	case "concat":
		return join(self, first)
	case "reverse":
		return reversed(self)
	case "chr":
		return spelled(self)
	case "map":
		return w.mapped(self, first)
	case "pack", "unpack", "unpack1":
		return packed(self, name, first)
	case "first", "last", "pop", "shift":
		if self.list {
			return argument(self, 0)
		}
	case among(name, "then forEach each map! each_line tap catch finally"):
		if first.name == "eval" || first.name == "Function" {
			return w.evalText(self)
		}
		return datum{taint: self.tainted() | args.tainted()}
	case among(name, "execute executescript executemany exec_driver_sql query raw execute_sql"):
		if w.tongue == groovy && name == "execute" {
			return w.started(self, w.runText(self))
		}
		if first.known && strings.Contains(first.text, " ") {
			w.a.sql(w.c, first.text)
		}
	case "constructor":
		if len(args.items) > 0 {
			return w.evalText(first)
		}
		return datum{name: "Function"}
	}
	return w.deedMethod(self, name, args)
}

// kept is a method that hands on the text it is called on.
func (w *coder) kept(self datum, name string, args datum) datum {
	switch {
	case self.class == fileOf:
		return w.contentOf(self)
	case strings.HasPrefix(self.name, "sys.stdin"), self.name == "process.stdin", self.name == "STDIN", self.name == "$stdin":
		return w.stdin()
	case self.class == process && len(args.items) > 0:
		return self
	}
	if name == "toString" || name == "decode" || name == "encode" {
		if how := argument(args, 0); how.known && self.known {
			return decodedBy(how.text, self)
		}
	}
	return self
}

// decodedBy is a text decoded by a named encoding.
func decodedBy(how string, d datum) datum {
	switch strings.ReplaceAll(how, "_", "-") {
	case "base64", "base-64":
		return decodeDatum(base64Text, d)
	case "hex":
		return decodeDatum(hexText, d)
	case "rot13", "rot-13":
		return decodeDatum(rotate, d)
	}
	return d
}

// joinMethod is Python's ", ".join(list) and everybody else's list.join(", ").
func (w *coder) joinMethod(self, first datum) datum {
	if w.tongue == python {
		if self.name != "" && !self.known {
			return joinPath(self, first)
		}
		return joinedList(first, self.text)
	}
	return joinedList(self, first.text)
}

// formatBraces fills the {} of Python's "…".format(…).
func formatBraces(self, args datum) datum {
	out := self
	for i := 0; i < len(args.items) && strings.Contains(out.text, "{}"); i++ {
		v := args.items[i].value()
		out.text = strings.Replace(out.text, "{}", v.text, 1)
		out.known = out.known && !v.partial
		out.taint |= v.taint
		if len(out.text) > maxJoined {
			return datum{taint: out.taint}
		}
	}
	if strings.Contains(out.text, "{") {
		out.known = false
		out.taint |= args.tainted()
	}
	return out
}

func replacedText(self, from, to datum) datum {
	if !self.known || !from.known || !to.known || len(self.text)*(len(to.text)+1) > 8*maxJoined || from.text == "" {
		return datum{taint: self.taint | to.taint}
	}
	self.text = strings.ReplaceAll(self.text, from.text, to.text)
	return self
}

// mapped is a list after a function: numbers to letters is the one that is followed.
func (w *coder) mapped(self, f datum) datum {
	out := datum{list: true, taint: self.taint}
	if f.name != "chr" && f.text != "chr" && !strings.HasSuffix(f.name, "fromCharCode") {
		return datum{taint: self.tainted()}
	}
	for _, item := range self.items {
		out.items = append(out.items, spelled(item))
	}
	return out
}

// packed is Ruby's ["…"].pack("H*") and "…".unpack1("m").
func packed(self datum, name string, how datum) datum {
	from := self
	if self.list {
		from = argument(self, 0)
	}
	upper := strings.ToUpper(how.text)
	switch {
	case upper == "H*" && name == "pack":
		return decodeDatum(hexText, from)
	case strings.HasPrefix(upper, "M") && name == "unpack":
		d := decodeDatum(base64Text, from)
		return datum{list: true, items: []datum{d}, taint: d.taint}
	case strings.HasPrefix(upper, "M") && name != "pack":
		return decodeDatum(base64Text, from)
	case strings.HasPrefix(upper, "C") || strings.HasPrefix(upper, "U"):
		return spelled(self)
	}
	return datum{taint: from.taint}
}

// deedMethod is a method of which the name says what it does, on an object that is not known.
func (w *coder) deedMethod(self datum, name string, args datum) datum {
	t := self.tainted() | args.tainted()
	switch name {
	case "connect", "createConnection", "connect_ex", "create_connection":
		if self.class == socket || len(args.items) > 0 && (w.tongue == python || w.tongue == script || w.tongue == lua) {
			if w.looksLikeSocket(self) {
				w.meetsAt(args)
				w.connect()
			}
		}
	case "recv", "gets", "recvfrom":
		if w.seen.connected {
			return datum{taint: fromSocket, text: "$received"}
		}
	case among(name, "sendmail send_message storbinary post put upload upload_file upload_fileobj put_object request send "+
		"publish"):
		if t := deepTaint(args, 0); t.isPrivate() {
			return w.send(urlOf(args), args)
		}
	case "fdopen", "dup2", "reopen":
		if w.seen.connected {
			w.a.mark(w.c, "connects its input and output to the network", effect.ReverseShell)
		}
	case "accept", "bind", "listen":
		w.seen.waits = true
		w.meetsAt(args)
		if name == "accept" {
			w.connect()
		}
		return datum{class: socket, taint: fromSocket, text: "$socket"}
	case among(name, "unlink rmdir write_text write_bytes rmtree touch"):
		if w.tongue == python {
			return w.pathMethod(self, name, args)
		}
	case among(name, "spawn exec execSync spawnSync system"):
		child := strings.Contains(strings.ToLower(self.name), "child")
		if w.tongue == script && child || name == "system" || name == "execSync" {
			return w.doRun(deed{kind: runCommand}, args)
		}
	}
	return datum{taint: t}
}

// looksLikeSocket reports whether what connects is a raw connection and not, say, a database.
func (w *coder) looksLikeSocket(self datum) bool {
	return self.class == socket || strings.Contains(strings.ToLower(self.name), "sock") || self.name == "s" || self.name == "net" || self.taint.has(fromSocket)
}
