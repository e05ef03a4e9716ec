package packages

import "guardrails/detect/toolcall/program"

var table = program.Table{ //nolint:gochecknoglobals // a constant table
	Text: buildOrders + checkOrders + nodeOrders + pythonOrders + systemOrders,
	Code: codeOf,
}

// Table returns the table with the subcommands of the programs in this package.
func Table() *program.Table { return &table }

// codeOf returns the function whose name follows the word "code" in a row of the table.
func codeOf(name string) program.Code {
	switch name {
	case "replaces-folder":
		return replacesFolder
	case "node-test":
		return nodeTest
	case "node-run":
		return nodeRun
	case "node-own":
		return nodeOwn
	case "node-exec":
		return nodeExec
	case "node-nested":
		return nodeNested
	case "node-config":
		return nodeConfig
	case "node-package":
		return nodePackage
	case "node-explore":
		return nodeExplore
	case "node-script":
		return nodeScript
	case "node-alone":
		return nodeAlone
	case "node-install":
		return nodeInstall
	case "installs":
		return installs
	case "installs-named":
		return installsNamed
	case "removes":
		return removes
	case "pip-install":
		return pipInstall
	case "pip-config":
		return pipConfig
	case "pipx-run":
		return pipxRun
	case "python-run":
		return pythonRun
	case "python-tool":
		return pythonTool
	case "conda-run":
		return condaRun
	case "conda-install":
		return condaInstall
	case "coverage-run":
		return coverageRun
	case "go-test":
		return goTest
	case "go-generate":
		return goGenerate
	case "go-run":
		return goRun
	case "go-format":
		return goFormat
	case "go-set":
		return goSet
	case "go-build":
		return goBuild
	case "cargo-run":
		return cargoRun
	case "bundle-exec":
		return bundleExec
	case "checked-command":
		return checkedCommand
	case "inner-command":
		return innerCommand
	case "whole-command":
		return wholeCommand
	}
	return nil
}
