package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// text() returns the value of a key as a text for people. It returns "" if the key is not set.
func (c *Config) text(name string) string {
	switch name {
	case "tenant":
		return c.Tenant
	case "project":
		return c.Project
	case "default_agent":
		return c.DefaultAgent
	case "domains":
		return strings.Join(slices.Sorted(maps.Keys(c.Domains)), ", ")
	case "test_commands":
		return strings.Join(c.TestCommands, ", ")
	case "environment":
		return c.Environment
	case "fallback_mode":
		return c.Fallback
	case "cache_ttl":
		return fmt.Sprint(c.CacheTTL)
	case "audit":
		return fmt.Sprintf("keep_days: %d, keep_entries: %d", c.Audit.KeepDays, c.Audit.KeepEntries)
	}
	if name == "store" && c.Store != nil {
		return c.Store.String()
	}
	if name == "server" && c.Server != nil {
		return c.Server.URL
	}
	return ""
}

// String describes an exception in one line: the guideline, the calls that the exception covers, the time of its end,
// and its reason.
func (x *Exception) String() string {
	covers := "every call"
	if len(x.Tools) > 0 {
		covers = strings.Join(x.Tools, ", ")
	}
	// An exception with a date ends at midnight, and midnight already has the date of the next day.
	last := x.Expires.UTC().Add(-time.Second)
	return fmt.Sprintf("%s for %s until %s (%s)", x.Guideline, covers, last.Format("2006-01-02 15:04"), x.Reason)
}
