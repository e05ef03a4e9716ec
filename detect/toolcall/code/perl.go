package code

// perl.go knows the functions of Perl that have effects or compute texts.

import "guardrails/detect/toolcall/words"

// perlAction returns what a Perl function does.
func perlAction(name string) action {
	switch name {
	case words.Among(name, "system exec readpipe IPC.Open2.open2 IPC.System.Simple.system capture"):
		return action{kind: runCommand}
	case words.Among(name, "open2 open3"):
		return action{kind: startCommand, arg: 2}
	case words.Among(name, "eval evalbytes"):
		return action{kind: evalCode}
	case words.Among(name, "unlink rmdir"):
		return action{kind: removeFile}
	case words.Among(name, "rmtree remove_tree File.Path.rmtree File.Path.remove_tree File.Remove.remove"):
		return action{kind: removeTree}
	case words.Among(name, "rename move File.Copy.move mv"):
		return action{kind: movePath}
	case words.Among(name, "copy File.Copy.copy cp"):
		return action{kind: copyPath}
	case words.Among(name, "dircopy rcopy File.Copy.Recursive.dircopy File.Copy.Recursive.rcopy"):
		return action{kind: copyTree}
	case words.Among(name, "symlink link"):
		return action{kind: linkPath, arg: 1}
	case words.Among(name, "mkdir truncate mkpath make_path"):
		return action{kind: writeFile}
	case "chmod":
		return action{kind: changeMode}
	case "chown":
		return action{kind: changeOwner, arg: 2}
	case words.Among(name, "do require"):
		return action{kind: loadModule}
	case words.Among(name, "open sysopen"):
		return action{kind: openPipe}
	case words.Among(name, "write_file File.Slurp.write_file"):
		return action{kind: saveFile}
	case words.Among(name, "read_file File.Slurp.read_file"):
		return action{kind: readFile}
	}
	return perlRuntimeAction(name)
}

// perlRuntimeAction is the part of perlAction for functions that work with texts, processes or the network.
func perlRuntimeAction(name string) action {
	switch name {
	case words.Among(name, "print printf"):
		return action{kind: printText}
	case "say":
		return action{kind: printLine}
	case words.Among(name, "decode_base64 MIME.Base64.decode_base64"):
		return action{kind: decodeBase64}
	case "reverse":
		return action{kind: reverseOrder}
	case "chr":
		return action{kind: decodeCharCodes}
	case "pack":
		return action{kind: packNumbers}
	case "join":
		return action{kind: joinList}
	case words.Among(name, "find finddepth File.Find.find File.Find.finddepth"):
		return action{kind: listPaths, arg: 1}
	case "glob":
		return action{kind: findPaths}
	case "readdir":
		return action{kind: listFolder}
	case "keys":
		return action{kind: dictKeys}
	case "values":
		return action{kind: dictValues}
	case words.Among(name, "shift pop"):
		return action{kind: chooseItem}
	case words.Among(name, "push unshift"):
		return action{kind: growList}
	case words.Among(name, "lc uc scalar ref sprintf bless chomp"):
		return action{kind: returnFirst}
	case words.Among(name, "connect IO.Socket.INET.new IO.Socket.INET IO.Socket.SSL.new IO.Socket.IP.new"):
		return action{kind: connectTo}
	case words.Among(name, "accept listen"):
		return action{kind: listenOn}
	case words.Among(name, "get LWP.Simple.get LWP.UserAgent.new.get HTTP.Tiny.new.get"):
		return action{kind: fetchURL}
	case words.Among(name, "getstore LWP.Simple.getstore"):
		return action{kind: fetchTo}
	case "kill":
		return action{kind: killProcess, arg: 1}
	case "fork":
		return action{kind: forkProcess}
	case words.Among(name, "wait waitpid exit"):
		return action{kind: waitProcess}
	case words.Among(name, "POSIX.setuid setuid"):
		return action{kind: setUser}
	case "chdir":
		return action{kind: changeDir}
	}
	return action{}
}
