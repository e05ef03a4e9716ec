package packages

const systemValues = "o option c config-file t target-release repo enablerepo disablerepo repository X"

const systemRows = `	remove|purge|autoremove|erase             code removes
	del|uninstall|rm                          code removes
	install|add|in                            code installs
	update|upgrade|full-upgrade|dist-upgrade  looks
	search|list|show|info|download|policy     looks
	clean|autoclean|check|hold|reinstall      looks
	*                                         unlisted
`

// systemOrders lists the subcommands of the package managers of operating systems.
const systemOrders = `
apt apt-get aptitude dnf yum microdnf zypper snap choco winget port emerge pkg xbps-remove
	values  ` + systemValues + `
	quiet   ` + systemDryRun + `
` + systemRows + `
apk
	values  ` + systemValues + `
` + systemRows + `
brew
	values  ` + systemValues + `
	quiet   ` + systemDryRun + `
	remove|uninstall|rm                       looks
	install                                   code installs
	update|upgrade|search|list|info|doctor    looks
	services|tap|untap|cleanup|outdated|deps  looks
	*                                         unlisted
`
