package setup_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"guardrails/setup"
)

// writer generates realistic settings files in all formats that JSON allows.
type writer struct {
	*rand.Rand
	spaces []string
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w *writer) space() string { return w.spaces[w.IntN(len(w.spaces))] }

func (w *writer) join(open string, parts []string, shut string) string {
	var b strings.Builder
	b.WriteString(open)
	for i, part := range parts {
		if i > 0 {
			b.WriteString(w.space() + ",")
		}
		b.WriteString(w.space() + part)
	}
	return b.String() + w.space() + shut
}

func (w *writer) member(name, value string) string {
	return fmt.Sprintf("%q", name) + w.space() + ":" + w.space() + value
}

func (w *writer) entry() string {
	parts := []string{w.member("type", `"command"`), w.member("command", w.pick(`"prettier \"$F\""`, `"ä & <b>"`, `"/bin/true"`))}
	if w.IntN(2) == 0 {
		parts = append(parts, w.member("timeout", w.pick("5", "0.5", "1e1")))
	}
	w.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return w.join("{", parts, "}")
}

func (w *writer) several(most int, one func() string) []string {
	var parts []string
	for range w.IntN(most + 1) {
		parts = append(parts, one())
	}
	return parts
}

func (w *writer) group() string {
	parts := []string{w.member("hooks", w.join("[", w.several(2, w.entry), "]"))}
	if w.IntN(2) == 0 {
		parts = append(parts, w.member("matcher", w.pick(`""`, `"*"`, `"Edit|Write"`)))
	}
	return w.join("{", parts, "}")
}

func (w *writer) hooks() string {
	var parts []string
	for _, event := range []string{"PreToolUse", "Stop", "Notification", "SessionEnd", "UserPromptSubmit"} {
		if w.IntN(3) == 0 {
			parts = append(parts, w.member(event, w.join("[", w.several(2, w.group), "]")))
		}
	}
	return w.join("{", parts, "}")
}

func (w *writer) settings() string {
	if w.IntN(12) == 0 {
		return w.pick("", " \n", "\ufeff", "\r\n")
	}
	var parts []string
	if w.IntN(3) > 0 {
		parts = append(parts, w.member("hooks", w.hooks()))
	}
	if w.IntN(2) == 0 {
		parts = append(parts, w.member("permissions", w.join("{", w.several(1, func() string { return w.member("allow", `["Bash(ls:*)"]`) }), "}")))
	}
	if w.IntN(2) == 0 {
		parts = append(parts, w.member("enabledMcpjsonServers", w.join("[", w.several(1, func() string { return `"other"` }), "]")))
	}
	if w.IntN(2) == 0 {
		parts = append(parts, w.member("env", `{"A}": "[{\\\"", "n": "1"}`))
	}
	w.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return w.pick("", "\ufeff", "\n ") + w.join("{", parts, "}") + w.pick("", "\n", "\r\n", " \n\n")
}

func (w *writer) disk() disk {
	w.spaces = [][]string{{""}, {" "}, {"", " "}, {"\n"}, {"\n  ", " "}, {"\n\t", "\n\t\t", ""}, {"\r\n    ", "\r\n"}, {"", " ", "\n", "\t", "\r\n"}}[w.IntN(8)]
	d := disk{"/p/other": "x"}
	if w.IntN(8) > 0 {
		d[settingsFile] = w.settings()
	}
	if w.IntN(2) == 0 {
		d[serverFile] = w.join("{", w.several(1, func() string {
			return w.member("mcpServers", w.join("{", w.several(1, func() string { return w.member("x", `{"command":"y"}`) }), "}"))
		}), "}")
	}
	if w.IntN(2) == 0 {
		d[configFile] = w.pick("", "# mine\n", "packs: [core] # why\n", "tenant: a\r\npacks:\r\n- core\r\n", "strict: false")
	}
	return d
}

// seeds() returns n. With the race detector, which is slow, it returns a smaller number.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 6
	}
	return n
}

func TestInstallAndUninstallRestoreEveryByte(t *testing.T) {
	for seed := range seeds(600) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 4))}
		before := w.disk()
		change := func(o *setup.Options) {
			o.MCP, o.Strict = seed%3 == 0, seed%5 == 0
			if seed%2 == 0 {
				o.Packs = []string{"roles"}
			}
		}
		during := before.setUp(t, change)
		if again := during.setUp(t, change); !maps.Equal(again, during) {
			t.Fatalf("seed %d: a second run changes\n%v\ninto\n%v", seed, during, again)
		}
		if after := during.uninstalled(t); !maps.Equal(after, before) {
			t.Fatalf("seed %d: after\n%q\nbefore\n%q\ninstalled\n%q", seed, after, before, during)
		}
	}
}

func TestEntriesOfOthersKeepTheirBytesAndOrder(t *testing.T) {
	for seed := range seeds(150) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 5))}
		before := w.disk()
		text := before[settingsFile]
		if strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) == "" {
			continue
		}
		was, err := setup.Hooks("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		now, err := setup.Hooks("f", []byte(before.setUp(t, nil)[settingsFile]))
		if err != nil {
			t.Fatal(err)
		}
		var commands, others []string
		for _, e := range was {
			commands = append(commands, e.Event+e.Matcher+e.Command)
		}
		for _, e := range now {
			if !e.Ours() {
				others = append(others, e.Event+e.Matcher+e.Command)
			}
		}
		if strings.Join(commands, "\n") != strings.Join(others, "\n") {
			t.Fatalf("seed %d: got %v, want %v", seed, others, commands)
		}
	}
}
