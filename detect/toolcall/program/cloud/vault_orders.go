package cloud

// vaultOrders lists the subcommands of programs that store secrets.
const vaultOrders = `
vault bao
	words
	values  address namespace field format mount path
	quiet   help h
	read|unwrap|print                         reveals
	kv get                                    reveals
	kv metadata get|list                      looks
	kv delete|destroy|metadata                destroys
	kv put|patch|undelete|rollback            changes
	kv                                        looks
	delete                                    destroys
	token create                              reveals
	token revoke                              destroys
	write|policy|auth|secrets list|read       looks
	policy fmt                                looks
	secrets|auth disable                      destroys
	write|policy|auth|secrets                 changes
	audit disable                             marks defense_disable,devops_invocation turns off the audit log
	operator raft snapshot restore            destroys
	operator raft snapshot|list-peers|autopilot  looks
	operator raft remove-peer                 destroys
	operator seal|generate-root|rekey|rotate  destroys
	lease revoke                              destroys
	login|status|list|token|lease|version     looks
	operator|server|agent|path-help|audit     looks
	*                                         unlisted

op doppler infisical bw rbw lpass keepassxc-cli chamber berglas teller
	values  vault account project p c config env session fields format
	run|exec                                  code inner
	read|inject|show|export|clip              reveals
	env -                                     reveals
	list items                                reveals
	get template                              looks
	get                                       reveals
	item|document|secrets get|download|substitute  reveals
	secrets - +only-names                     looks
	secrets -                                 reveals
	delete|rm                                 destroys
	* delete                                  destroys
	*                                         unlisted

pass gopass
	rm|delete|remove                          marks destructive_op deletes stored passwords
	ls|list|find|search|git|init|insert       looks
	generate|edit|mv|cp|version|help|grep     looks
	otp-import                                looks
	-                                         looks
	*                                         reveals

keyring docker-credential-osxkeychain docker-credential-desktop docker-credential-pass git-credential-osxkeychain dotenvx
	get|decrypt                               reveals
	*                                         unlisted

secret-tool
	quiet   help h
	within  9
	... lookup|search                         marks secret_access prints a secret
	store|clear|lock                          looks
	*                                         unlisted

tctl
	values  auth-server c config roles logins format
	users add|update                          grants
	tokens|bots add                           grants
	auth export +keys                         reveals
	*                                         unlisted

conjur akeyless
	variable get|value                        reveals
	get-secret-value|get-*-secret-value       reveals
	*                                         unlisted

buildkite-agent
	secret get                                reveals
	artifact|meta-data|pipeline|annotate      looks
	*                                         unlisted
`
