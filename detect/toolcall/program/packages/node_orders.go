package packages

import "guardrails/detect/toolcall/flags"

// Only npm accepts abbreviated long flags. The other programs in nodeOrders reject abbreviated flags.
const (
	npmLeading = flags.Abbreviates + "prefix C w workspace registry loglevel filter F cwd dir userconfig"
	npmValues  = flags.Abbreviates +
		"prefix C w workspace registry tag loglevel otp filter F cwd dir userconfig package p c call"
)

// nodeOrders lists the subcommands of npm and similar programs, and of programs that publish Node packages.
const nodeOrders = `
npm pnpm yarn bun cnpm deno
	leading ` + npmLeading + `
	values  ` + npmValues + `
	-                                         code node-alone
	test|t|tst|it|install-test|cit            code node-test
	run|run-script|rum -                      looks
	run|run-script|rum                        code node-run
	start|stop|restart                        code node-own
	exec|x|dlx                                code node-exec
	npm|workspace|workspaces|global           code node-nested
	unpublish +dry-run                        looks
	unpublish                                 marks publish,destructive_op takes a package back from the registry
	publish|deprecate +dry-run                looks
	publish|deprecate +~://localhost|://127.0.0.1  looks
	publish|deprecate                         publishes
	owner|dist-tag|dist-tags|access -         looks
	team|tag|hook -                           looks
	owner|dist-tag|dist-tags ls|list|get      looks
	access ls|list|get|list-packages|list-collaborators  looks
	team|tag|hook ls|list|get                 looks
	owner|dist-tag|dist-tags|access +dry-run  looks
	team|tag|hook +dry-run                    looks
	owner|dist-tag|dist-tags|access           publishes
	team|tag|hook                             publishes
	token                                     reveals
	config|c|set|get                          code node-config
	pkg                                       code node-package
	explore                                   code node-explore
	task test*|check|ci                       tests
	version -                                 looks
	version +no-git-tag-version               looks
	version                                   marks commit commits the new version
	install|i|add|ci|in|update|upgrade|up     code node-install
	remove|rm|uninstall|un|prune|dedupe       looks
	info|list|ls|why|view|search|outdated     looks
	init|create +~--overwrite                 marks destructive_op replaces the files of a folder:
	link|unlink|init|create|import|patch      looks
	patch-commit|rebuild|audit|approve-builds looks
	cache|cache-clean|store|pack|constraints  looks
	policies|versions|env|setup|self-update   looks
	bin|root|help|completion|doctor|licenses  looks
	login|logout|whoami|fund|bugs|repo|docs   looks
	fetch|plugin|up-interactive|pm|info-only|task|repl     looks
	*                                         code node-script

semantic-release release-it np
	values  p pat t
	quiet   help h version d preview dry-run
	help                                      looks
	*                                         publishes

goreleaser auto
	quiet   help h version v dry-run d snapshot skip-publish
	* +~skip=publish|skip=validate,publish    looks
	build|check|healthcheck|init|completion   looks
	jsonschema|info|changelog|version|label   looks
	*                                         publishes

web-ext
	sign                                      publishes
	*                                         unlisted

vsce ovsx jsr
	values  p pat t
	quiet   help h d preview dry-run
	publish|unpublish                         publishes
	*                                         unlisted
`
