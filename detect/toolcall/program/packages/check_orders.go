package packages

// checkOrders lists the subcommands of programs that run a project's tasks, tests and checks.
const checkOrders = `
hk
	check|run                                 tests
	*                                         unlisted

mise rtx
	leading C cd E env j jobs
	run|r|tasks test*|check|checks|ci         tests
	test*|check|checks|ci                     tests
	exec|x                                    code node-explore
	run|r|tasks|install|i|use|up|upgrade|ls   looks
	list|current|which|where|env|doctor|trust looks
	*                                         unlisted

rtk
	test                                      code checked-command
	err|summary|proxy                         code inner-command
	read|smart|json|deps|env|log|gain|init    looks
	discover|config|session|learn|version     looks
	*                                         code whole-command

codecov codecovcli semver
	*                                         looks

datadog-ci
	quiet   help h dry-run d
	junit|sarif|sbom|coverage|tag|measure     looks
	lambda|cloud-run|stepfunctions|aas|container-app uninstrument +delete  destroys
	lambda|cloud-run|stepfunctions|aas|container-app instrument|uninstrument  changes
	synthetics deploy-tests                   releases
	*                                         unlisted

dune
	test|runtest                              tests
	build|clean|exec|fmt|install|init|utop    looks
	*                                         unlisted

rebar3
	eunit|ct|proper|cover                     tests
	hex publish                               publishes
	compile|clean|release|shell|dialyzer      looks
	*                                         unlisted

create-vite create-vue create-astro create-svelte create-electron-vite degit tiged cookiecutter copier cargo-generate
	values  o output-dir t template
	quiet   help h pretend
	* +o=/tmp/*                               looks
	* +output-dir=/tmp/*                      looks
	* +overwrite|overwrite-if-exists|f|force  code replaces-folder
	*                                         unlisted
`
