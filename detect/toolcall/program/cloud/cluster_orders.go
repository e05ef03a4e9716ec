package cloud

// localClusters lists patterns for the names of clusters that run on this machine.
const localClusters = "minikube|docker-desktop|rancher-desktop|orbstack|colima|kind-*|k3d-*"

// clusterOrders lists the subcommands of kubectl and similar tools.
const clusterOrders = `
kubectl oc kubecolor microk8s.kubectl
	values  ` + kubectlValues + `
	quiet   help h dry-run!=none|false context=` + localClusters + `
	delete pod|pods|po +field-selector=status.phase=Failed|status.phase=Succeeded  looks
	delete pod|pods|po +all|A|all-namespaces|l|selector|field-selector  destroys
	delete pod|pods|po|pod/*|pods/*|po/*      looks
	delete|drain                              destroys
	replace|apply +force|prune                destroys
	replace|apply                             releases
	scale +replicas=0                         destroys
	scale                                     releases
	create token                              reveals
	create *rolebinding                       grants
	create namespace|ns                       looks
	create                                    releases
	patch|edit|set|autoscale|expose           releases
	new-app|start-build                       releases
	run                                       code run
	rollout status|history                    looks
	rollout restart                           code restarts
	config use-context|use                    code context
	rollout                                   releases
	label +~/enforce=privileged               grants
	label|annotate                            looks
	taint|cordon|uncordon                     changes
	certificate                               changes
	policy|adm who-can|scc-review             looks
	adm policy who-can|scc-review|scc-subject-review  looks
	adm top|inspect|must-gather|node-logs|release  looks
	adm drain|prune                           destroys
	adm cordon|uncordon|taint|upgrade         changes
	adm|policy                                grants
	get                                       code get
	config view +raw                          reveals
	config set-credentials +exec-command      marks startup_change sets a program that each later command runs:
	view-secret                               reveals
	whoami +t|show-token                      reveals
	extract +to=-                             reveals
	exec|debug                                code exec
	cp                                        code copy
	describe|logs|top|explain|version|diff    looks
	wait|events|api-resources|api-versions    looks
	auth reconcile                            grants
	auth|cluster-info|config|kustomize        looks
	proxy +address!=127.0.0.1|localhost|::1   opens
	port-forward +address=0.0.0.0             opens
	port-forward|proxy                        code tunnel
	attach|completion                         looks
	options|plugin|help                       looks
	*                                         unlisted

helm helm3 helmfile
	values  n namespace kube-context kubeconfig f values set set-string set-file version timeout e environment
	values  l selector registry-config repository-config
	quiet   help h dry-run kube-context=` + localClusters + `
	install|upgrade|rollback|apply|sync       releases
	uninstall|delete|del|un|destroy           destroys
	push                                      publishes
	secrets view|decrypt|dec                  reveals
	list|ls|status|history|get|show|search    looks
	template|lint|diff|repo|pull|fetch|test   looks
	dependency|dep|package|create|env|verify  looks
	registry|plugin|version|completion|help   looks
	*                                         unlisted

velero
	values  n namespace from-backup from-schedule
	restore create                            changes
	create restore                            changes
	uninstall                                 destroys
	*                                         unlisted

kops
	values  name state f filename o output cloud
	quiet   help h
	create +dry-run                           looks
	delete secret|sshpublickey                destroys
	delete +yes|y                             destroys
	delete                                    looks
	update|upgrade|rolling-update|edit +yes|y  releases
	update|upgrade|rolling-update             looks
	replace|create|edit                       changes
	promote|rotate                            changes
	*                                         unlisted

argocd flux nomad consul kubeadm skaffold istioctl cilium
	values  n namespace context f file filename p profile server address token -address -token -namespace
	quiet   help -help -h dry-run
	within  3
	var get                                   reveals
	admin initial-password                    reveals
	account generate-token                    reveals
	proj role create-token                    reveals
	cluster add                               grants
	upgrade plan|diff                         looks
	job restart                               changes
	snapshot restore                          destroys
	operator snapshot restore                 destroys
	... delete|uninstall|stop|reset|purge|destroy|rm|gc                           destroys
	... sync|run|deploy|rollback|install|upgrade|apply|bootstrap        releases
	... put|set|suspend|resume|drain|create|join|init|update|promote              changes
	*                                         unlisted
`
