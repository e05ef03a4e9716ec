package cloud

// deployRows lists what the words of programs that deploy applications mean.
const deployRows = `	... deploy|redeploy|release|rollback|setup|reboot|beta|deliver|supply|pilot|upload_to_app_store|upload_to_play_store|upload_to_testflight  releases
	... destroy|remove|terminate|unlink       destroys
	*                                         unlisted
`

// planOrders lists the subcommands of tools that create infrastructure from a description.
const planOrders = `
terraform tofu terragrunt
	values  -var -var-file -target -state -out -backend-config -chdir terragrunt-working-dir working-dir
	quiet   -help help -h
	run-all|run|stack apply +-destroy|destroy       destroys
	run-all|run|stack apply                         releases
	run-all|run|stack destroy|force-unlock          destroys
	run-all|run|stack taint|untaint|import|refresh  changes
	apply +-destroy|destroy                   destroys
	apply +-refresh-only +-auto-approve       changes
	apply +-refresh-only                      looks
	apply|apply-all                           releases
	destroy|destroy-all|force-unlock          destroys
	state mv|rm +-dry-run|dry-run             looks
	state rm|push|replace-provider            destroys
	state pull                                reveals
	output *password|*secret|*token|*key      reveals
	output - +-json                           reveals
	show - +-json                             reveals
	state mv                                  changes
	state                                     looks
	workspace delete                          destroys
	workspace                                 looks
	taint|untaint|import|refresh|refresh-all  changes
	init|plan|validate|fmt|show|output|graph  looks
	providers|version|console|get|test|login  looks
	logout|metadata|modules                   looks
	*                                         unlisted

pulumi
	quiet   preview-only help h
	values  C cwd s stack c config m message p parallel t target color
	up|update                                 releases
	destroy|cancel                            destroys
	refresh|import                            changes
	stack|state rm|delete                     destroys
	state unprotect|taint|edit|repair|move|rename  changes
	* +show-secrets                           reveals
	config get *assword|*ecret|*oken|*Key     reveals
	stack|state|preview|pre|config|logs|login looks
	logout|whoami|version|history|new|plugin  looks
	about|convert|schema|completion|help      looks
	*                                         unlisted

cdk sam serverless sls copilot chalice zappa sst cdktf waypoint
	values  a app c context profile region stage s stack-name template config-env config-file
	quiet   help h dry-run dryrun no-execute no-execute-changeset noDeploy method=prepare-change-set
	within  2
	local invoke                              looks
	... deploy|up|update|release|rollback|sync  releases
	... destroy|delete|remove|undeploy        destroys
	... bootstrap|invoke|import               changes
	*                                         unlisted

ansible-playbook ansible-pull
	values  --* i inventory l limit t tags e extra-vars u user f forks vault-password-file private-key c connection
	quiet   C check syntax-check list-hosts list-tasks list-tags version help h c=local connection=local
	*                                         releases

ansible
	values  --* i inventory l limit e extra-vars u user f forks m module-name a args vault-password-file private-key
	values  c connection
	quiet   C check list-hosts version help h
	-                                         looks
	*                                         code ansible

ansible-vault
	values  --* vault-password-file vault-id output
	view|decrypt                              reveals
	edit                                      code edit-secrets
	create|encrypt|encrypt_string|rekey       looks
	*                                         unlisted

vagrant
	values  c command provider
	destroy                                   marks destructive_op deletes virtual machines with their data
	ssh|winrm|powershell                      code ssh
	up|halt|reload|suspend|resume|provision   looks
	status|global-status|box|init|validate    looks
	ssh-config|port                           looks
	snapshot|plugin|package|version|help      looks
	*                                         unlisted

packer
	quiet   help -help -h h
	within  9
	... build                                 marks devops_invocation builds and registers machine images (packer build)
	init|validate|fmt|inspect|version         looks
	*                                         unlisted

cap capistrano
	quiet   n dry-run
	within  3
	after   :
` + deployRows + `
kamal dokku eb mup fastlane
	values  d destination c config-file v version p h verify_only validate_only track aab
	within  3
	after   :
	deliver|supply download*|init             looks
	action *                                  looks
	* +verify_only=true                       looks
	* +validate_only=true                     looks
	app|server exec                           code servers
	accessory exec *                          code servers
	app|accessory|proxy|server stop           changes
	swap|setenv                               releases
` + deployRows
