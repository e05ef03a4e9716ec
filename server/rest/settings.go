package rest

import (
	"net/http"

	"guardrails/config"
)

// settingsView contains the settings of the server's own project that matter to people who look at the page.
type settingsView struct {
	Strict       bool             `json:"strict"`
	Fallback     string           `json:"fallback_mode"`
	CacheTTL     int              `json:"cache_ttl"`
	Environment  string           `json:"environment"`
	DefaultAgent string           `json:"default_agent"`
	Packs        []string         `json:"packs"`
	KeepDays     int              `json:"keep_days"`
	KeepEntries  int              `json:"keep_entries"`
	Ignored      []config.Ignored `json:"ignored"`
}

func (c *call) settings() error {
	out := struct {
		Tenant   string        `json:"tenant_id"`
		Version  string        `json:"server_version"`
		Settings *settingsView `json:"settings,omitempty"`
	}{Tenant: c.caller.Tenant, Version: c.h.o.Version}
	if c.caller.Tenant == c.h.o.Tenant {
		s, err := c.h.o.Service.Settings(c.r.Context(), "")
		if err != nil {
			return err
		}
		out.Settings = &settingsView{
			Strict: s.Strict, Fallback: s.Fallback, CacheTTL: s.CacheTTL, Environment: s.Environment, DefaultAgent: s.DefaultAgent,
			Packs: append([]string{}, s.Packs...), KeepDays: s.Audit.KeepDays, KeepEntries: s.Audit.KeepEntries,
			Ignored: append([]config.Ignored{}, s.Ignored...),
		}
	}
	return c.say(http.StatusOK, out)
}
