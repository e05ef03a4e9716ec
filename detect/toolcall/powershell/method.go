package powershell

import (
	"strings"
	"unicode/utf16"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// powerMethod is a call of a method.
type powerMethod struct {
	p        *powerShell
	typeName string // lower case, without System., of a static call
	name     string
	target   powerArg
	args     []powerArg
	span     effect.Span
}

func (m *powerMethod) arg(i int) trace.Value {
	if i < len(m.args) {
		return m.args[i].single(" ")
	}
	return trace.Value{}
}

// taint is where the target and the arguments come from.
func (m *powerMethod) taint() trace.Taint {
	t := m.target.taint()
	for _, arg := range m.args {
		t |= arg.taint()
	}
	return t
}

func (m *powerMethod) call() powerArg {
	switch strings.TrimPrefix(m.typeName, "io.") {
	case "file", "directory":
		return powerArg{powerData: m.file()}
	}
	switch m.name {
	case words.Among(m.name, "downloadstring downloaddata openread getstringasync getasync getbytearrayasync"):
		m.fetch(m.arg(0))
		return powerArg{powerData: unknownWith(trace.FromNetwork)}
	case "downloadfile", "downloadfileasync", "downloadfiletaskasync":
		m.fetch(m.arg(0))
		m.p.write(m.arg(1), m.span, unknownWith(trace.FromNetwork))
	case words.Among(m.name, "uploadstring uploaddata uploadfile uploadvalues postasync"):
		m.send()
	case "frombase64string":
		return one(DecodeBase64(m.arg(0)))
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
			m.p.start(m.arg(0), []powerArg{{powerData: powerData{list: []trace.Value{m.arg(1)}}}}, m.span)
		}
	case "setenvironmentvariable":
		m.setEnvironment()
	case "gettype", "getfield":
		if text := strings.ToLower(m.arg(0).Text); strings.Contains(text, "amsi") {
			m.p.trace.Opaque(m.span, "reaches into the scanner for malicious scripts", effect.DefenseOff)
		}
	case "connect", "getstream":
		m.p.state.socket = true
		return powerArg{powerData: unknownWith(trace.FromSocket)}
	case "delete":
		m.deleteTarget()
	case "new":
		return m.construct()
	}
	return m.text()
}

// text is the outcome of the methods that work on texts.
func (m *powerMethod) text() powerArg {
	v := m.target.single(" ")
	switch m.name {
	case "replace":
		return one(replaced(v, []trace.Value{m.arg(0), m.arg(1)}))
	case words.Among(m.name, "trim trimend trimstart tostring tolower toupper normalize tochararray trimstop "+
		"expandenvironmentvariables getresult"):
		return m.target
	case "concat", "join":
		var all powerData
		for i, arg := range m.args {
			if i > 0 || m.name == "concat" {
				all.add(arg.powerData)
			}
		}
		if m.name == "join" {
			return one(all.single(m.arg(0).Text))
		}
		return one(all.single(""))
	case "format":
		var all powerData
		for _, arg := range m.args[min(1, len(m.args)):] {
			all.add(arg.powerData)
		}
		return one(format(m.arg(0), all.list))
	case "reverse":
		return powerArg{powerData: unknownWith(m.taint() | trace.Decoded)}
	case "getbytes":
		return one(m.arg(0))
	}
	return powerArg{powerData: unknownWith(m.taint())}
}

func (m *powerMethod) fetch(url trace.Value) {
	m.p.trace.Emit(effect.Effect{Kind: effect.Fetch, Host: trace.URLHost(url.Text), Span: m.span})
}

func (m *powerMethod) send() {
	t := m.taint()
	if m.name == "uploadfile" {
		v := m.arg(len(m.args) - 1)
		t |= m.p.read(v, m.span).taint()
	}
	m.p.upload(trace.URLHost(m.arg(0).Text), t, m.span)
}

// getString decodes bytes that FromBase64String gave.
func (m *powerMethod) getString() powerArg {
	v := m.arg(0)
	if strings.HasSuffix(m.target.single("").Text, "unicode") {
		v.Text = FromUTF16(v.Text)
	}
	if m.p.state.socket {
		v.Partial, v.Taint = true, v.Taint|trace.FromSocket
	}
	return one(v)
}

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

