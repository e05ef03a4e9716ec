package cloud

const cloudValues = "region profile output endpoint-url query project format zone location account subscription o " +
	"g n f resource-group name " +
	"context access-token t configuration namespace-name vault-name compartment-id filter member role source-ranges secret quiet-level " +
	"command file dest source status method m url u uri body b"

const providerVerbs = `	... delete|terminate|destroy|remove|purge|deregister|revoke|rm|rb|wipe|reset|rebuild|reinstall|reimage|schedule-key-deletion|poweroff|power-off|shutdown  destroys
	... deploy|submit|config-zip              releases
	... create|update|put|start|stop|restart|reboot|modify|change|leave|attach|detach|associate|disassociate|add|run-*       changes
	... enable|disable|import|restore|scale|resize|promote|rollback|register|invoke|replace|deallocate|purchase changes
	... execute|upgrade|patch|set|allocate|release|failover                                                     changes
	*                                         unlisted
`

const awsValues = "region profile output endpoint-url query cli-read-timeout cli-connect-timeout ca-bundle color " +
	"acl grants-read body bucket key " +
	"command query-string queue-url secret-id name names policy-arn role-name user-name group-id cidr policy"

// awsOrders lists the subcommands of aws. The second word consists of a verb and its object, such as delete-bucket.
const awsOrders = `
aws
	values  ` + awsValues + `
	quiet   dry-run dryrun generate-cli-skeleton help
	from    1
	within  2
	before  -
	* help|wait                               looks
	* * help                                  looks
	s3 *                                      code storage
	ses|sesv2 send-*                          publishes
	configure|sso export-credentials          reveals
	configure|sso get                         code aws-setting
	configure|sso                             looks
	cloudtrail|guardduty|config|securityhub delete-*         marks defense_disable,destructive_op,devops_invocation turns off the security monitoring of the account
	cloudtrail|guardduty|config|securityhub stop-*|disable-* marks defense_disable,devops_invocation turns off the security monitoring of the account
	ecs execute-command +command              code remote
	eks update-kubeconfig                     looks
	cloudwatch put-metric-data                looks
	codebuild start-build +~deploy|release|prod  releases
	codebuild start-build                     looks
	athena start-query-execution              code athena-query
	ssm send-command                          marks remote_execution,devops_invocation runs a command on other machines
	* send-command                            changes
	dynamodb batch-write-item|transact-write-items  changes
	* put-object +body                        code aws-upload
	* get-secret-value|batch-get-secret-value                                        reveals
	* get-token|generate-db-auth-token|get-role-credentials                        reveals
	* get-session-token|get-federation-token|get-authorization-token|assume-role|decrypt  reveals
	* get-parameter|get-parameters|get-parameters-by-path +with-decryption           reveals
	* create-access-key|create-login-profile|update-login-profile|add-user-to-group  grants
	* update-assume-role-policy|create-user|create-policy-version                    grants
	* admin-set-user-password|admin-add-user-to-group|admin-set-user-mfa-preference  grants
	* set-default-policy-version|add-role-to-instance-profile                        grants
	iam attach-*|put-*                        grants
	* put-bucket-policy|put-bucket-acl|put-object-acl +acl=public-read|public-read-write               opens
	* delete-public-access-block                                                                       opens
	* authorize-security-group-ingress|authorize-security-group-egress +~0.0.0.0/0|::/0                opens
	* authorize-security-group-ingress|authorize-security-group-egress                                 changes
	* update-function-code|update-service|create-deployment|create-stack|update-stack                  releases
	* start-pipeline-execution                releases
` + providerVerbs + `
bq
	values  project_id dataset_id location format
	quiet   dry_run
	rm                                        destroys
	load|query +replace                       destroys
	query                                     code sql
	*                                         unlisted
`

// providerOrders lists the subcommands of other clouds. Such a subcommand consists of a service and a verb.
const providerOrders = `
gcloud az doctl linode-cli oci hcloud eksctl ibmcloud scw exo vultr-cli aliyun openstack civo upctl
	values  ` + cloudValues + ` connection-string
	quiet   help h dry-run validate-only what-if
	within  5
	before  -
	-                                         looks
	storage +dryrun                           looks
	storage +connection-string=UseDevelopmentStorage=true  looks
	emulators                                 looks
	beta|alpha emulators                      looks
	sql connect                               code sql
	rest                                      code request
	secrets versions access                   reveals
	keyvault secret show|download             reveals
	account get-access-token                  reveals
	auth print-access-token                   code own-token
	auth print-*                              reveals
	config config-helper                      reveals
	auth application-default print-*          reveals
	storage account keys list                 reveals
	cosmosdb|functionapp keys list            reveals
	functionapp function keys list            reveals
	* namespace authorization-rule keys list  reveals
	cognitiveservices account keys list       reveals
	... show-connection-string|list-keys|list-connection-strings  reveals
	services api-keys get-key-string          reveals
	aks get-credentials +f=-                  reveals
	aks get-credentials +file=-               reveals
	acr credential show                       reveals
	secrets secret-bundle get                 reveals
	... *add-iam-policy-binding|*set-iam-policy +~allUsers|allAuthenticatedUsers  opens
	... *add-iam-policy-binding|*set-iam-policy                                   grants
	iam service-accounts keys create          grants
	iam roles create                          grants
	ad app permission admin-consent|grant     grants
	* * slot swap                             releases
	role assignment create                    grants
	ad sp create-for-rbac                     grants
	compute firewall-rules list               looks
	network nsg rule list                     looks
	... firewall*|*firewall +~0.0.0.0/0|::/0  opens
	* nsg rule +~0.0.0.0/0|::/0               opens
	config|configure|auth|components|login    looks
	logout|account|completion|extension       looks
	version|help|info|feedback|init|context   looks
	bicep                                     looks
	... *ssh|ssh-* +command                   code remote
	compute ssh                               code remote
	ssh vm                                    code remote
	sql connect                               code sql
	pubsub subscriptions seek                 destroys
	pubsub topics publish                     looks
	webapp|containerapp up                    releases
	app versions migrate                      releases
	repos pr update +status=completed         marks merge,push_default_branch merges a pull request
	repos pr                                  looks
	storage account generate-sas              grants
	storage cp|mv|rm|rsync|cat|buckets        code storage
` + providerVerbs
