package cloud

const platformRows = `	ssh console +C|command                    unlisted
	ssh console                               code remote
	d1 execute                                code d1
	db shell|execute|query                    code sql
	pg|postgres|mpg|mysql|db|database connect|shell code sql
	connect|shell|psql                        code sql
	env pull|get                              reveals
	env:pull|auth:export|login:ci             reveals
	functions:config:get|functions:secrets:access  reveals
	env add * development|preview             looks
	env add|update                            changes
	secret bulk                               changes
	secret:create|env:create                  changes
	variables +set|set-from-stdin             changes
	variables -                               reveals
	variable list                             reveals
	deploys create srv-*|crn-*                releases
	deploys create +confirm                   releases
	deploys cancel                            changes
	jobs create                               changes
	workspace set                             looks
	password|service-token create             grants
	auth token                                reveals
	projects api-keys                         reveals
	import +replace|replace-all               destroys
	build +auto-submit                        releases
	db reset +linked|db-url                   destroys
	db reset                                  looks
	migration up +linked|db-url               releases
	migration up                              looks
	dev|build|login|logout|link|init|start    looks
	emulators:start|emulators:exec            looks
	serve|stop|status|pull|types|gen|whoami   looks
	logs|run|local                            looks
	functions serve|new                       looks
	... deploy|publish|rollback|promote       releases
	... redeploy|submit                       releases
	d1 time-travel restore                    destroys
	branches|backup|backups|db restore        destroys
	... delete|destroy|rm|remove|drop|reset   destroys
	trigger-job|tj|set-pipeline|sp            releases
	hosting:disable                           destroys
	... put|set|scale|restart|unset|suspend   changes
	... resume|up|down|push|update            changes
	*                                         unlisted
`

// testChains lists patterns for the addresses of the Ethereum networks for tests.
const testChains = "sepolia|holesky|hoodi|localhost|anvil|http://127.*|http://localhost*|https://sepolia.*|" +
	"https://rpc.sepolia.*|https://eth-sepolia.*|https://ethereum-sepolia*"

// deployPipelines lists patterns for the names of pipelines that deploy.
const deployPipelines = "deploy*|*deploy|release*|*release|prod*|*prod|*production"

// developerChains lists patterns for the addresses of the Solana networks for tests.
const developerChains = "d|t|l|devnet|testnet|localhost|" +
	"https://api.devnet*|https://api.testnet*|http://127.*|http://localhost*"

