package code

// Functions of Perl that have effects or compute texts.

import "guardrails/detect/toolcall/words"

// perlAction returns what a Perl function does.
func perlAction(name string) action {
	switch name {
	case words.Among(name, "system exec readpipe IPC.Open2.open2 IPC.System.Simple.system capture"):
		return action{kind: runCommand}
	case "open2", "open3":
		return action{kind: startCommand, arg: 2}
	case "eval", "evalbytes":
		return action{kind: evalCode}
	case "unlink", "rmdir":
		return action{kind: removeFile}
	case words.Among(name, "rmtree remove_tree File.Path.rmtree File.Path.remove_tree File.Remove.remove"):
		return action{kind: removeTree}
	case "rename", "move", "File.Copy.move", "mv":
		return action{kind: movePath}
	case "copy", "File.Copy.copy", "cp":
		return action{kind: copyPath}
	case "symlink", "link":
		return action{kind: linkPath, arg: 1}
	case "mkdir", "truncate", "mkpath", "make_path":
		return action{kind: writeFile}
	case "chmod":
		return action{kind: changeMode}
	case "chown":
		return action{kind: changeOwner, arg: 2}
	case "do", "require":
		return action{kind: loadModule}
	case "open", "sysopen":
		return action{kind: openPipe}
	case "write_file", "File.Slurp.write_file":
		return action{kind: saveFile}
	case "read_file", "File.Slurp.read_file":
		return action{kind: readFile}
	}
	return perlRuntimeAction(name)
}

// perlRuntimeAction is the part of perlAction for functions that work with texts, processes or the network.
func perlRuntimeAction(name string) action {
	switch name {
	case "print", "printf":
		return action{kind: printText}
	case "say":
		return action{kind: printLine}
	case "decode_base64", "MIME.Base64.decode_base64":
		return action{kind: decodeBase64}
	case "reverse":
		return action{kind: reverseOrder}
	case "chr":
		return action{kind: decodeCharCodes}
	case "pack":
		return action{kind: packNumbers}
	case "join":
		return action{kind: joinList}
	case "find", "finddepth", "File.Find.find", "File.Find.finddepth":
		return action{kind: listPaths, arg: 1}
	case "glob":
		return action{kind: findPaths}
	case "readdir":
		return action{kind: listFolder}
	case "keys":
		return action{kind: dictKeys}
	case "values":
		return action{kind: dictValues}
	case "shift", "pop":
		return action{kind: chooseItem}
	case "push", "unshift":
		return action{kind: growList}
	case words.Among(name, "lc uc scalar ref sprintf bless chomp"):
		return action{kind: returnFirst}
	case words.Among(name, "connect IO.Socket.INET.new IO.Socket.INET IO.Socket.SSL.new IO.Socket.IP.new"):
		return action{kind: connectTo}
	case "accept", "listen":
		return action{kind: listenOn}
	case "get", "LWP.Simple.get", "LWP.UserAgent.new.get", "HTTP.Tiny.new.get":
		return action{kind: fetchURL}
	case "getstore", "LWP.Simple.getstore":
		return action{kind: fetchTo}
	case "kill":
		return action{kind: killProcess, arg: 1}
	case "fork":
		return action{kind: forkProcess}
	case "wait", "waitpid", "exit":
		return action{kind: waitProcess}
	case "POSIX.setuid", "setuid":
		return action{kind: setUser}
	case "chdir":
		return action{kind: changeDir}
	}
	return action{}
}
