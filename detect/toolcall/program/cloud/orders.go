package cloud

import (
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
)

var table = program.Table{ //nolint:gochecknoglobals // a constant table
	Text: containerOrders + clusterOrders + forgeOrders + planOrders + awsOrders + providerOrders +
		platformOrders + serviceOrders + vaultOrders,
	Code: codeOf,
}

// Table returns the table with the subcommands of the programs in this package.
func Table() *program.Table { return &table }

// codeOf returns the function whose name follows the word "code" in a row of the table.
func codeOf(name string) program.Code {
	switch name {
	case "edit-secrets":
		return program.EditsSecrets
	case "exec":
		return kubectlExec
	case "copy":
		return kubectlCopy
	case "get":
		return kubectlGet
	case "run":
		return kubectlRun
	case "restarts":
		return kubectlRestart
	case "context":
		return kubectlContext
	case "ansible":
		return ansible
	case "ssh":
		return vagrantSSH
	case "app":
		return herokuRun
	case "sql":
		return database.Statements
	case "d1":
		return platformSQL
	case "tunnel":
		return kubectlTunnel
	case "servers":
		return onServers
	case "remote":
		return cloudRemote
	case "request":
		return cloudRequest
	case "storage":
		return cloudStorage
	case "vercel":
		return vercel
	case "inner":
		return runInner
	case "engine-run":
		return engineRun
	case "engine-exec":
		return engineExec
	case "engine-copy":
		return copyContainer
	case "engine-unshare":
		return engineUnshare
	case "engine-remove":
		return removeContainers
	case "image-push":
		return pushImage
	case "engine-save":
		return engineSave
	case "compose-exec":
		return composeExec
	case "forge-api":
		return forgeAPI
	case "forge-merge":
		return forgeMerge
	case "forge-clone":
		return forgeClone
	case "forge-download":
		return forgeDownload
	case "gist":
		return gist
	case "own-token":
		return printToken
	case "forge-setting":
		return forgeSetting
	case "alias":
		return alias
	case "codespace":
		return codespaceSSH
	case "aws-setting":
		return awsSetting
	case "aws-upload":
		return awsUpload
	case "athena-query":
		return athenaQuery
	case "rename":
		return renameContainer
	case "volume-create":
		return createVolume
	case "volume-remove":
		return removeVolumes
	}
	return nil
}
