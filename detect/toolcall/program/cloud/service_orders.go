package cloud

// serviceOrders lists the subcommands of programs that administer data stores, clusters, machines and backups. It does
// not list cloud programs and database clients.
const serviceOrders = `
aws-nuke azure-nuke
	values  c config profile region
	* +~--no-dry-run                          destroys
	*                                         looks

cloud-nuke
	values  region resource-type exclude-region config older-than log-level
	quiet   help h dry-run
	aws|gcp|azure|defaults-aws|nuke           destroys
	*                                         unlisted

postsuper
	values  c d h H r
	- +d=ALL                                  destroys
	*                                         unlisted

tpm2_clear
	*                                         destroys

samba-tool
	values  U H
	domain passwordsettings set               marks permission_change,devops_invocation changes the rules for passwords of the domain
	group addmembers                          grants
	user setpassword|delete|disable           changes
	*                                         unlisted

flink
	cancel                                    changes
	*                                         unlisted

snmpset
	values  v c u l a A x X t r m M
	localhost|127.*                           looks
	*                                         changes

flarectl
	dns create*|update                        changes
	*                                         unlisted

hdfs hadoop
	words
	values  D conf fs
	dfs|fs +rm|rmr|expunge                    marks destructive_op deletes data:
	namenode +format                          marks destructive_op deletes data:
	dfsadmin|namenode|balancer|fsck           looks
	*                                         unlisted

rados
	values  p pool N namespace cluster n name
	rmpool|purge                              destroys
	*                                         unlisted

govc
	words
	values  u dc ds vm host folder
	*.destroy|*.remove|*.rm|*.delete          destroys
	vm.power|host.shutdown +off|reset|suspend|s|r  changes
	*                                         unlisted

cli53
	rrpurge|rrdelete|delete                   destroys
	rrcreate|import                           changes
	*                                         unlisted

fastly
	values  s service-id service-name version token t profile o
	quiet   help
	service-version activate|deactivate|stage releases
	compute publish|deploy                    releases
	*                                         unlisted

auth0
	values  tenant
	* * +reveal-secrets|r                     reveals
	*                                         unlisted

kcadm kcadm.sh
	values  r config server realm user password uid uusername gid gname rid rname cid cclientid s f
	add-roles|set-password                    grants
	*                                         unlisted

wal-g
	values  config
	delete +confirm                           destroys
	delete                                    looks
	*                                         unlisted

ceph
	values  id user n name c conf
	osd safe-to-destroy|ok-to-stop            looks
	*                                         unlisted

espefuse espefuse.py
	values  p port b baud c chip
	burn*|write_protect*|read_protect*|write-protect*|read-protect*  marks destructive_op burns fuses of a chip for good:
	*                                         looks

avrdude
	values  p c P b B C x U
	* +~fuse:w|~lock:w                        marks destructive_op writes fuses of a chip:
	*                                         looks

stm32_programmer_cli
	words
	* +~RDP=                                  marks destructive_op locks a chip:
	*                                         looks

octodns-sync
	* +doit                                   changes
	*                                         looks

k3s-uninstall.sh k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh
	*                                         destroys

magento
	quiet   help h
	setup:uninstall                           marks destructive_op deletes the data of the shop:
	*                                         unlisted

fastboot
	values  s slot S
	* +w                                      marks destructive_op erases the data of a device:
	erase|format|flashing                     marks destructive_op erases the data of a device:
	*                                         unlisted

ipmitool
	values  H U P I L p f
	chassis power off|cycle|reset|soft        marks system_control stops or restarts a machine:
	power off|cycle|reset|soft                marks system_control stops or restarts a machine:
	*                                         unlisted

ray
	down                                      destroys
	up                                        changes
	job|submit                                looks
	*                                         unlisted

sky
	quiet   help h
	down                                      destroys
	*                                         unlisted

modal
	values  e env n name
	app stop                                  changes
	*                                         unlisted

mlflow
	quiet   help
	gc                                        marks destructive_op deletes data for good:
	*                                         unlisted

dvc
	quiet   help h dry
	gc +f|force                               marks destructive_op deletes data for good:
	*                                         unlisted

openai
	values  k api-key b api-base o organization i id
	api *.delete                              marks destructive_op deletes data for good:
	*                                         unlisted

hasura
	values  endpoint admin-secret project database-name
	metadata clear                            marks destructive_op deletes data for good:
	*                                         unlisted

sanity
	dataset import +replace                   marks destructive_op replaces data that others use:
	*                                         unlisted

strapi
	values  to from to-token from-token exclude only f file
	transfer|import +force                    marks destructive_op replaces data that others use:
	*                                         unlisted

tarsnap
	* +d|nuke                                 marks destructive_op deletes backups
	*                                         looks

pg_resetwal pg_rewind pg_archivecleanup
	quiet   n dry-run V version help
	*                                         marks destructive_op deletes or rewrites data of a database server

pg_dropcluster
	*                                         marks destructive_op deletes a database server with its data

pg_ctl
	values  D pgdata m mode l log o t timeout w
	stop|restart +~/var/lib                   marks system_control stops a database server
	*                                         unlisted

pg_ctlcluster
	* * stop|restart                          marks system_control stops a database server
	*                                         unlisted

pgbackrest
	values  stanza config
	quiet   dry-run help
	restore|expire|stanza-delete              marks destructive_op replaces or deletes data of a database server:
	*                                         unlisted

patronictl
	values  c config-file d dcs-url
	reinit|remove                             destroys
	failover|switchover|restart|edit-config   changes
	*                                         unlisted

ctr
	run +privileged                           marks container_escape starts a container with all rights on the host
	*                                         unlisted

lxc incus
	config set * security.privileged*         marks container_escape gives a container all rights on the host
	launch|init|create +~security.privileged=true  marks container_escape starts a container with all rights on the host
	*                                         unlisted

algolia
	values  p profile
	quiet   help h
	indices|index|objects|rules|synonyms clear|delete  destroys
	*                                         unlisted

gitlab-runner
	quiet   help h
	install|register                          marks startup_change sets up a service that runs jobs of a server
	*                                         unlisted

ollama
	push                                      publishes
	*                                         looks

pack
	quiet   help h
	* +publish                                publishes
	*                                         unlisted

dput dupload
	quiet   s simulate h help v version
	*                                         publishes

copr copr-cli
	quiet   help h
	build|buildscm|buildpypi                  publishes
	*                                         unlisted

cpan-upload
	quiet   help h dry-run
	*                                         publishes
`
