package powershell

import (
	"strings"
	"unicode/utf16"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

type methodCall struct {
	p        *interpreter
	typeName string // the type of a static method, in lower case and without "System."
	name     string
	target   argument
	args     []argument
	span     effect.Span
}

func (m *methodCall) arg(i int) trace.Value {
	if i < len(m.args) {
		return m.args[i].single(" ")
	}
	return trace.Value{}
}

func (m *methodCall) taint() trace.Taint {
	t := m.target.taint()
	for _, arg := range m.args {
		t |= arg.taint()
	}
	return t
}

func (m *methodCall) call() argument {
	switch strings.TrimPrefix(m.typeName, "io.") {
	case "file", "directory":
		return argument{objects: m.file()}
	}
	switch m.name {
	case words.Among(m.name, "downloadstring downloaddata openread getstringasync getasync getbytearrayasync"):
		m.fetch(m.arg(0))
		return argument{objects: unknownFrom(trace.FromNetwork)}
	case "downloadfile", "downloadfileasync", "downloadfiletaskasync":
		m.fetch(m.arg(0))
		m.p.write(m.arg(1), m.span, unknownFrom(trace.FromNetwork))
	case words.Among(m.name, "uploadstring uploaddata uploadfile uploadvalues postasync"):
		m.send()
	case "frombase64string":
		return valueArgument(DecodeBase64(m.arg(0)))
	case "getstring":
		return m.getString()
	case words.Among(m.name, "invoke invokescript invokereturnasis addscript create begininvoke"):
		return m.invoke()
	case "load", "loadfile", "loadfrom":
		if strings.Contains(m.typeName, "assembly") && m.taint().Has(trace.FromNetwork|trace.Decoded|trace.FromSocket) {
			m.p.runUnknown(m.taint(), m.span, "loads a program")
		}
	case "start":
		if strings.HasSuffix(m.typeName, "process") {
			m.p.startProgram(m.arg(0), []argument{{objects: objects{values: []trace.Value{m.arg(1)}}}}, m.span)
		}
	case "setenvironmentvariable":
		m.setEnvironment()
	case "gettype", "getfield":
		if text := strings.ToLower(m.arg(0).Text); strings.Contains(text, "amsi") {
			m.p.trace.Opaque(m.span, "tampers with the scanner for malicious scripts", effect.DefenseOff)
		}
	case "connect", "getstream":
		m.p.state.socket = true
		return argument{objects: unknownFrom(trace.FromSocket)}
	case "gettemppath":
		if m.typeName == "io.path" {
			return valueArgument(trace.Value{Text: "/tmp/temp/"})
		}
	case "extracttodirectory":
		m.p.unpack(m.arg(1), m.span)
	case "delete":
		m.deleteTarget()
	case "new":
		return argument{objects: m.p.object(m.typeName, m.args)}
	}
	return m.text()
}

// text() returns the result of a string method.
func (m *methodCall) text() argument {
	v := m.target.single(" ")
	switch m.name {
	case "replace":
		return valueArgument(replaceWith(v, []trace.Value{m.arg(0), m.arg(1)}))
	case words.Among(m.name, "trim trimend trimstart tostring tolower toupper normalize tochararray trimstop "+
		"expandenvironmentvariables getresult"):
		return m.target
	case "concat", "join":
		var all objects
		for i, arg := range m.args {
			if i > 0 || m.name == "concat" {
				all.add(arg.objects)
			}
		}
		if m.name == "join" {
			return valueArgument(all.single(m.arg(0).Text))
		}
		return valueArgument(all.single(""))
	case "format":
		var all objects
		for _, arg := range m.args[min(1, len(m.args)):] {
			all.add(arg.objects)
		}
		return valueArgument(format(m.arg(0), all.values))
	case "reverse":
		return argument{objects: unknownFrom(m.taint() | trace.Decoded)}
	case "getbytes":
		return valueArgument(m.arg(0))
	}
	return argument{objects: unknownFrom(m.taint())}
}

func (m *methodCall) fetch(url trace.Value) {
	m.p.trace.Emit(effect.Effect{Kind: effect.Fetch, Host: trace.URLHost(url.Text), Span: m.span})
}

func (m *methodCall) send() {
	t := m.taint()
	if m.name == "uploadfile" {
		v := m.arg(len(m.args) - 1)
		t |= m.p.read(v, m.span).taint()
	}
	m.p.upload(trace.URLHost(m.arg(0).Text), t, m.span)
}

// getString evaluates the method GetString(), which converts bytes to a string. The bytes usually come from
// FromBase64String().
func (m *methodCall) getString() argument {
	v := m.arg(0)
	if strings.HasSuffix(m.target.single("").Text, "unicode") {
		v.Text = FromUTF16(v.Text)
	}
	if m.p.state.socket {
		v.Partial, v.Taint = true, v.Taint|trace.FromSocket
	}
	return valueArgument(v)
}

// DecodeBase64 decodes a value with or without padding. A value that cannot be decoded becomes unknown.
func DecodeBase64(v trace.Value) trace.Value {
	if v.Partial {
		return trace.Value{Text: v.Text, Quality: trace.Quality{Partial: true, Taint: v.Taint | trace.Decoded}}
	}
	text := strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' || r == '\r' || r == '\t' {
			return -1
		}
		return r
	}, v.Text)
	raw, ok := words.FromPlainBase64(strings.TrimRight(text, "="))
	if !ok {
		return trace.Value{Text: "$(…)", Quality: trace.Quality{Partial: true, Taint: v.Taint | trace.Decoded}}
	}
	return trace.Value{Text: raw, Quality: trace.Quality{Taint: v.Taint | trace.Decoded}}
}

