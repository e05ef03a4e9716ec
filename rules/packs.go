package rules

import (
	"embed"
	"fmt"
	"strings"

	"guardrails/guideline"
)

// The packs are written in YAML for people. Each is also stored as canonical JSON, which programs read ten times faster.
//
//go:embed packs/*.yaml packs/*.json
var packFiles embed.FS

// PackInfo describes a pack of default guidelines.
type PackInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Packs returns the built-in packs.
func Packs() []PackInfo {
	return []PackInfo{
		{"core", "gates, test discipline, small commits and security: suits any project"},
		{"roles", "a template for projects that work with named agents: who writes where"},
	}
}

// Pack returns the guidelines of a built-in pack.
func Pack(name string) (*Loaded, error) {
	text, err := packFiles.ReadFile("packs/" + name + ".json")
	if err != nil {
		return nil, unknownPack(name)
	}
	return load("pack:"+name, ".json", text), nil
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
	return load("pack:"+name, ".cases.yaml", text), nil
}

func load(name, extension string, text []byte) *Loaded {
	file, problems := Parse(name+extension, text)
	return &Loaded{Guidelines: file.Guidelines, Cases: file.Cases, Problems: problems}
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
