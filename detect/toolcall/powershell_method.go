package toolcall

import (
	"strings"
	"unicode/utf16"

	"guardrails/detect/effect"
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

func (m *powerMethod) arg(i int) value {
	if i < len(m.args) {
		return m.args[i].single(" ")
	}
	return value{}
}

// taint is where the target and the arguments come from.
func (m *powerMethod) taint() taint {
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
	case among(m.name, "downloadstring downloaddata openread getstringasync getasync getbytearrayasync"):
		m.fetch(m.arg(0))
		return powerArg{powerData: unknownWith(fromNetwork)}
	case "downloadfile", "downloadfileasync", "downloadfiletaskasync":
		m.fetch(m.arg(0))
		m.p.write(m.arg(1), m.span, unknownWith(fromNetwork))
	case among(m.name, "uploadstring uploaddata uploadfile uploadvalues postasync"):
		m.send()
	case "frombase64string":
		return one(decodeBase64(m.arg(0)))
	case "getstring":
		return m.getString()
	case among(m.name, "invoke invokescript invokereturnasis addscript create begininvoke"):
		return m.invoke()
	case "load", "loadfile", "loadfrom":
		if strings.Contains(m.typeName, "assembly") && m.taint().has(fromNetwork|decoded|fromSocket) {
			m.p.runUnknown(m.taint(), m.span, "loads a program")
		}
	case "start":
		if strings.HasSuffix(m.typeName, "process") {
			m.p.start(m.arg(0), []powerArg{{powerData: powerData{list: []value{m.arg(1)}}}}, m.span)
		}
	case "setenvironmentvariable":
		m.setEnvironment()
	case "gettype", "getfield":
		if text := strings.ToLower(m.arg(0).text); strings.Contains(text, "amsi") {
			m.p.a.opaque(m.span, "reaches into the scanner for malicious scripts", effect.DefenseOff)
		}
	case "connect", "getstream":
		m.p.state.socket = true
		return powerArg{powerData: unknownWith(fromSocket)}
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
		return one(replaced(v, []value{m.arg(0), m.arg(1)}))
	case among(m.name, "trim trimend trimstart tostring tolower toupper normalize tochararray trimstop "+
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
			return one(all.single(m.arg(0).text))
		}
		return one(all.single(""))
	case "format":
		var all powerData
		for _, arg := range m.args[min(1, len(m.args)):] {
			all.add(arg.powerData)
		}
		return one(format(m.arg(0), all.list))
	case "reverse":
		return powerArg{powerData: unknownWith(m.taint() | decoded)}
	case "getbytes":
		return one(m.arg(0))
	}
	return powerArg{powerData: unknownWith(m.taint())}
}

func (m *powerMethod) fetch(url value) {
	m.p.a.emit(effect.Effect{Kind: effect.Fetch, Host: urlHost(url.text), Span: m.span})
}

func (m *powerMethod) send() {
	t := m.taint()
	if m.name == "uploadfile" {
		v := m.arg(len(m.args) - 1)
		t |= m.p.read(v, m.span).taint()
	}
	m.p.upload(urlHost(m.arg(0).text), t, m.span)
}

// getString decodes bytes that FromBase64String gave.
func (m *powerMethod) getString() powerArg {
	v := m.arg(0)
	if strings.HasSuffix(m.target.single("").text, "unicode") {
		v.text = fromUTF16(v.text)
	}
	if m.p.state.socket {
		v.partial, v.taint = true, v.taint|fromSocket
	}
	return one(v)
}

func decodeBase64(v value) value {
	if v.partial {
		return value{text: v.text, quality: quality{partial: true, taint: v.taint | decoded}}
	}
	text := strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' || r == '\r' || r == '\t' {
			return -1
		}
		return r
	}, v.text)
	raw, ok := fromPlainBase64(strings.TrimRight(text, "="))
	if !ok {
		return value{text: "$(…)", quality: quality{partial: true, taint: v.taint | decoded}}
	}
	return value{text: raw, quality: quality{taint: v.taint | decoded}}
}

// fromUTF16 reads little-endian UTF-16, which is what PowerShell encodes commands in.
func fromUTF16(s string) string {
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
		return powerArg{powerData: m.p.evaluate(m.arg(0), m.span)}
	case m.target.taint().has(fromNetwork|decoded|fromSocket) || !m.target.single("").partial:
		return powerArg{powerData: m.p.evaluate(m.target.single(" "), m.span)}
	}
	return powerArg{powerData: unknownData()}
}

func (m *powerMethod) setEnvironment() {
	m.p.environ(m.arg(0).text, m.arg(1), m.span)
	if strings.EqualFold(m.arg(2).text, "machine") {
		m.p.a.opaque(m.span, "changes the environment of every user", effect.SystemChange)
	}
}

// deleteTarget is Delete() of an object: a file that Get-Item gave, or something else that is not known.
func (m *powerMethod) deleteTarget() {
	for _, v := range m.target.files {
		m.p.remove(v, m.span, removal{tree: len(m.args) > 0 || m.target.tree, how: "deletes"})
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
		return unknownWith(fromSocket)
	}
	if strings.HasSuffix(typeName, "fileinfo") || strings.HasSuffix(typeName, "directoryinfo") {
		if len(args) > 0 {
			return powerData{list: []value{{text: "$(…)", quality: quality{partial: true}}}, files: args[0].list}
		}
	}
	t := taint(0)
	for _, arg := range args {
		t |= arg.taint()
	}
	return unknownWith(t)
}
