package rules

import (
	"embed"
	"fmt"
	"strings"

	"guardrails/guideline"
)

// The packs are written in YAML for people.
//
//go:embed packs/*.yaml
var packFiles embed.FS

// Each pack is also stored as the canonical JSON of EncodePack, because programs read JSON much faster than YAML.
var (
	//go:embed packs/core.json
	coreJSON string
	//go:embed packs/roles.json
	rolesJSON string
)

// The versions of each pack. There is one line for each guideline that the pack has or had. For each text of the
// guideline, the line has a hash and the first version with this text. If a version removed the guideline, the word
// "withdrawn" replaces the hash.
var (
	//go:embed packs/core.versions
	coreVersions string
	//go:embed packs/roles.versions
	rolesVersions string
)

// PackInfo describes a pack of default guidelines.
type PackInfo struct {
	Name string `json:"name"`
	// Version is the version of the pack. It increases by one with each change of the pack's guidelines.
	Version     int    `json:"version"`
	Description string `json:"description"`
}

// Packs returns the built-in packs.
func Packs() []PackInfo {
	return []PackInfo{
		{"core", packVersion(coreVersions), "gates, test discipline, small commits and security, for any project"},
		{"roles", packVersion(rolesVersions), "a template for projects with named agents: where each agent may write"},
	}
}

// Pack returns the guidelines of a built-in pack.
func Pack(name string) (*Loaded, error) {
	switch name {
	case "core":
		return decodePack("pack:core.json", coreJSON)
	case "roles":
		return decodePack("pack:roles.json", rolesJSON)
	}
	return nil, unknownPack(name)
}

// decodePack decodes the JSON that EncodePack writes. Each line has one guideline.
func decodePack(file, text string) (*Loaded, error) {
	lines := strings.Split(text, "\n")
	lines = lines[1 : len(lines)-2] // without the first and last lines, which have no guidelines
	out := &Loaded{Guidelines: make([]Source, 0, len(lines))}
	for i, line := range lines {
		g, err := guideline.Reread(strings.TrimSuffix(line, ","))
		if err != nil {
			return nil, err
		}
		out.Guidelines = append(out.Guidelines, Source{Guideline: g, Origin: Origin{File: file, Line: i + 2}})
	}
	return out, nil
}

// PackSource returns the YAML text of a built-in pack.
func PackSource(name string) ([]byte, error) {
	text, err := packFiles.ReadFile("packs/" + name + ".yaml")
	if err != nil {
		return nil, unknownPack(name)
	}
	return text, nil
}

// PackCases returns the test cases of a built-in pack.
func PackCases(name string) (*Loaded, error) {
	text, err := packFiles.ReadFile("packs/" + name + ".cases.yaml")
	if err != nil {
		return nil, unknownPack(name)
	}
	file, problems := Parse("pack:"+name+".cases.yaml", text)
	return &Loaded{Guidelines: file.Guidelines, Cases: file.Cases, Problems: problems}, nil
}

func unknownPack(name string) error {
	var names []string
	for _, p := range Packs() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("there is no pack %q; the packs are %s", name, strings.Join(names, ", "))
}

// EncodePack returns the canonical JSON of a pack.
func EncodePack(guidelines []guideline.Guideline) ([]byte, error) {
	var b strings.Builder
	b.WriteString("{\"guidelines\":[\n")
	for i := range guidelines {
		text, err := guideline.Encode(&guidelines[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(",\n")
		}
		b.Write(text)
	}
	b.WriteString("\n]}\n")
	return []byte(b.String()), nil
}