// FromUTF16 decodes little-endian UTF-16, which PowerShell uses for encoded commands.
func FromUTF16(s string) string {
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])|uint16(s[i+1])<<8)
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
}

// invoke() analyzes a PowerShell method that runs a script block or a text. The code is in the target or in the
// argument of the PowerShell method.
func (m *methodCall) invoke() argument {
	switch {
	case m.name == "create" && !strings.Contains(m.typeName, "scriptblock"):
		return m.text()
	case m.name == "create":
		v := m.arg(0)
		v.Text = "{" + v.Text + "}"
		block := valueArgument(v)
		block.findBlock()
		return block
	case m.target.isCode:
		return argument{objects: m.p.child(m.target.block, objects{})}
	case m.name == "addscript" || m.name == "invokescript":
		return argument{objects: m.p.evaluate(m.arg(0), m.span)}
	case m.target.taint().Has(trace.FromNetwork|trace.Decoded|trace.FromSocket) || !m.target.single("").Partial:
		return argument{objects: m.p.evaluate(m.target.single(" "), m.span)}
	}
	return argument{objects: unknownObject()}
}

func (m *methodCall) setEnvironment() {
	m.p.noteVariable(m.arg(0).Text, m.arg(1), m.span)
	switch scope := strings.ToLower(m.arg(2).Text); {
	case scope == "machine":
		m.p.trace.Opaque(m.span, "changes the environment variables of every user", effect.SystemChange)
	case scope == "user" && strings.EqualFold(m.arg(0).Text, "path"):
		m.p.trace.Opaque(m.span, "changes PATH for all later sessions", effect.StartupChange)
	}
}

// deleteTarget analyzes the method Delete() of a file object. Get-Item, for example, returns such objects.
func (m *methodCall) deleteTarget() {
	files := m.target.files
	for _, v := range m.target.values {
		if v.Glob { // the text is the path that oneByOne() has put in place of a file object
			files = append(files[:len(files):len(files)], v)
		}
	}
	for _, v := range files {
		m.p.remove(v, m.span, trace.Removal{Tree: len(m.args) > 0 || m.target.tree, How: "deletes"})
	}
}

func (p *interpreter) object(typeName string, args []argument) objects {
	typeName = strings.ToLower(typeName)
	if strings.HasSuffix(typeName, "tcpclient") || strings.HasSuffix(typeName, "udpclient") ||
		strings.HasSuffix(typeName, "sockets.socket") {
		p.state.socket = true
		return unknownFrom(trace.FromSocket)
	}
	if strings.HasSuffix(typeName, "fileinfo") || strings.HasSuffix(typeName, "directoryinfo") {
		if len(args) > 0 {
			return objects{values: []trace.Value{{Text: "$(…)", Quality: trace.Quality{Partial: true}}}, files: args[0].values}
		}
	}
	var t trace.Taint
	for _, arg := range args {
		t |= arg.taint()
	}
	return unknownFrom(t)
}

// file() analyzes a static method of File or Directory.
func (m *methodCall) file() objects {
	p, v := m.p, m.arg(0)
	directory := strings.HasSuffix(m.typeName, "directory")
	switch m.name {
	case "delete":
		p.remove(v, m.span, trace.Removal{Tree: directory && strings.Contains(m.arg(1).Text, "true"), How: "deletes"})
	case words.Among(m.name, "writealltext writeallbytes writealllines appendalltext appendalllines writealltextasync"):
		p.write(v, m.span, objects{values: []trace.Value{m.arg(1)}})
	case words.Among(m.name, "create createtext appendtext openwrite createdirectory createsymboliclink setattributes "+
		"setaccesscontrol encrypt"):
		p.write(v, m.span, unknownFrom(0))
	case "copy":
		content := p.read(v, m.span)
		p.write(m.arg(1), m.span, content)
	case "move", "replace":
		p.remove(v, m.span, trace.Removal{Tree: directory, Moved: true, How: "moves away"})
		p.write(m.arg(1), m.span, unknownFrom(trace.FromFile))
	case words.Among(m.name, "readalltext readallbytes readalllines readlines openread opentext open readalltextasync"):
		return p.read(v, m.span)
	case "getfiles", "getdirectories", "enumeratefiles", "getfilesystementries":
		return objects{files: []trace.Value{v}}
	case "exists":
		return unknownFrom(0)
	}
	return objects{}
}
