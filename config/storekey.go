package config

import "fmt"

// StoreKey returns a text that is the same for all settings that name the same store. It returns "" for settings
// without a store.
func (c *Config) StoreKey() string {
	if c.Store == nil {
		return ""
	}
	return fmt.Sprintf("%+v", *c.Store)
}
