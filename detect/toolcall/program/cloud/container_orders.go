package cloud

// containerOrders lists the subcommands of container engines and of programs that copy images. Before the rows are
// compared, engine() removes the flags in front of the subcommand, and the word "container" or "image".
const containerOrders = `
docker podman nerdctl buildah
	values  filter t tag o output creds authfile cert-dir format digestfile sign-by compression-format compression-level retry
	values  retry-delay encryption-key encrypt-layer sign-by-sigstore sign-by-sigstore-private-key sign-passphrase-file
	run|create                                code engine-run
	exec                                      code engine-exec
	cp                                        code engine-copy
	unshare                                   code engine-unshare
	rm|stop|kill|pause|restart|update guardrails-server|guardrails  marks guard_tamper stops a server of the guard:
	rm|rmi|kill                               code engine-remove
	save|export                               code engine-save
	push * oci:*|oci-archive:*|dir:*|docker-archive:*|docker-daemon:*|containers-storage:*  looks
	push                                      code image-push
	manifest push                             code image-push
	build|buildx +t=localhost:*|127.0.0.1:*   looks
	build|buildx +tag=localhost:*|127.0.0.1:*  looks
	build|buildx +push                        publishes
	build|buildx +output=type=registry*|type=image,push=true*  publishes
	build|buildx +o=type=registry*|type=image,push=true*  publishes
	buildx imagetools create                  publishes
	plugin install +grant-all-permissions     marks container_escape gives a plugin all rights on the host
	system prune|reset                        marks destructive_op deletes data of containers:
	volume create                             code volume-create
	volume rm|remove                          code volume-remove
	volume prune                              marks destructive_op deletes data of containers:
	machine rm                                marks destructive_op deletes data of containers:
	stack rm|down                             destroys
	service|secret|config|node rm             destroys
	swarm leave +f|force                      destroys
	stack deploy                              releases
	service create|update|scale|rollback      releases
	inspect +~Config.Env|.Env}                reveals
	ps|images|ls|list|inspect|logs|stats|top  looks
	info|version|events|diff|history|port     looks
	build|buildx|pull|load|import|tag|commit  looks
	start|stop|restart|pause|unpause|wait     looks
	rename                                    code rename
	login|logout|search|attach|update         looks
	volume|network|system|image|container     looks
	context|builder|manifest|plugin|machine   looks
	pod|play|generate|secret|config|service   looks
	stack|swarm|node                          looks
	*                                         unlisted

docker-compose podman-compose
	values  t timeout rmi
	down|rm +v|volumes                        marks destructive_op deletes the volumes of the containers
	exec                                      code compose-exec
	config +environment                       reveals
	run                                       code engine-run
	push                                      publishes
	cp                                        code engine-copy
	up|down|start|stop|restart|build|pull     looks
	ps|ls|logs|top|images|config|events|port  looks
	rm|kill|create|pause|unpause|version      looks
	*                                         unlisted

skopeo
	values  authfile src-authfile dest-authfile creds src-creds dest-creds cert-dir src-cert-dir dest-cert-dir f format
	values  s src d dest retry-times override-os override-arch override-variant command-timeout policy registries.d
	values  registries-conf tmpdir user-agent sign-by sign-identity sign-passphrase-file sign-by-sigstore multi-arch
	values  sign-by-sigstore-private-key additional-tag encryption-key encrypt-layer decryption-key digestfile
	values  username password src-username src-password dest-username dest-password registry-token src-registry-token
	values  dest-registry-token dest-compress-format dest-compress-level src-daemon-host dest-daemon-host
	values  src-shared-blob-dir dest-shared-blob-dir image-parallel-copies retry-delay append-suffix
	quiet   help h dry-run
	copy * docker://*                         code image-push
	copy                                      looks
	sync +dest=dir                            looks
	sync +d=dir                               looks
	sync                                      code image-push
	delete docker://localhost*|docker://127.0.0.1*  looks
	delete                                    marks destructive_op deletes an image of a registry:
	inspect|list-tags|login|logout|manifest-digest|standalone-*  looks
	*                                         unlisted

crane oras cosign regctl
	values  platform j jobs a annotation artifact-type t new_tag o output from-platform concurrency to-username to-password
	values  from-username from-password username password u p registry-config config verbosity
	quiet   help h
	within  9
	push localhost:*|127.0.0.1:*              looks
	append|mutate|flatten +o|output           looks
	attest +no-upload                         looks
	attest|attach|upload|append|mutate|rebase|flatten  publishes
	tag ls|list                               looks
	... copy|push|cp|sync                     code image-push
	... tag                                   publishes
	*                                         unlisted

ko
	quiet   help h local L
	* +push=false                             looks
	build|publish|resolve                     publishes
	apply|create|run                          releases
	*                                         unlisted
`
