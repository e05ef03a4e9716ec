// Package packtest builds the programs with a newer version of the pack "core". Tests of upgrades use this package.
package packtest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"guardrails/guideline"
	"guardrails/rules"
)

// The newer version of the pack "core" changes the guidelines with these ids.
const (
	// Stricter is the id of a guideline that gets stricter. In the installed version of the pack, it warns about a call.
	// In the newer version, it asks about this call.
	Stricter = "git-skipped-checks"
	// Withdrawn is the id of a guideline that is in the installed version, but not in the newer version.
	Withdrawn = "git-amended-pushed"
	// Added is the id of a guideline that denies writing files in the folder "frozen". Only the newer version has this
	// guideline.
	Added = "core-frozen-files"
)

// Build builds the programs of a module with the newer version of the pack "core". It writes the programs to the folder
// in the parameter "programs", and the texts of the newer version to the folder in the parameter "work".
func Build(module, work, programs string, packages ...string) error {
	overlay, err := writeOverlay(module, work)
	if err != nil {
		return err
	}
	args := append([]string{"build", "-overlay", overlay, "-o", programs + string(filepath.Separator)}, packages...)
	build := exec.Command("go", args...)
	build.Dir, build.Env = module, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// writeOverlay writes the newer version, and an overlay file that says which files of the module it replaces.
func writeOverlay(module, work string) (string, error) {
	newer, err := newerCore()
	if err != nil {
		return "", err
	}
	text, err := rules.EncodePack(newer)
	if err != nil {
		return "", err
	}
	versions, err := os.ReadFile(filepath.Join(module, "rules", "packs", "core.versions"))
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, content := range map[string][]byte{
		"core.json": text, "core.versions": []byte(rules.AddPackVersion(string(versions), newer)),
	} {
		replaced := filepath.Join(work, name)
		if err := os.WriteFile(replaced, content, 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(module, "rules", "packs", name)] = replaced
	}
	encoded, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(work, "overlay.json")
	return overlay, os.WriteFile(overlay, encoded, 0o600)
}

// newerCore returns the guidelines of the newer version of the pack "core".
func newerCore() ([]guideline.Guideline, error) {
	installed, err := rules.Pack("core")
	if err != nil {
		return nil, err
	}
	newer := []guideline.Guideline{{
		ID: Added, Name: "Frozen files stay as they are", Enabled: true, Category: guideline.Security, Priority: 900,
		Action: guideline.Action{
			Type: guideline.ToolRestriction, ToolsDenied: []string{"Write(frozen/**)"}, Instruction: "Nobody writes in frozen.",
		},
	}}
	for _, g := range installed.Plain() {
		switch g.ID {
		case Withdrawn:
			continue
		case Stricter:
			g.Action.GateThreshold = guideline.Mandatory
		}
		newer = append(newer, g)
	}
	return newer, nil
}
