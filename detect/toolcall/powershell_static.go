package toolcall

import "strings"

// file is a static method of File or Directory.
func (m *powerMethod) file() powerData {
	p, v := m.p, m.arg(0)
	directory := strings.HasSuffix(m.typeName, "directory")
	switch m.name {
	case "delete":
		p.remove(v, m.span, removal{tree: directory && strings.Contains(m.arg(1).text, "true"), how: "deletes"})
	case among(m.name, "writealltext writeallbytes writealllines appendalltext appendalllines writealltextasync"):
		p.write(v, m.span, powerData{list: []value{m.arg(1)}})
	case among(m.name, "create createtext appendtext openwrite createdirectory createsymboliclink setattributes "+
		"setaccesscontrol encrypt"):
		p.write(v, m.span, unknownWith(0))
	case "copy":
		content := p.read(v, m.span)
		p.write(m.arg(1), m.span, content)
	case "move", "replace":
		p.remove(v, m.span, removal{tree: directory, moved: true, how: "moves away"})
		p.write(m.arg(1), m.span, unknownWith(fromFile))
	case among(m.name, "readalltext readallbytes readalllines readlines openread opentext open readalltextasync"):
		return p.read(v, m.span)
	case "getfiles", "getdirectories", "enumeratefiles", "getfilesystementries":
		return powerData{files: []value{v}}
	case "exists":
		return unknownWith(0)
	}
	return powerData{}
}