// FromUTF16 reads little-endian UTF-16, which is what PowerShell encodes commands in.
func FromUTF16(s string) string {
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])|uint16(s[i+1])<<8)
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
}

// invoke runs a script block or text through one of its methods.
func (m *powerMethod) invoke() powerArg {
	switch {
	case m.name == "create" && !strings.Contains(m.typeName, "scriptblock"):
		return m.text()
	case m.name == "create":
		return one(m.arg(0))
	case m.target.isCode:
		return powerArg{powerData: m.p.child(m.target.block, powerData{})}
	case m.name == "addscript" || m.name == "invokescript":
		return powerArg{powerData: m.p.Evaluate(m.arg(0), m.span)}
	case m.target.taint().Has(trace.FromNetwork|trace.Decoded|trace.FromSocket) || !m.target.single("").Partial:
		return powerArg{powerData: m.p.Evaluate(m.target.single(" "), m.span)}
	}
	return powerArg{powerData: unknownData()}
}

func (m *powerMethod) setEnvironment() {
	m.p.environ(m.arg(0).Text, m.arg(1), m.span)
	if strings.EqualFold(m.arg(2).Text, "machine") {
		m.p.trace.Opaque(m.span, "changes the environment of every user", effect.SystemChange)
	}
}

// deleteTarget is Delete() of an object: a file that Get-Item gave, or something else that is not known.
func (m *powerMethod) deleteTarget() {
	for _, v := range m.target.files {
		m.p.remove(v, m.span, trace.Removal{Tree: len(m.args) > 0 || m.target.tree, How: "deletes"})
	}
}

// construct is [Type]::new(…).
func (m *powerMethod) construct() powerArg {
	return powerArg{powerData: m.p.object(m.typeName, m.args)}
}

// object is a new object of a type.
func (p *powerShell) object(typeName string, args []powerArg) powerData {
	typeName = strings.ToLower(typeName)
	if strings.HasSuffix(typeName, "tcpclient") || strings.HasSuffix(typeName, "sockets.socket") || strings.HasSuffix(typeName, "udpclient") {
		p.state.socket = true
		return unknownWith(trace.FromSocket)
	}
	if strings.HasSuffix(typeName, "fileinfo") || strings.HasSuffix(typeName, "directoryinfo") {
		if len(args) > 0 {
			return powerData{list: []trace.Value{{Text: "$(…)", Quality: trace.Quality{Partial: true}}}, files: args[0].list}
		}
	}
	t := trace.Taint(0)
	for _, arg := range args {
		t |= arg.taint()
	}
	return unknownWith(t)
}

// file is a static method of File or Directory.
func (m *powerMethod) file() powerData {
	p, v := m.p, m.arg(0)
	directory := strings.HasSuffix(m.typeName, "directory")
	switch m.name {
	case "delete":
		p.remove(v, m.span, trace.Removal{Tree: directory && strings.Contains(m.arg(1).Text, "true"), How: "deletes"})
	case words.Among(m.name, "writealltext writeallbytes writealllines appendalltext appendalllines writealltextasync"):
		p.write(v, m.span, powerData{list: []trace.Value{m.arg(1)}})
	case words.Among(m.name, "create createtext appendtext openwrite createdirectory createsymboliclink setattributes "+
		"setaccesscontrol encrypt"):
		p.write(v, m.span, unknownWith(0))
	case "copy":
		content := p.read(v, m.span)
		p.write(m.arg(1), m.span, content)
	case "move", "replace":
		p.remove(v, m.span, trace.Removal{Tree: directory, Moved: true, How: "moves away"})
		p.write(m.arg(1), m.span, unknownWith(trace.FromFile))
	case words.Among(m.name, "readalltext readallbytes readalllines readlines openread opentext open readalltextasync"):
		return p.read(v, m.span)
	case "getfiles", "getdirectories", "enumeratefiles", "getfilesystementries":
		return powerData{files: []trace.Value{v}}
	case "exists":
		return unknownWith(0)
	}
	return powerData{}
}
