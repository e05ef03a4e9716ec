package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/decide"
	"guardrails/rules"
	"guardrails/rules/lint"
	"guardrails/service"
	"guardrails/service/fallback"
	"guardrails/service/guidelinefiles"
)

const linkOff = "turned off"

const untilFixed = "fix the named problem; until then, the last good guidelines apply"

func (x *Examination) checkGuidelines(ctx context.Context) {
	s := service.New(service.Options{Env: x.Env, Now: x.Now, Dir: x.root, Open: x.Open})
	defer func() { _ = s.Close() }() // an error of Close does not matter after reading
	c, err := s.Settings(ctx, "")
	if err != nil {
		x.add("config", Broken, err.Error(), untilFixed)
		return
	}
	x.checkIgnored(ctx, s, c)
	x.checkDetectors(c)
	x.checkSafety(ctx, s, c)
	x.checkModel(c)
	x.checkRemoteWebhooks(c)
	x.checkTrusted()
	loaded := guidelinefiles.Read(x.root, c)
	places := config.PlacesOf(x.root, x.Env)
	ids := map[string]bool{}
	for _, higher := range guidelinefiles.Higher(c, &places) {
		loaded.Problems = append(loaded.Problems, higher.Problems...)
		loaded.Guidelines = append(loaded.Guidelines, higher.Guidelines...)
	}
	for i := range loaded.Guidelines {
		ids[loaded.Guidelines[i].ID] = true
	}
	if err := loaded.Problems.Err(); err != nil {
		x.add("guidelines", Broken, err.Error(), untilFixed)
		return
	}
	state, remedy := OK, ""
	if len(ids) == 0 {
		state, remedy = Warning, "name a pack in "+config.File+", or put guidelines into .claude/guardrails"
	}
	x.add("guidelines", state, count(len(ids), "guideline"), remedy)
	x.checkPacks(ctx, s, c)
	x.checkOffInFiles(loaded)
	x.checkExceptions(ctx, c)
}

// checkExceptions reports exceptions that can never allow a call.
func (x *Examination) checkExceptions(ctx context.Context, c *config.Config) {
	if len(c.Exceptions) == 0 {
		return
	}
	s := service.New(service.Options{Env: x.Env, Now: x.Now, Dir: x.root, Open: x.Open})
	defer func() { _ = s.Close() }() // an error of Close does not matter after reading
	all, _, err := s.Guidelines(ctx, x.root)
	if err != nil {
		x.add("exceptions", Warning, "cannot be compared with the guidelines: "+err.Error(), "")
		return
	}
	var list []decide.Exception
	for _, e := range c.Exceptions {
		list = append(list, decide.Exception(e))
	}
	for _, dead := range lint.CheckExceptions(all, list, x.Now()) {
		x.add("exception", Warning, "the exception for "+dead.Guideline+" never applies: "+dead.Message, dead.Remedy)
	}
}

// checkOffInFiles lists the guidelines that are turned off in files.
func (x *Examination) checkOffInFiles(loaded *rules.Loaded) {
	var off []string
	for i := range loaded.Guidelines {
		if g := &loaded.Guidelines[i]; !g.Enabled {
			off = append(off, fmt.Sprintf("%s (%s)", g.ID, g.Origin))
		}
	}
	if off != nil {
		x.add(linkOff, Warning, strings.Join(off, ", "), "remove \"enabled: false\" to turn a guideline on again")
	}
}

// checkFallback warns if the hooks cannot read the project's guidelines. The warning says since when and why they
// cannot be read, what the hooks do instead, and whether the user of a session has chosen this.
func (x *Examination) checkFallback() {
	s := service.New(service.Options{Env: x.Env, Now: x.Now, Dir: x.root})
	outage, err := s.Outage(x.root)
	switch {
	case err != nil:
		x.add("fallback", Warning, err.Error(), "")
		return
	case outage == nil:
		x.add("fallback", OK, "none: the hooks read the project's guidelines, or have not run yet", "")
		return
	}
	detail := fmt.Sprintf("since %s, %s: %s", outage.Since.UTC().Format(time.DateTime+" UTC"), outage.Mode, outage.Reason)
	if at, n := s.LastKnown(x.root); n > 0 {
		detail += fmt.Sprintf("; last known: %s, read %s", count(n, "guideline"), at.Format(time.DateTime+" UTC"))
	}
	if choice, err := fallback.Choice(x.Env, outage.Session); err == nil && choice != "" {
		detail += fmt.Sprintf(" (session %s chose %s)", outage.Session, choice)
	}
	x.add("fallback", Warning, detail, "fix the named cause; to see more, run: guardrails fallback")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
