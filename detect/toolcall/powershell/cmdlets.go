package powershell

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// fullName returns the name of the cmdlet that belongs to an alias. It returns the name unchanged if an argument begins
// with two hyphens. Cmdlets have no such arguments, so the call is a call of another program.
func fullName(name string, c *call) string {
	full := aliasOf(name)
	if full == name {
		return name
	}
	for _, arg := range c.args {
		if !arg.quoted && len(arg.values) == 1 && strings.HasPrefix(arg.values[0].Text, "--") {
			return name
		}
	}
	return full
}

// aliasOf returns the cmdlet that belongs to one of PowerShell's built-in aliases. It returns any other name unchanged.
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
	case "gps", "ps":
		return "get-process"
	case words.Among(name, "gal gcm gm gsv h history measure group compare fl ft fw oh cls clear gl pwd gv gp gdr "+
		"sleep man help sls epal ipcsv epcsv"):
		return "get-other"
	case "etsn":
		return "enter-pssession"
	case "sasv":
		return "start-service"
	}
	return name
}

// fileAlias returns the cmdlet for which an alias stands, if this cmdlet works on files or folders. Otherwise, it
// returns "".
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

func cmdletHandler(name string) func(*call) objects {
	if h := fileHandler(name); h != nil {
		return h
	}
	switch name {
	case "set-location", "push-location":
		return (*call).setLocation
	case "pop-location":
		return (*call).popLocation
	case "invoke-expression":
		return (*call).invokeExpression
	case "foreach-object", "where-object":
		return (*call).forEachObject
	case words.Among(name, "invoke-command start-job start-threadjob measure-command register-objectevent "+
		"register-engineevent trace-command"):
		return (*call).runBlocks
	case "invoke-sqlcmd":
		return (*call).invokeSQL
	case "enter-pssession", "new-pssession":
		return (*call).openSession
	case "start-process", "invoke-item":
		return (*call).startProcess
	case "invoke-webrequest", "invoke-restmethod", "start-bitstransfer":
		return (*call).webRequest
	case "curl", "wget":
		return nil
	case "send-mailmessage":
		return (*call).sendMail
	case words.Among(name, "write-output write-host write-information write-verbose write-warning write-error write-debug "+
		"out-string out-host select-object sort-object convertto-json out-default get-unique convertfrom-json"):
		return (*call).writeOutput
	case "out-null":
		return func(*call) objects { return objects{} }
	case "set-variable", "new-variable":
		return (*call).setVariable
	case "set-alias", "new-alias":
		return (*call).setAlias
	case "new-object":
		return (*call).newObject
	}
	return systemHandler(name)
}

func fileHandler(name string) func(*call) objects {
	switch name {
	case "remove-item":
		return (*call).removeItem
	case words.Among(name, "set-content add-content out-file tee-object clear-content export-csv export-clixml set-acl"):
		return (*call).writeContent
	case "new-item":
		return (*call).newItem
	case "copy-item", "expand-archive", "compress-archive":
		return (*call).copyItem
	case "move-item", "rename-item":
		return (*call).moveItem
	case words.Among(name, "get-content import-csv import-clixml select-string get-filehash format-hex"):
		return (*call).getContent
	case "get-childitem", "get-item", "resolve-path", "convert-path":
		return (*call).listItems
	case "join-path":
		return (*call).joinPath
	case words.Among(name, "set-itemproperty new-itemproperty remove-itemproperty clear-itemproperty rename-itemproperty "+
		"set-item clear-item"):
		return (*call).setItem
	}
	return nil
}

// cmdletVerb reports whether a name begins with a verb that cmdlets use, such as get-.
func cmdletVerb(name string) bool {
	verb, _, _ := strings.Cut(name, "-")
	return verb == words.Among(verb, "get set new remove add clear test invoke start stop restart enable disable import "+
		"export install uninstall update find save write read out format convert convertto convertfrom select sort group "+
		"measure compare join split resolve register unregister wait receive suspend resume enter exit push pop show use "+
		"debug trace mount dismount expand compress copy move rename reset repair initialize publish grant revoke block "+
		"unblock checkpoint restore limit protect unprotect connect disconnect confirm approve deny submit switch sync "+
		"backup ping send tee where foreach undo watch optimize lock unlock hide assert complete edit merge open close "+
		"redo request search skip step")
}

// isInertCmdlet reports whether a cmdlet affects nothing outside the shell.
func isInertCmdlet(name string) bool {
	return name == words.Among(name, "set-location push-location pop-location write-output write-host write-verbose "+
		"write-warning write-error write-debug write-information out-null out-string out-host test-path get-location "+
		"join-path split-path resolve-path set-variable new-variable get-variable select-object sort-object where-object "+
		"foreach-object format-table format-list measure-object group-object start-sleep get-date convertto-json "+
		"convertfrom-json get-command get-help get-other set-strictmode")
}
