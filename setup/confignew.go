package setup

import "strings"

// newConfig returns the guardrails.yaml of a new project: the chosen values, and all other keys as comments.
func newConfig(packs []string, strict bool) string {
	strictly := "# strict: true"
	if strict {
		strictly = "strict: true"
	}
	return `# Settings of guardrails for this project. A variable of the environment goes before this file: GUARDRAILS_ and the
# key in capitals. Guidelines of your own go into .claude/guardrails/.

# Built-in guidelines; "guardrails packs" lists them.
packs: [` + strings.Join(packs, ", ") + `]

# With true, what cannot be checked is denied; otherwise you are asked.
` + strictly + `

# What holds when the guidelines cannot be read or reached: ask_user (the last known ones, until you have chosen),
# static_rules (the last known ones) or fail_open (none).
# fallback_mode: ask_user

# For how many seconds a session keeps the guidelines that it was given.
# cache_ttl: 300

# Whose guidelines hold, where a team has several sets.
# tenant: acme

# Who acts, where neither the client nor CLAUDE_INSTANCE_ID says so.
# default_agent: backend

# Where the agent works: workstation, or container, where destructive operations only warn.
# environment: workstation

# Your own domains: for each the words that mean it in a prompt.
# domains: {billing: [invoice, refund, order history]}

# Calls that a guideline stops and that may pass here for a while.
# exceptions: [{guideline: security-history, tools: ["Bash(git push *)"], reason: a clean-up, expires: 2026-01-31}]

# Where guidelines, their history and the audit are kept, if not in your own data folder.
# store: "elasticsearch:https://search.example.com:9200"

# How long the audit keeps decisions; it keeps changes of guidelines for ever.
# audit: {keep_days: 365}

# A server that is asked for guidelines.
# server: {url: "https://guardrails.example.com/mcp", token_file: ~/.config/guardrails-token}
`
}
