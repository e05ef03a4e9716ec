package cloud

const cloudValues = "region profile output endpoint-url query project format zone location account subscription o g n f resource-group name " +
	"context access-token t configuration namespace-name vault-name compartment-id filter member role source-ranges secret quiet-level " +
	"command file dest source"

const providerRows = `	values  ` + cloudValues + `
	quiet   help h dry-run validate-only what-if
	within  5
	before  -
	-                                         looks
	secrets versions access                   reveals
	keyvault secret show|download             reveals
	account get-access-token                  reveals
	auth print-*                              reveals
	auth application-default print-*          reveals
	storage account keys list                 reveals
	acr credential show                       reveals
	secrets secret-bundle get                 reveals
	... *add-iam-policy-binding|*set-iam-policy +~allUsers|allAuthenticatedUsers  opens
	... *add-iam-policy-binding|*set-iam-policy                                   grants
	iam service-accounts keys create          grants
	iam roles create                          grants
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
`

const providerVerbs = `	... delete|terminate|destroy|remove|purge|deregister|revoke|rm|rb|wipe|reset|rebuild|schedule-key-deletion  destroys
	... deploy|submit                         releases
	... create|update|put|start|stop|restart|reboot|modify|attach|detach|associate|disassociate|add|run-*       changes
	... enable|disable|import|restore|scale|resize|promote|rollback|register|invoke|replace|deallocate          changes
	... execute|upgrade|patch|set|allocate|release|failover                                                     changes
	*                                         unlisted
`

// providerOrders has the command lines of the clouds, in which an order names a service and then a verb.
const providerOrders = `
gcloud
` + providerRows + `	storage                                   code storage
` + providerVerbs + `
az doctl linode-cli oci hcloud eksctl ibmcloud scw exo vultr-cli aliyun openstack civo upctl
` + providerRows + providerVerbs
