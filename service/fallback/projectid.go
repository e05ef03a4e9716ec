package fallback

import (
	"encoding/json"
	"os"
	"path/filepath"

	"guardrails/internal/product"
)

type keptID struct {
	Project   string `json:"project"`
	ProjectID string `json:"project_id"`
}

const (
	projectIDFolder = "projects"
	maxProjectID    = 16 << 10
)

// ProjectID returns the recorded project id: the id under which hooks have found guidelines for the project. Without a
// record, it returns "".
func (k *Keeper) ProjectID(root string) string {
	if name := k.ProjectIDFile(root); name != "" {
		if _, err := os.Lstat(name); err != nil {
			return "" // there is no record, so do not create the folder for it
		}
	}
	d, _, err := k.Dir(projectIDFolder)
	if err != nil {
		return ""
	}
	var kept keptID
	text, err := d.Read(fileName(root), maxProjectID)
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.Project != root {
		return ""
	}
	return kept.ProjectID
}

// ProjectIDFile returns the path of the record of a project's id, or "" if there is no state folder.
func (k *Keeper) ProjectIDFile(root string) string {
	state := product.StateDir(k.Env)
	if state == "" {
		return ""
	}
	return filepath.Join(state, projectIDFolder, fileName(root))
}

// KeepProjectID records the id under which a project has guidelines.
func (k *Keeper) KeepProjectID(root, id string) error {
	if k.ProjectID(root) == id {
		return nil
	}
	text, err := json.Marshal(keptID{root, id})
	if err != nil {
		return err
	}
	d, _, err := k.Dir(projectIDFolder)
	if err != nil {
		return err
	}
	return d.Write(fileName(root), text)
}

// ForgetProjectID removes the record of a project's id.
func (k *Keeper) ForgetProjectID(root string) error {
	d, _, err := k.Dir(projectIDFolder)
	if err == nil {
		_, err = d.Remove(fileName(root))
	}
	return err
}

// HasSnapshot reports whether a snapshot is stored for a project and a tenant.
func (k *Keeper) HasSnapshot(root, tenant string) bool {
	_, _, err := k.snapshotText(root, tenant)
	return err == nil
}
