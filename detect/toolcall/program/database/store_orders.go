package database

const keyStoreValues = `	values  endpoints bootstrap-server topic t token host org o b bucket -execute -database execute database
`

// storeOrders lists the subcommands of clients for databases that do not use SQL, and of tools that administer database
// servers.
const storeOrders = `
nodetool
	values  h host p port u username pw -pw password pwf -pwf password-file
	clearsnapshot|truncatehints|decommission|removenode|assassinate|move  destroys
	drain|stopdaemon|disable*|rebuild*|join   changes
	*                                         unlisted

cockroach
	values  --* url host u user d database e execute f file format certs-dir p port
	sql|workload                              code sql-client
	* +~localhost|127.0.0.1                   looks
	node decommission|drain                   marks destructive_op takes a server out of the cluster:
	node recommission                         changes
	quit +host|url                            marks system_control stops a server:
	node status|ls                            looks
	init|start|start-single-node|demo|cert|gen|debug  looks
	*                                         unlisted

snow
	values  config-file environment env host port account user username password authenticator private-key-file token
	values  private-key-path token-file-path dbname schemaname rolename
	values  c connection q query f filename role warehouse database schema format p project m mfa-passcode D variable
	quiet   help h
	sql                                       code sql-client
	* list|describe|logs|status|list-*        looks
	object drop                               destroys
	app teardown                              destroys
	app deploy|run|publish|release-directive  releases
	streamlit|snowpark deploy                 releases
	stage remove|drop                         destroys
	spcs compute-pool|service drop|stop-all   destroys
	*                                         unlisted

repmgr
	values  f config-file h host U username d dbname p port D data-dir upstream-node-id node-id
	quiet   dry-run help
	* switchover|promote|follow|rejoin|cleanup|clone  changes
	*                                         unlisted

rpk pulsar-admin
	values  brokers X profile config s subscription offset o p partitions admin-url auth-plugin auth-params
	quiet   dry-run help h
	* trim*|skip*|clear*|expire*|reset*|unsubscribe  marks destructive_op deletes messages or skips them:
	group seek                                marks destructive_op deletes messages or skips them:
	* alter*|set-*|unload                     changes
	cluster config set|import|edit|force-reset  changes
	acl create                                grants
	acl user create                           grants
	security acl|user create                  grants
	*                                         unlisted

etcdctl
` + keyStoreValues + `	del +prefix|from-key                      marks destructive_op deletes data:
	user|role delete                          marks destructive_op deletes:
	member remove                             marks destructive_op removes a server from the cluster
	lease revoke                              marks destructive_op deletes data:
	user|role grant-*                         marks privilege_escalation gives someone lasting rights:
	auth disable                              marks permission_change lets everyone use the database:
	get|put|del|watch|txn|endpoint|member     looks
	snapshot|lease|lock|auth|user|role|alarm  looks
	*                                         unlisted

ldapmodify
	values  H D w y Y h p f
	*                                         code directory

ldapdelete
	quiet   n dry-run
	*                                         marks destructive_op deletes entries of a directory

rabbitmqctl
` + keyStoreValues + `	values  n node p vhost
	reset|force_reset                         marks destructive_op deletes data:
	delete_*|purge_queue|clear_*              marks destructive_op deletes data:
	forget_cluster_node|eval|rename_cluster_node|import_definitions  changes
	stop|stop_app|shutdown|close_*            marks system_control stops a server:
	add_user|change_password|set_perm*|set_topic_perm*|set_user_tags  grants
	set_policy|set_operator_policy +~message-ttl|~"expires"|~max-length  marks destructive_op lets messages expire:
	list_*|status|cluster_status|environment  looks
	*                                         unlisted

influx influxd zkcli kafka-topics kafka-topics.sh rabbitmqadmin memcached-tool
` + keyStoreValues + `	values  server context user creds
	* +execute                                code statements
	* +~_requeue_false                        marks destructive_op deletes data:
	* +alter                                  changes
	delete|deleteall|rmr|purge                marks destructive_op deletes data:
	* delete|rm|purge                         marks destructive_op deletes data:
	* +delete                                 marks destructive_op deletes data:
	*                                         unlisted

nats
	values  s server context user creds
	stream|consumer edit                      changes
	* delete|rm|purge                         marks destructive_op deletes data:
	*                                         unlisted

kafka-acls kafka-acls.sh
	* +add                                    grants
	*                                         unlisted

kafka-reassign-partitions kafka-reassign-partitions.sh
	* +execute                                changes
	*                                         unlisted

gh-ost pt-online-schema-change pt-table-sync
	words
	values  host h user password database table alter D t
	quiet   dry-run help
	* +~localhost|127.0.0.1                   unlisted
	* +execute                                marks destructive_op changes a table of a running server
	*                                         unlisted

barman
	values  c config
	recover|restore                           marks destructive_op replaces the data of a database server:
	*                                         unlisted

celery
	values  A app b broker
	control shutdown                          marks system_control stops the workers of a queue
	*                                         unlisted

kafka-configs kafka-configs.sh
	* +~retention.ms=|retention.bytes=        marks destructive_op changes how long messages are kept
	*                                         unlisted

kafka-delete-records kafka-delete-records.sh
	* +offset-json-file                       marks destructive_op deletes messages
	*                                         unlisted

elasticdump multielasticdump
	values  input output
	* +output                                 code index
	*                                         unlisted

mc mcli
	quiet   fake dry-run
	rm|rb local/* -                           looks
	anonymous set public|download|upload      marks permission_change lets everyone reach a bucket:
	ilm rule add|edit                         marks destructive_op deletes objects later:
	mirror +remove|overwrite                  marks destructive_op replaces or deletes what a bucket holds:
	admin * local                             looks
	admin * * local|local/                    looks
	admin user svcacct * local                looks
	admin policy detach|remove|rm             marks destructive_op takes rights away:
	admin user add|enable                     marks privilege_escalation gives someone lasting rights:
	admin group add                           marks privilege_escalation gives someone lasting rights:
	admin policy attach|set|add|create|update  marks privilege_escalation gives someone lasting rights:
	admin user svcacct add|edit|enable        marks privilege_escalation gives someone lasting rights:
	admin accesskey create|edit|enable        marks privilege_escalation gives someone lasting rights:
	admin user|group disable                  marks devops_invocation changes infrastructure:
	admin config set|reset|import|restore     marks devops_invocation changes infrastructure:
	admin service stop|restart|freeze         marks system_control stops a server:
	admin update                              marks system_control stops a server:
	version suspend                           marks devops_invocation changes infrastructure:
	*                                         code plain

cypher-shell mgconsole
	values  a u p d P f address username password database param file format encryption
	*                                         code statements

redis-cli valkey-cli keydb-cli iredis
	values  h p a n u r i s d user pass
	letters any
	flushdb                                   code redis-flush
	flushall                                  marks destructive_op deletes everything in the database:
	eval                                      code redis-eval
	swapdb                                    marks destructive_op replaces the data of a database:
	function flush|delete                     marks destructive_op deletes the functions of a database:
	function restore * flush                  marks destructive_op deletes the functions of a database:
	acl deluser                               marks destructive_op deletes users of a database:
	cluster reset|forget|flushslots|delslots*  marks destructive_op takes data out of a cluster:
	failover                                  marks devops_invocation makes another server the main server
	cluster|sentinel failover                 marks devops_invocation makes another server the main server
	debug segfault|panic|restart|crash-and-recover|crash-and-abort|oom|assert  marks system_control stops the database server
	shutdown                                  marks system_control stops the database server
	config get requirepass|masterauth         reveals
	publish                                   looks
	acl setuser +~nopass|@all                 marks privilege_escalation gives a user of the database all rights
	config set requirepass |                  marks permission_change removes the password of the database
	config set dir|dbfilename                 marks destructive_op,outside_write makes the database server write its data elsewhere
	del|unlink                                code redis-delete
	replicaof|slaveof no one                  looks
	replicaof|slaveof                         marks destructive_op replaces the data with that of another server
	xtrim * maxlen 0                          marks destructive_op deletes all messages of a stream
	ltrim * 1 0                               marks destructive_op deletes all values of a list
	get|set|mget|mset|incr|decr|expire|ttl    looks
	hget|hset|hgetall|lrange|smembers|zrange  looks
	keys|scan|type|exists|info|ping|config    looks
	*                                         unlisted

rq
	values  u url c config
	empty                                     marks destructive_op deletes jobs:
	*                                         unlisted

memcflush
	quiet   help h
	*                                         marks destructive_op deletes everything in a cache server

couchbase-cli
	values  c cluster u username p password
	bucket-flush                              marks destructive_op deletes data:
	*                                         unlisted

arangosh
	* +~_drop|.drop(|.truncate(               marks destructive_op deletes data of the database
	*                                         unlisted

sqlite-utils
	query|*.db|*.sqlite|*.sqlite3              code statements
	rows|search|dump|memory                   code plain
	*                                         unlisted

cbq
	values  e engine u user p password s script f file
	* +s|script|f|file                        code statements
	*                                         unlisted

mysqladmin mariadb-admin
	values  --* h u P S host user port socket
	drop                                      marks destructive_op deletes a database:
	shutdown                                  marks system_control stops the database server
	status|ping|version|variables|create      looks
	processlist|extended-status               looks
	*                                         unlisted

neo4j-admin
	quiet   help h dry-run
	* +overwrite-destination!=false           marks destructive_op replaces a database:
	*                                         unlisted
`