// platformOrders lists the subcommands of platforms that run applications. A row that begins with "..." matches if its
// word is among the first few operands of the call. Such rows come after the rows for subcommands that affect only this
// machine.
const platformOrders = `
heroku
	values  a app r remote c confirm
	config:get NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|LOG_LEVEL|PORT|TZ|*_HOST|*_VERSION -  looks
	config|config:get|auth:token              reveals
	pg:credentials:url|redis:credentials      reveals
	run|ps:exec                               code app
	pg:psql                                   code sql
	pg:backups:unschedule                     changes
	*:destroy|*:delete|*:remove|*:reset       destroys
	*:unset|*:restore|pg:copy                           destroys
	*:deploy|*:release|*:rollback|*:promote   releases
	*:push                                    releases
	*:set|*:restart|*:scale|*:stop|*:on|*:off changes
	*:create|*:add|*:upgrade                  changes
	apps|ps|logs|info|status|releases|addons  looks
	login|logout|whoami|version|help|local    looks
	*:info|*:list|*:get|*:wait|*:whoami       looks
	*                                         unlisted

netlify netlify-cli
	values  a auth s site d dir m message
	quiet   help h dry-run
	env:get                                   reveals
	env:list +plain                           reveals
	env:set|env:unset|env:import              changes
	deploy +prod|p|prod-if-unlocked           releases
	deploy                                    looks
	*                                         unlisted

flyctl fly vercel now ntl railway wrangler firebase supabase render eas eas-cli amplify convex turso neonctl pscale azd cf
	values  a app c config token t target project P only site s e env environment command file cwd scope db-url dir d auth
	values  service
	quiet   help h dry-run build-only local!=false
	within  3
	after   :
	- +prod                                   code vercel
	- +target=production                      code vercel
` + platformRows + `
stripe
	values  api-key p project-name d data e expand
	config +list                              reveals
	refunds|payouts|transfers|charges|payment_intents|topups create +live  marks destructive_op moves money:
	refunds|payouts|transfers|charges|payment_intents|topups create +api-key=sk_live*|rk_live*  marks destructive_op moves money:
	delete|post +live                         marks destructive_op changes what customers have:
	* create|update|delete|confirm|cancel|void_invoice|pay|capture +live   marks destructive_op changes what customers have:
	* create|update|delete|confirm|cancel|void_invoice|pay|capture +api-key=sk_live*|rk_live*  marks destructive_op changes what customers have:
	* +api-key=sk_live*|rk_live*              unlisted
	* +live                                   unlisted
	*                                         looks

gh-pages surge angular-cli-ghpages
	quiet   help h version V
	list|whoami|login|logout|token            looks
	teardown                                  destroys
	*                                         releases

salt salt-ssh chef-client colmena deploy-rs
	quiet   help h version why-run W dry-run
	* *.ping|grains.item|grains.items|grains.get|grains.ls|sys.doc|sys.list_*|disk.usage  looks
	* state.* +~test=True|test=true           looks
	*                                         changes

circleci
	context store-secret                      changes
	context|namespace|orb list|info|source    looks
	context remove-secret|delete              destroys
	*                                         unlisted

travis
	env set|unset|copy|clear                  changes
	*                                         unlisted

drone woodpecker-cli
	build promote|rollback|approve            releases
	deploy                                    releases
	secret|orgsecret add|update               changes
	repo|org|global|admin secret add|update  changes
	*                                         unlisted

octo octopus
	release|deployment|runbook deploy|create|run|promote  releases
	deploy-release|create-release|run-runbook  releases
	* list|view                               looks
	*                                         unlisted

tkn
	pipeline|p start ci*|test*|lint*|build*|check*  looks
	pipeline|p start                          releases
	*                                         unlisted

jenkins-cli
	values  s -s auth -auth i -i user -user
	build ci*|test*|lint*|build*|check*       looks
	build                                     releases
	groovy|groovysh                           marks remote_execution,devops_invocation runs code on the server
	safe-*|restart|shutdown|quiet-down|install-plugin|create-*|update-*|reload-*  changes
	*                                         unlisted

bk
	values  p pipeline b branch m message e env c commit
	build create|new +p=` + deployPipelines + `  releases
	build create|new +pipeline=` + deployPipelines + `  releases
	build create|new +e=*prod|*production     releases
	build create|new +env=*prod|*production   releases
	job unblock                               releases
	*                                         unlisted

ldcli
	values  access-token project flag environment d data
	flags toggle-on|toggle-off|update|archive  changes
	members create                            grants
	*                                         unlisted

amtool
	values  alertmanager.url d duration c comment a author
	silence add|update|import|expire          changes
	*                                         unlisted

airflow
	values  s start-date e end-date t task-regex o output
	quiet   help h dry-run
	dags backfill +n                          looks
	tasks clear                               destroys
	connections get|export                    reveals
	variables get *password|*secret|*token|*key  reveals
	variables export                          reveals
	db reset|clean                            marks destructive_op deletes data of the server:
	dags backfill                             changes
	users create|add-role                     grants
	*                                         unlisted

prefect
	deployment run *prod|*production          releases
	*                                         unlisted

twilio
	values  from to body url p profile
	plugins:*|profiles:*|autocomplete         looks
	*messages:create|*calls:create|*verifications:create|email:send  publishes
	*:create|*:update|*:remove                changes
	*                                         unlisted

steamcmd
	* +~run_app_build                         publishes
	*                                         unlisted

kaggle
	values  p path m message
	datasets|kernels|models|d|k|m create|version|push|update  publishes
	*                                         unlisted

act
	values  j job W workflows s secret e eventpath P platform
	quiet   n dryrun l list g graph h help version
	*                                         unlisted

sf sfdx
	values  o target-org m metadata d source-dir x manifest
	quiet   help h
	project deploy preview|report|validate    looks
	*                                         unlisted

dep deployer
	tree|list|config|ssh                      looks
	*                                         unlisted

cast
	values  rpc-url r private-key account chain from f value gas-limit
	wallet private-key|decrypt-keystore|dk    reveals
	* +rpc-url=` + testChains + `  unlisted
	* +r=` + testChains + `  unlisted
	* +chain=sepolia|holesky|hoodi|anvil-hardhat  unlisted
	send|publish +rpc-url|r|chain|ledger      marks destructive_op moves money or ends a contract:
	*                                         unlisted

solana spl-token
	values  u url k keypair C config
	* +url=` + developerChains + `  looks
	* +u=` + developerChains + `  looks
	program close|extend                      marks destructive_op moves money or ends a contract:
	program set-upgrade-authority|deploy|write-buffer  releases
	transfer|pay|burn|close|authorize|withdraw*|delegate-stake|mint  marks destructive_op moves money or ends a contract:
	*                                         unlisted

simctl
	erase|delete all                          marks destructive_op deletes what is in every simulator:
	erase|delete                              looks
	*                                         unlisted

balena
	local flash                               marks device_write writes to a disk
	*                                         unlisted

puppet bolt knife werf nixos-rebuild
	quiet   help h noop dry-run
	apply|agent|converge|switch|boot|ssh      changes
	command|script|task|plan run              changes
	*                                         unlisted

kind k3d minikube ctlptl
	*                                         looks
`
