package cloud

import "guardrails/detect/toolcall/program"

// table has the programs of this package whose orders can be read off their words.
var table = program.Table{Text: providerOrders + clusterOrders + planOrders + platformOrders + vaultOrders, Code: codeOf}

// Table returns the orders of the programs of this package.
func Table() *program.Table { return &table }

// codeOf returns the functions that rows name.
func codeOf(name string) program.Code {
	switch name {
	case "exec":
		return kubectlExec
	case "copy":
		return kubectlCopy
	case "get":
		return kubectlGet
	case "run":
		return kubectlRun
	case "ansible":
		return ansible
	case "ssh":
		return vagrantSSH
	case "app":
		return herokuRun
	case "sql":
		return herokuSQL
	case "d1":
		return platformSQL
	case "remote":
		return cloudRemote
	case "storage":
		return cloudStorage
	case "vercel":
		return vercel
	case "inner":
		return runInner
	}
	return nil
}
