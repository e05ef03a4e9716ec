package packages

const systemValues = "o option c config-file t target-release repo enablerepo disablerepo repository X"

const systemRows = `	remove|purge|autoremove|erase             code removes
	del|delete|uninstall|rm                   code removes
	history undo                              code removes
	install|add|in                            code installs
	update|upgrade|full-upgrade|dist-upgrade  looks
	search|list|show|info|download|policy     looks
	clean|autoclean|check|hold|reinstall      looks
	*                                         unlisted
`

// systemOrders lists the subcommands of the package managers of operating systems.
const systemOrders = `
apt apt-get aptitude dnf yum microdnf zypper snap choco winget port pkg flatpak scoop eopkg
	values  ` + systemValues + `
	quiet   ` + systemDryRun + `
` + systemRows + `
nix-env
	* +e|uninstall                            code removes
	*                                         unlisted

conan vcpkg
	remove                                    looks
	*                                         unlisted

apk
	values  ` + systemValues + `
` + systemRows + `
emerge
	values  ` + systemValues + `
	quiet   p pretend
	* +unmerge|depclean|C|c                   code removes
	*                                         code installs-named

xbps-remove
	quiet   n dry-run
	*                                         code removes

brew
	values  ` + systemValues + `
	quiet   ` + systemDryRun + `
	remove|uninstall|rm|autoremove            code removes
	bump-formula-pr|bump-cask-pr              publishes
	install                                   code installs
	update|upgrade|search|list|info|doctor    looks
	services|tap|untap|cleanup|outdated|deps  looks
	*                                         unlisted
`
