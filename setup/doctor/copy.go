package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"

	"guardrails/setup"
	"guardrails/setup/jsontext"
)

// copyOf returns the part of a settings file that the temporary project needs. This part has our unchanged entries, the
// switch that disables hooks, and the settings for the servers that the client starts. If the client cannot read the
// file, the returned part is empty.
func copyOf(f *settingsFile) (settingsFile, error) {
	out := settingsFile{File: f.File, err: f.err}
	if f.err != nil {
		return out, nil
	}
	all, err := members(f.text)
	if err != nil {
		return out, fmt.Errorf("%s: %w", f.Path, err)
	}
	kept := map[string]any{}
	for _, name := range []string{
		"disableAllHooks", "enabledMcpjsonServers", "disabledMcpjsonServers",
		"enableAllProjectMcpServers",
	} {
		if value, given := all[name]; given {
			kept[name] = value
		}
	}
	hooks, err := ourHooks(all["hooks"])
	if err != nil {
		return out, fmt.Errorf("%s: %w", f.Path, err)
	}
	if hooks != nil {
		kept["hooks"] = hooks
	}
	if out.text, err = json.Marshal(kept); err != nil {
		return out, fmt.Errorf("%s: %w", f.Path, err)
	}
	out.entries, out.err = setup.Hooks(f.Path, out.text)
	return out, nil
}

func members(text []byte) (map[string]json.RawMessage, error) {
	if jsontext.Blank(text) {
		return nil, nil
	}
	var all map[string]json.RawMessage
	err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &all)
	return all, err
}

type group map[string]json.RawMessage

// ourHooks returns the value of the key "hooks" with only our entries.
func ourHooks(text json.RawMessage) (map[string][]group, error) {
	if text == nil {
		return nil, nil
	}
	var events map[string][]group
	if err := json.Unmarshal(text, &events); err != nil {
		return nil, err
	}
	out := map[string][]group{}
	for event, groups := range events {
		for _, g := range groups {
			list, err := ourEntries(g["hooks"])
			if err != nil {
				return nil, err
			}
			if list == nil {
				continue
			}
			kept := group{"hooks": list}
			if matcher, given := g["matcher"]; given {
				kept["matcher"] = matcher
			}
			out[event] = append(out[event], kept)
		}
	}
	return out, nil
}

// ourEntries returns those entries of a list that are ours. If none is ours, it returns nil.
func ourEntries(text json.RawMessage) (json.RawMessage, error) {
	var list, kept []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	for _, entry := range list {
		// setup.Hooks decides which entries are ours. setup.Hooks reads only whole settings files, so the entry has to be put
		// into a settings file.
		file, err := json.Marshal(map[string]any{"hooks": map[string]any{"Any": []any{map[string]any{"hooks": []any{entry}}}}})
		if err != nil {
			return nil, err
		}
		if read, err := setup.Hooks("", file); err == nil && len(read) == 1 && read[0].Ours() {
			kept = append(kept, entry)
		}
	}
	if kept == nil {
		return nil, nil
	}
	return json.Marshal(kept)
}
