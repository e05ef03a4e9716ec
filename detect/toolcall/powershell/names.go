package powershell

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// powerAlias is the full name of a cmdlet. Where another program goes by the same name, the arguments tell which is
// meant: --force is no cmdlet's.
func powerAlias(name string, c *PowerCall) string {
	full := aliasOf(name)
	if full == name {
		return name
	}
	for _, arg := range c.args {
		if !arg.quoted && len(arg.list) == 1 && strings.HasPrefix(arg.list[0].Text, "--") {
			return name
		}
	}
	return full
}

// aliasOf is the full name that PowerShell's own aliases stand for.
func aliasOf(name string) string {
	if full := fileAlias(name); full != "" {
		return full
	}
	switch name {
	case "iex":
		return "invoke-expression"
	case "%", "foreach":
		return "foreach-object"
	case "?", "where":
		return "where-object"
	case "icm":
		return "invoke-command"
	case "sajb":
		return "start-job"
	case "saps", "start":
		return "start-process"
	case "iwr":
		return "invoke-webrequest"
	case "irm":
		return "invoke-restmethod"
	case "echo", "write":
		return "write-output"
	case "sv", "set":
		return "set-variable"
	case "nv":
		return "new-variable"
	case "sal":
		return "set-alias"
	case "nal":
		return "new-alias"
	case "spps", "kill":
		return "stop-process"
	case "spsv":
		return "stop-service"
	case "select":
		return "select-object"
	case "sort":
		return "sort-object"
	case words.Among(name, "gal gcm gm gps ps gsv h history measure group compare fl ft fw oh cls clear gl pwd gv gp gdr sleep "+
		"man help sls epal ipcsv epcsv"):
		return "get-other"
	case "etsn":
		return "enter-pssession"
	case "sasv":
		return "start-service"
	}
	return name
}

// fileAlias is aliasOf for the cmdlets that work on files and folders.
func fileAlias(name string) string {
	switch name {
	case words.Among(name, "ri rm del erase rd rmdir rp-item"):
		return "remove-item"
	case "sc":
		return "set-content"
	case "ac":
		return "add-content"
	case "clc":
		return "clear-content"
	case "tee":
		return "tee-object"
	case "ni", "mkdir", "md":
		return "new-item"
	case "cp", "copy", "cpi":
		return "copy-item"
	case "mv", "move", "mi":
		return "move-item"
	case "ren", "rni":
		return "rename-item"
	case "gc", "cat", "type":
		return "get-content"
	case "gci", "ls", "dir":
		return "get-childitem"
	case "gi":
		return "get-item"
	case "sp":
		return "set-itemproperty"
	case "rp":
		return "remove-itemproperty"
	case "si":
		return "set-item"
	case "cd", "chdir", "sl":
		return "set-location"
	case "pushd":
		return "push-location"
	case "popd":
		return "pop-location"
	}
	return ""
}

// powerCmdlet finds the handler of a cmdlet by its full name.
func powerCmdlet(name string) func(*PowerCall) powerData {
	if h := powerFileCmdlet(name); h != nil {
		return h
	}
	switch name {
	case "set-location", "push-location":
		return (*PowerCall).setLocation
	case "pop-location":
		return (*PowerCall).popLocation
	case "invoke-expression":
		return (*PowerCall).invokeExpression
	case "foreach-object", "where-object":
		return (*PowerCall).eachObject
	case words.Among(name, "invoke-command start-job start-threadjob measure-command register-objectevent register-engineevent "+
		"trace-command"):
		return (*PowerCall).runBlocks
	case "enter-pssession", "new-pssession":
		return (*PowerCall).session
	case "start-process", "invoke-item":
		return (*PowerCall).startProcess
	case "invoke-webrequest", "invoke-restmethod", "start-bitstransfer":
		return (*PowerCall).webRequest
	case "curl", "wget":
		return nil
	case "send-mailmessage":
		return (*PowerCall).sendMail
	case words.Among(name, "write-output write-host write-information write-verbose write-warning write-error write-debug "+
		"out-string out-host select-object sort-object convertto-json out-default get-unique convertfrom-json"):
		return (*PowerCall).passOn
	case "out-null":
		return func(*PowerCall) powerData { return powerData{} }
	case "set-variable", "new-variable":
		return (*PowerCall).setVariable
	case "set-alias", "new-alias":
		return (*PowerCall).setAlias
	case "new-object":
		return (*PowerCall).newObject
	}
	return powerSystemCmdlet(name)
}

func powerFileCmdlet(name string) func(*PowerCall) powerData {
	switch name {
	case "remove-item":
		return (*PowerCall).removeItem
	case words.Among(name, "set-content add-content out-file tee-object clear-content export-csv export-clixml set-acl"):
		return (*PowerCall).writeContent
	case "new-item":
		return (*PowerCall).newItem
	case "copy-item", "expand-archive", "compress-archive":
		return (*PowerCall).copyItem
	case "move-item", "rename-item":
		return (*PowerCall).moveItem
	case words.Among(name, "get-content import-csv import-clixml select-string get-filehash format-hex"):
		return (*PowerCall).getContent
	case "get-childitem", "get-item", "resolve-path", "convert-path":
		return (*PowerCall).listItems
	case "join-path":
		return (*PowerCall).joinPath
	case words.Among(name, "set-itemproperty new-itemproperty remove-itemproperty clear-itemproperty rename-itemproperty "+
		"set-item clear-item"):
		return (*PowerCall).setItem
	}
	return nil
}

// cmdletVerb reports whether a name begins like a cmdlet's.
func cmdletVerb(name string) bool {
	verb, _, _ := strings.Cut(name, "-")
	return verb == words.Among(verb, "get set new remove add clear test invoke start stop restart enable disable import export install "+
		"uninstall update find save write read out format convert convertto convertfrom select sort group "+
		"measure compare join split resolve register unregister wait receive suspend resume enter exit push "+
		"pop show use debug trace mount dismount expand compress copy move rename reset repair initialize "+
		"publish grant revoke block unblock checkpoint restore limit protect unprotect connect disconnect "+
		"confirm approve deny submit switch sync backup ping send tee where foreach undo watch optimize lock "+
		"unlock hide assert complete edit merge open close redo request search skip step")
}

// isInertCmdlet reports whether a cmdlet only speaks to the shell itself.
func isInertCmdlet(name string) bool {
	return name == words.Among(name, "set-location push-location pop-location write-output write-host write-verbose write-warning "+
		"write-error write-debug write-information out-null out-string out-host test-path get-location "+
		"join-path split-path resolve-path set-variable new-variable get-variable select-object sort-object "+
		"where-object foreach-object format-table format-list measure-object group-object start-sleep "+
		"get-date convertto-json convertfrom-json get-command get-help get-other set-strictmode")
}
