package live

import (
	"fmt"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/store"
)

// OtherProjectError reports that a guideline does not belong to the caller's project, but to other projects.
type OtherProjectError struct {
	ID string
	// The field "Wanted" is the caller's project. The field "Has" lists the projects that have a guideline with this id.
	// An empty text in the list stands for all projects.
	Wanted string
	Has    []string
}

func (e *OtherProjectError) Error() string {
	names := make([]string, len(e.Has))
	for i, id := range e.Has {
		names[i] = projectName(id)
	}
	return fmt.Sprintf("the guideline %s does not belong to %s, but to %s", e.ID, projectName(e.Wanted),
		strings.Join(names, " and "))
}

// ForAll reports whether the guideline belongs to all projects.
func (e *OtherProjectError) ForAll() bool { return slices.Contains(e.Has, "") }

func projectName(id string) string {
	if id == "" {
		return "all projects"
	}
	return "the project " + id
}

// elsewhere() returns the error for an id that is unknown in the caller's project: an OtherProjectError if guidelines
// of other projects have the id, otherwise err. The parameter "all" has every guideline of the tenant.
func (t *TenantStore) elsewhere(all []guideline.Guideline, id string, err error) error {
	other := &OtherProjectError{ID: id, Wanted: t.caller.ProjectID}
	for i := range all {
		if all[i].ID == id && all[i].ProjectID == t.caller.ProjectID {
			return err // the error is not about the guideline
		}
		if all[i].ID == id {
			other.Has = append(other.Has, all[i].ProjectID)
		}
	}
	if len(other.Has) == 0 {
		return err
	}
	return store.Errorf(store.NotFound, "%w", other)
}
