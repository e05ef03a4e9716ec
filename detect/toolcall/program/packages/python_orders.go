package packages

const (
	pipValues = "publish-url i index-url extra-index-url trusted-host f find-links r requirement c constraint e editable t " +
		"target prefix root proxy timeout " +
		"python index default-index"
	uvValues = "with with-requirements python p extra group env-file directory project index-url extra-index-url index default-index from " +
		"package n C"
	pythonLeading = "directory project C P p python config-file color e env env-file"
	condaLeading  = "n name p prefix"
)

// pythonOrders lists the subcommands of pip, conda, managers of Python projects, and programs that publish Python
// packages.
const pythonOrders = `
pip pip2 pip3 pipx easy_install
	values  --* --pre ` + pipValues + `
	install|download|wheel|sync|compile       code pip-install
	inject|upgrade                            code pip-install
	config set                                code pip-config
	run                                       code pipx-run
	list|show|freeze|check|config|index|hash  looks
	uninstall|cache|debug|inspect|ensurepath  looks
	*                                         unlisted

uv poetry pipenv pdm hatch rye flit pixi
	leading ` + pythonLeading + `
	values  ` + pipValues + `
	run|shell                                 code python-run
	tool|x run                                code python-tool
	pip install|download|wheel|sync|compile   code pip-install
	pip config set                            code pip-config
	pip                                       looks
	publish|upload +dry-run                   looks
	publish|upload                            publishes
	test                                      tests
	add|install|sync|lock|update|source       code pip-install
	build|remove|export|show|tree|check       looks
	init|new|version|env|venv|python|tool|x   looks
	cache|config|self|search|list|help|info   looks
	*                                         unlisted

conda mamba micromamba
	leading ` + condaLeading + `
	values  --* ` + condaLeading + ` c channel f file
	run                                       code conda-run
	remove|uninstall +all +n=base             marks system_change removes the environment that conda needs
	remove|uninstall +all +name=base          marks system_change removes the environment that conda needs
	env remove +n=base                        marks system_change removes the environment that conda needs
	env remove +name=base                     marks system_change removes the environment that conda needs
	install|create|update                     code conda-install
	list|env|info|search|activate|deactivate  looks
	build +upload                             publishes
	remove|uninstall|clean|config|init|shell  looks
	*                                         unlisted

twine anaconda
	values  --* r repository repository-url u p config-file
	upload +dry-run                           looks
	upload +r=testpypi                        looks
	upload +repository=testpypi               looks
	upload                                    publishes
	check|register|login|logout|search|show   looks
	*                                         unlisted

coverage
	values  --* m source rcfile omit include
	run                                       code coverage-run
	report|html|xml|json|lcov|combine|erase   looks
	*                                         unlisted
`
