package app

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/detect/effect"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service/guidelinefiles"
)

// Args checks the number of arguments. If high is negative, there is no limit. The parameter "hint" tells the user
// which arguments to give.
func Args(low, high int, hint string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if n := len(args); n >= low && (high < 0 || n <= high) {
			return nil
		}
		return Usagef("%s: got %s; %s; run %q for examples", c.CommandPath(), Count(len(args), "argument"), hint,
			c.CommandPath()+" --help")
	}
}

// OneOf returns an error if the value of a flag is not one of the known values. An empty value means that the flag was
// not given.
func OneOf(c *cobra.Command, flag, value string, known []string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	return Usagef("%s: --%s: %s is not known; use %s", c.CommandPath(), flag, document.Excerpt(value),
		strings.Join(known, ", "))
}

// Complete registers a function that suggests values for a flag. suggest() receives the text that the user has typed so
// far.
func Complete(c *cobra.Command, flag string, suggest func(typed string) ([]string, cobra.ShellCompDirective)) {
	complete := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return suggest(typed)
	}
	// RegisterFlagCompletionFunc fails only for a flag that does not exist. In that case, the completion tests fail too.
	_ = c.RegisterFlagCompletionFunc(flag, complete)
}

// CompleteFlag registers the values that shells suggest for a flag.
func CompleteFlag(c *cobra.Command, flag string, values ...string) {
	Complete(c, flag, func(string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	})
}

// Events returns the events with their meanings, for completion in shells.
func Events() []string {
	var out []string
	for _, e := range effect.Events() {
		out = append(out, string(e.Event)+"\t"+e.Meaning)
	}
	return out
}

// Packs returns the names of the built-in packs with their descriptions, for completion in shells.
func Packs() []string {
	var out []string
	for _, p := range rules.Packs() {
		out = append(out, p.Name+"\t"+p.Description)
	}
	return out
}

// PackSources returns the built-in packs as arguments, such as pack:core, for completion in shells.
func PackSources() []string {
	out := Packs()
	for i := range out {
		out[i] = guidelinefiles.PackPrefix + out[i]
	}
	return out
}

// GuidelineFiles suggests packs and files as arguments.
func GuidelineFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return PackSources(), cobra.ShellCompDirectiveDefault
}
