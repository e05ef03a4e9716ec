package store

import (
	"strings"

	"guardrails/guideline"
)

// keySeparator separates the id of a guideline from its project. It begins with a space, and every character of an id
// is sorted after a space.
const keySeparator = " of "

// Key returns the key of a guideline. The key is the id and, if the guideline belongs to a project, the project. Two
// projects may use the same id, but each key exists only once in a tenant.
func Key(projectID, id string) string {
	if projectID == "" {
		return id
	}
	return id + keySeparator + projectID
}

// KeyOf returns the key of a guideline.
func KeyOf(g *guideline.Guideline) string { return Key(g.ProjectID, g.ID) }

// SplitKey returns the project and the id of a key.
func SplitKey(key string) (projectID, id string) {
	id, projectID, _ = strings.Cut(key, keySeparator)
	return projectID, id
}

// Key returns the key of the item's guideline.
func (i *ImportItem) Key() string { return Key(i.ProjectID, i.ID) }

// Key returns the key of the guideline that an entry is about.
func (e *Entry) Key() string { return Key(e.ProjectID, e.Guideline) }
