package toolcall

// perlDeed says what Perl's functions do.
func perlDeed(name string) deed {
	switch name {
	case among(name, "system exec readpipe IPC.Open2.open2 IPC.System.Simple.system capture"):
		return deed{kind: runCommand}
	case "open2", "open3":
		return deed{kind: startCommand, at: 2}
	case "eval", "evalbytes":
		return deed{kind: evalCode}
	case "unlink", "rmdir":
		return deed{kind: removeFile}
	case among(name, "rmtree remove_tree File.Path.rmtree File.Path.remove_tree File.Remove.remove"):
		return deed{kind: removeTree}
	case "rename", "move", "File.Copy.move", "mv":
		return deed{kind: movePath}
	case "copy", "File.Copy.copy", "cp":
		return deed{kind: copyPath}
	case "symlink", "link":
		return deed{kind: linkPath, at: 1}
	case "mkdir", "truncate", "mkpath", "make_path":
		return deed{kind: writeFile}
	case "chmod":
		return deed{kind: changeMode}
	case "chown":
		return deed{kind: changeOwner, at: 2}
	case "open", "sysopen":
		return deed{kind: openPipe}
	case "write_file", "File.Slurp.write_file":
		return deed{kind: saveFile}
	case "read_file", "File.Slurp.read_file":
		return deed{kind: readFile}
	}
	return perlMore(name)
}

// perlMore are Perl's functions for texts, processes and the network.
func perlMore(name string) deed {
	switch name {
	case "print", "printf":
		return deed{kind: printText}
	case "say":
		return deed{kind: printLine}
	case "decode_base64", "MIME.Base64.decode_base64":
		return deed{kind: base64Text}
	case "reverse":
		return deed{kind: reverseText}
	case "chr":
		return deed{kind: spellText}
	case "pack":
		return deed{kind: packText}
	case "join":
		return deed{kind: joinList}
	case among(name, "lc uc glob scalar ref sprintf bless chomp"):
		return deed{kind: passOn}
	case among(name, "connect IO.Socket.INET.new IO.Socket.INET IO.Socket.SSL.new IO.Socket.IP.new"):
		return deed{kind: connectTo}
	case "accept", "listen":
		return deed{kind: listenOn}
	case "get", "LWP.Simple.get", "LWP.UserAgent.new.get", "HTTP.Tiny.new.get":
		return deed{kind: fetchURL}
	case "getstore", "LWP.Simple.getstore":
		return deed{kind: fetchTo}
	case "kill":
		return deed{kind: killProcess, at: 1}
	case "fork":
		return deed{kind: forkProcess}
	case "wait", "waitpid", "exit":
		return deed{kind: waitProcess}
	case "POSIX.setuid", "setuid":
		return deed{kind: becomeUser}
	case "chdir":
		return deed{kind: changeTo}
	}
	return deed{}
}
