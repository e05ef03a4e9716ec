package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"guardrails/client"
	"guardrails/config"
	"guardrails/hooks/session"
	"guardrails/service"
	"guardrails/settings"
)

// check is one link of the chain from the client to a decision.
type check struct {
	Name string `json:"name"`
	// State is ok, warning or broken.
	State  string `json:"state"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

const (
	sound   = "ok"
	warning = "warning"
	broken  = "broken"
)

func (a *app) doctorCommand() *cobra.Command {
	var live bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check every link from the client to a decision, and say how to mend it",
		Long: `Doctor looks at the client, its settings, the hook programs, the project's config and guidelines, the folders that the
hooks write to, and how fast guidelines are answered.

With --live it also proves that the hooks answer: it runs the very commands of the settings, as the client does, with
harmless canaries, and says FIRED or NOT FIRED for each. It ends with 1 when something is broken or not fired.`,
		Example: `  guardrails doctor
  guardrails doctor --live`,
		Args: arguments(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return a.doctor(c.Context(), live) },
	}
	c.Flags().BoolVar(&live, "live", false, "run the hooks of the settings with harmless canaries")
	return c
}

func (a *app) doctor(ctx context.Context, live bool) error {
	if ctx == nil {
		ctx = context.Background()
	}
	root := service.Root(a.env, a.cwd)
	entries, list := a.checkSettings(root)
	list = slices.Concat([]check{a.checkClient(ctx)}, list, a.checkConfig(root), a.checkFolders())
	list = append(list, a.checkAnswer(ctx, root))
	if live {
		list = append(list, a.canaries(ctx, root, entries)...)
	}
	err := a.answer(list, func(p *printer) { p.checks(list) })
	if err == nil && slices.ContainsFunc(list, func(c check) bool { return c.State == broken }) {
		return &outcome{code: failed}
	}
	return err
}

func (a *app) checkClient(ctx context.Context) check {
	found, err := client.Find(ctx, a.env)
	if err != nil {
		return check{"client", warning, err.Error(), "install Claude Code; the hooks wait for it"}
	}
	detail := fmt.Sprintf("%s, version %s", found.Path, found.Version)
	if !found.Version.Knows(client.OnFailure) {
		return check{"client", warning, detail + " does not know onFailure: where a hook program is missing, calls run", "update Claude Code to 2.1.295 or later and run guardrails init again"}
	}
	return check{"client", sound, detail, ""}
}

// checkSettings finds the hooks of all settings files of the project.
func (a *app) checkSettings(root string) ([]settings.Entry, []check) {
	var entries []settings.Entry
	var out []check
	for _, f := range settings.Files(root, settings.UserDir(a.env), runtime.GOOS) {
		text, err := os.ReadFile(f.Path)
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			var found []settings.Entry
			found, err = settings.Hooks(f.Path, text)
			entries = append(entries, found...)
		}
		if err != nil {
			out = append(out, check{"settings", broken, err.Error(), "mend the file: the client reads no hooks from it"})
		}
	}
	for _, want := range settings.Wanted(settings.Options{}) {
		out = append(out, checkEntry(&want, entries))
	}
	return entries, out
}

func checkEntry(want *settings.Entry, entries []settings.Entry) check {
	name := "hook " + want.Event
	var ours []settings.Entry
	for _, e := range entries {
		if e.Event == want.Event && e.Ours() {
			ours = append(ours, e)
		}
	}
	const remedy = "run guardrails init"
	switch {
	case len(ours) == 0:
		return check{name, broken, "is in no settings file", remedy}
	case len(ours) > 1:
		return check{name, warning, fmt.Sprintf("stands %d times (%s:%d and %s:%d); each call is checked as often", len(ours), ours[0].File, ours[0].Line, ours[1].File, ours[1].Line), "remove all but one"}
	case !ours[0].SeesEverything():
		return check{name, broken, fmt.Sprintf("%s:%d: its matcher %q leaves tools out", ours[0].File, ours[0].Line, ours[0].Matcher), remedy}
	case ours[0].Args == nil:
		return check{name, warning, fmt.Sprintf("%s:%d: is started through a shell, which costs as much as the hook", ours[0].File, ours[0].Line), remedy}
	}
	if info, err := os.Stat(ours[0].Command); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 && runtime.GOOS != "windows" {
		return check{name, broken, ours[0].Command + " is missing or cannot be run; the client then lets calls run", "install guardrails again, then " + remedy}
	}
	return check{name, sound, ours[0].Command, ""}
}

func (a *app) checkConfig(root string) []check {
	c, problems := config.Load(root, a.env)
	if err := problems.Err(); err != nil {
		return []check{{"config", broken, err.Error(), "mend it; until then the last good guidelines hold"}}
	}
	loaded := service.Files(root, &c)
	if err := loaded.Problems.Err(); err != nil {
		return []check{{"guidelines", broken, err.Error(), "mend it; until then the last good guidelines hold"}}
	}
	out := []check{{"guidelines", sound, count(len(loaded.Plain()), "guideline"), ""}}
	for _, x := range c.Exceptions {
		if !time.Now().Before(x.Expires) {
			out = append(out, check{"exception", warning, "the exception from " + x.Guideline + " has expired (" + x.Reason + ")", "remove it, or give it a new date"})
		}
	}
	return out
}

func (a *app) checkFolders() []check {
	var out []check
	if d, err := session.Open(a.env); err != nil {
		out = append(out, check{"session folder", broken, err.Error(), "without it every call asks for guidelines anew, and limits and answers are not kept"})
	} else {
		out = append(out, check{"session folder", sound, d.Path("."), ""})
	}
	dir, err := session.StateDir(a.env)
	if err != nil {
		return append(out, check{"state folder", broken, err.Error(), "without it decisions are not recorded"})
	}
	return append(out, check{"state folder", sound, dir, ""})
}

// checkAnswer asks as the hooks do when no server runs.
func (a *app) checkAnswer(ctx context.Context, root string) check {
	begin := time.Now()
	answer, err := service.New(service.Options{Env: a.env, Now: time.Now, Dir: root}).GetContext(ctx, service.Request{Project: root, Hook: true})
	if err != nil {
		return check{"answer", broken, err.Error(), "guidelines cannot be had: calls that change something ask"}
	}
	detail := fmt.Sprintf("%d guidelines from %s in %.1f ms", answer.Count, answer.Source, float64(time.Since(begin).Microseconds())/1000)
	if answer.Fallback != nil {
		return check{"answer", broken, detail + ": " + answer.Fallback.Reason, "guardrails fallback"}
	}
	return check{"answer", sound, detail, ""}
}

func (p *printer) checks(list []check) {
	for _, c := range list {
		p.line("%-8s %-26s %s", c.State, c.Name, c.Detail)
		if c.Remedy != "" {
			p.line("%-8s %-26s %s", "", "", "remedy: "+c.Remedy)
		}
	}
}
