package cloud

const forgeValues = "R repo hostname t title b body F body-file B base l label q jq X method f field raw-field H " +
	"header h input json template a assignee " +
	"r reviewer m milestone n notes notes-file ref visibility desc d description s state L limit env e p project c " +
	"comment w workflow source branch"

// forgeOrders lists the subcommands of gh and glab, the programs for GitHub and GitLab.
const forgeOrders = `
gh glab
	values  ` + forgeValues + `
	quiet   help h=-h
	prints  network
	api                                       code forge-api
	auth token +h|hostname                    reveals
	auth token                                code own-token
	auth refresh|login +s|scopes              grants
	config get oauth_token                    reveals
	auth status +show-token|t                 reveals
	gist|snippet create                       code gist
	gist|release edit                         publishes
	alias set                                 code alias
	config set                                code forge-setting
	repo|gist clone                           code forge-clone
	release|run download                      code forge-download
	codespace|cs ssh                          code codespace
	codespace|cs delete                       marks destructive_op deletes a codespace
	pr|mr merge                               code forge-merge
	repo delete|archive|transfer              marks destructive_op deletes, archives or gives away a repository on the forge:
	release delete|delete-asset               marks destructive_op deletes something on the forge:
	run|issue|project|label|ruleset delete    marks destructive_op deletes something on the forge:
	gist|ssh-key|gpg-key|deploy-key delete    marks destructive_op deletes something on the forge:
	secret|variable delete|remove             marks destructive_op deletes something on the forge:
	pr|mr close +d|delete-branch              marks force_push deletes a branch on the forge:
	repo sync +force                          marks force_push overwrites a branch on the forge:
	repo rename                               marks permission_change changes how others reach a repository:
	workflow run ci*|test*|lint*|build*|check*|docs*|e2e*  looks
	workflow|ci|pipeline|schedule run         releases
	ci|pipeline trigger                       releases
	variable get *TOKEN|*SECRET|*PASSWORD|*KEY  reveals
	variable export                           reveals
	secret|variable set                       changes
	workflow enable|disable                   changes
	release create|upload                     publishes
	repo create +public                       publishes
	repo edit +visibility=public              publishes
	repo edit +visibility|default-branch      marks permission_change changes how others reach a repository:
	ssh-key|gpg-key|deploy-key add            marks privilege_escalation gives someone lasting rights:
	repo deploy-key list                      looks
	repo deploy-key                           marks privilege_escalation gives someone lasting rights:
	pr|mr|issue|repo|release|run|workflow     looks
	ci|pipeline|project|label|milestone       looks
	gist|snippet|codespace|cs|cache|search    looks
	actions-cache                             looks
	extension|ext|extensions install .|github/*|actions/*  looks
	extension|ext|extensions install          marks untrusted_install installs a program that nobody has reviewed:
	auth|config|alias|extension|browse        looks
	secret|variable|ssh-key|gpg-key|org       looks
	status|version|completion|ruleset         looks
	*                                         unlisted

tea
	pr|pulls|pull merge                       marks merge merges a pull request
	* unprotect                               marks permission_change changes the protection of branches
	*                                         unlisted
`
