package setup

import (
	"bytes"
	"strings"
)

// corePack is the pack that applies if the project's settings name no packs.
const corePack = "core"

// chooseConfig plans the project's configuration: a new file, or small edits of the existing one.
func (p *planner) chooseConfig() error {
	if p.Config == "" {
		return nil
	}
	before, err := p.read(p.Config)
	if err != nil {
		return err
	}
	if before == nil {
		return p.createConfig()
	}
	c := &configText{file: p.Config, text: before}
	if err := c.parse(); err != nil {
		return err
	}
	p.Strict = p.Strict || c.strict()
	if err := c.choose(p.Packs, p.Strict); err != nil {
		return err
	}
	p.change(Change{Path: p.Config, Before: before, After: c.text, Reasons: c.reasons})
	p.recallConfig(before, c.text)
	return nil
}

func (p *planner) createConfig() error {
	packs := p.Packs
	if len(packs) == 0 && !p.NoCore {
		packs = []string{corePack}
	}
	after := []byte(p.newConfig(packs, p.Strict))
	p.change(Change{Path: p.Config, After: after, Reasons: []string{"enables " + packWords(packs)}})
	p.now.set(p.Config, fileRecord{Created: true, After: digest(after)})
	return nil
}

// recallConfig records the text that the file had before our edits. If somebody else has changed the file since our
// last edit, recallConfig records the text before the present edit.
func (p *planner) recallConfig(before, after []byte) {
	was := p.was.Files[p.Config]
	ours := was.After != "" && was.After == digest(before)
	switch {
	case !ours && bytes.Equal(before, after):
		return
	case !ours:
		text := string(before)
		was = fileRecord{Before: &text}
	}
	was.After = digest(after)
	p.now.set(p.Config, was)
}

// removeConfig plans to undo our edits of the configuration, unless somebody else has changed the file since then.
func (p *planner) removeConfig() error {
	if p.Config == "" {
		return nil
	}
	before, err := p.read(p.Config)
	if err != nil || before == nil {
		return err
	}
	was := p.was.Files[p.Config]
	ours := was.After != "" && was.After == digest(before)
	switch {
	case ours && was.Before != nil:
		p.change(Change{Path: p.Config, Before: before, After: []byte(*was.Before), Reasons: []string{"is as it was before"}})
	case ours && was.Created || was.After == "" && p.isNewConfig(before):
		p.change(Change{Path: p.Config, Before: before, Reasons: []string{"was created by guardrails init"}})
	default:
		p.note(p.Config + ": is kept, because you have changed it; delete it yourself if you do not need it")
	}
	return nil
}

// isNewConfig reports whether a file is unchanged since it was created for a new project.
func (p *planner) isNewConfig(text []byte) bool {
	c := &configText{file: p.Config, text: text}
	return c.parse() == nil && string(text) == p.newConfig(c.packs(), c.strict())
}

// The comments at the beginning of a new guardrails.yaml.
const (
	projectHead = `# Settings of guardrails for this project. Environment variables override this file; their names are GUARDRAILS_ and the
# key in capitals. Put your own guidelines into .claude/guardrails/. Everybody who works on this project needs the programs
# of guardrails on PATH: run make install in a clone of guardrails, then guardrails doctor in this project.
`
	userHead = `# Your settings of guardrails for all projects. A project or an environment variable can make them stricter, but not
# looser. Put your own guidelines into the folder guidelines beside this file.
`
)

// newConfig returns the text of a new guardrails.yaml. It has the chosen values, and all other keys as comments.
func (p *planner) newConfig(packs []string, strict bool) string {
	head := projectHead
	if p.Root == "" {
		head = userHead
	}
	strictly := "# strict: true"
	if strict {
		strictly = "strict: true"
	}
	return head + `
# The built-in guidelines to use; "guardrails packs" lists them.
packs: [` + strings.Join(packs, ", ") + `]

# With true, calls that cannot be checked are denied. Otherwise Claude Code asks you.
` + strictly + `

# Which guidelines apply when the current ones cannot be read: ask_user (the last known ones, until you choose),
# static_rules (the last known ones) or fail_open (none).
# fallback_mode: ask_user

# How many seconds a session uses its guidelines before it loads them again.
# cache_ttl: 300

# The tenant whose guidelines apply, if your team has several sets.
# tenant: acme

# The project's id in the store. The default is the address of the repository's remote, such as github.com/acme/shop. Set
# the id if clones have different remotes, for example forks.
# project: shop

# The agent's name, if neither the client nor CLAUDE_INSTANCE_ID gives one.
# default_agent: backend

# Where the agent works: workstation or container. In a container, destructive operations only cause a warning.
# environment: workstation

# Your own domains, each with the words that indicate it in a prompt.
# domains: {billing: [invoice, refund, order history]}

# Calls that this project allows until a date although a guideline stops them.
# exceptions: [{guideline: security-history, tools: ["Bash(git push *)"], reason: a clean-up, expires: 2026-01-31}]

# Commands that run your tests, besides the usual ones that guardrails knows.
# test_commands: [make verify, "./scripts/verify.sh *"]

# What guardrails notices in a session: repeated questions, long sessions, agreement without a reason, an agent in a loop. Your
# own guardrails.yaml overrides a project's.
# detectors: {rumination: note, hyperfocus: note, sycophancy: note, tool_loop: note, end_of_day: "18:30"}

# Whether personal data is masked on the screen.
# display: {mask: on}

# Whether the safety gate checks what you type for signs of danger: off, observe or enforce.
# safety: {mode: observe}

# Whether answers to a person at risk are checked: off, observe or enforce.
# output_guard: {mode: observe}

# A language model for questions that words cannot decide. It receives prompts and answers, so read docs/model.md first.
# model: {url: "https://api.anthropic.com", name: claude-haiku-4-5, api_key_file: ~/.config/guardrails/model-key}

# The page of the server on this computer, which "guardrails ui" opens. The value off switches the page off.
# ui: off

# Whether the guidelines that belong to this file are locked: exceptions from other files do not apply to them, nobody
# can switch them off, and nobody can use allow-once for a call that they stop.
# locked: false

# Where guidelines, their history and the audit are stored, if not in your data folder.
# store: "elasticsearch:https://search.example.com:9200"

# How long the audit keeps decisions. It always keeps changes of guidelines.
# audit: {keep_days: 365}

# A server that provides the guidelines.
# server: {url: "https://guardrails.example.com/mcp", token_file: ~/.config/guardrails-token}
`
}
