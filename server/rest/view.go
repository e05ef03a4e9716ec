package rest

import (
	"net/http"
	"time"

	"guardrails/guideline"
)

// The type "view" is a guideline in the form that answers have. The tenant is left out, because it is always the
// caller's tenant.
type view struct {
	ID          string              `json:"id"`
	Name        string              `json:"name"`
	Description string              `json:"description"`
	Enabled     bool                `json:"enabled"`
	Locked      bool                `json:"locked,omitempty"`
	Category    guideline.Category  `json:"category"`
	Priority    int                 `json:"priority"`
	Condition   guideline.Condition `json:"condition"`
	Action      guideline.Action    `json:"action"`
	Metadata    map[string]any      `json:"metadata"`
	Version     int                 `json:"version"`
	CreatedAt   time.Time           `json:"created_at,omitzero"`
	UpdatedAt   time.Time           `json:"updated_at,omitzero"`
	CreatedBy   string              `json:"created_by"`
	// ProjectID is the project that the guideline belongs to. If it is empty, the guideline belongs to all projects.
	ProjectID string `json:"project_id,omitempty"`
}

func viewOf(g *guideline.Guideline) view {
	metadata := g.Metadata
	if metadata == nil {
		metadata = map[string]any{}
	}
	return view{
		g.ID, g.Name, g.Description, g.Enabled, g.Locked, g.Category, g.Priority, g.Condition, g.Action, metadata,
		g.Version, g.CreatedAt, g.UpdatedAt, g.CreatedBy, g.ProjectID,
	}
}

func viewsOf(list []guideline.Guideline) []view {
	out := make([]view, len(list))
	for i := range list {
		out[i] = viewOf(&list[i])
	}
	return out
}

// show() answers with a guideline and its ETag. If the caller already has this version, the method answers with the
// status 304 and no body.
func (c *call) show(status int, g *guideline.Guideline) error {
	c.w.Header().Set("ETag", etag(g.Version))
	if c.r.Method == http.MethodGet && c.unchanged(g.Version) {
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return c.say(status, viewOf(g))
}

// The type "revision" is one version of a guideline, and the change that made it.
type revision struct {
	Version   int       `json:"version"`
	Event     string    `json:"event_type"`
	Deleted   bool      `json:"deleted"`
	Actor     string    `json:"actor"`
	Time      time.Time `json:"timestamp"`
	Guideline view      `json:"guideline"`
}
