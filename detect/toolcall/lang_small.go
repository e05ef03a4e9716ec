package toolcall

// smallDeed says what the functions of the languages do that are met less often.
func smallDeed(t tongue, name string) deed {
	switch t {
	case lua:
		return luaDeed(name)
	case statistics:
		return statisticsDeed(name)
	case julia:
		return juliaDeed(name)
	case groovy, elixir:
		return machineDeed(name)
	case awk:
		return awkDeed(name)
	}
	return lispDeed(name)
}

func luaDeed(name string) deed {
	switch name {
	case among(name, "os.execute io.popen vim.fn.system vim.cmd vim.system"):
		return deed{kind: runCommand}
	case "os.remove":
		return deed{kind: removeFile}
	case "os.rename":
		return deed{kind: movePath}
	case "io.open", "io.output":
		return deed{kind: openFile}
	case "io.lines":
		return deed{kind: readFile}
	case "io.read":
		return deed{kind: readInput}
	case "load", "loadstring", "dofile", "assert":
		if name == "assert" {
			return deed{kind: passOn}
		}
		return deed{kind: evalCode}
	case "os.getenv":
		return deed{kind: lookupEnv}
	case "os.tmpname":
		return deed{kind: tempPath}
	case "print":
		return deed{kind: printLine}
	case "io.write":
		return deed{kind: printText}
	case "require":
		return deed{kind: loadModule}
	case "string.char":
		return deed{kind: spellText}
	case "string.reverse":
		return deed{kind: reverseText}
	case "socket.tcp", "socket.connect":
		return deed{kind: connectTo}
	}
	return deed{}
}

func statisticsDeed(name string) deed {
	switch name {
	case among(name, "system shell shell.exec system2 processx.run"):
		if name == "system2" || name == "processx.run" {
			return deed{kind: startCommand}
		}
		return deed{kind: runCommand}
	case "unlink", "file.remove":
		return deed{kind: removeFile}
	case "file.rename":
		return deed{kind: movePath}
	case "file.copy":
		return deed{kind: copyPath}
	case among(name, "writeLines write cat.file write.csv saveRDS write.table"):
		return deed{kind: saveAfter, at: 1}
	case "file.create", "dir.create":
		return deed{kind: writeFile}
	case among(name, "readLines readRDS read.csv scan readChar"):
		return deed{kind: readFile}
	case "source", "eval", "parse":
		if name == "parse" {
			return deed{kind: passOn}
		}
		return deed{kind: evalCode}
	case "download.file":
		return deed{kind: fetchTo}
	case "Sys.getenv":
		return deed{kind: lookupEnv}
	case "path.expand", "normalizePath":
		return deed{kind: expandHome}
	case "file.path":
		return deed{kind: joinPaths}
	case "tempdir", "tempfile":
		return deed{kind: tempPath}
	case "cat":
		return deed{kind: printText}
	case "print", "message":
		return deed{kind: printLine}
	case "paste0":
		return deed{kind: concatAll}
	case "c":
		return deed{kind: listAll}
	}
	return deed{}
}

func juliaDeed(name string) deed {
	switch name {
	case among(name, "run read success readchomp pipeline Cmd"):
		return deed{kind: passOn} // the command has run where its backticks stand
	case "rm":
		return deed{kind: removeFile}
	case "mv":
		return deed{kind: movePath}
	case "cp":
		return deed{kind: copyPath}
	case "write":
		return deed{kind: saveFile}
	case "open":
		return deed{kind: openFile}
	case "eval", "include_string", "Meta.parse":
		return deed{kind: evalCode}
	case "download", "Downloads.download":
		return deed{kind: fetchTo}
	case "println":
		return deed{kind: printLine}
	case "print":
		return deed{kind: printText}
	case "joinpath":
		return deed{kind: joinPaths}
	case "homedir":
		return deed{kind: homeDir}
	case "expanduser":
		return deed{kind: expandHome}
	case "chmod":
		return deed{kind: changeMode}
	case "mkdir", "mkpath", "touch":
		return deed{kind: writeFile}
	case "base64decode":
		return deed{kind: base64Text}
	}
	return deed{}
}

// machineDeed is for Groovy, Elixir and Java.
func machineDeed(name string) deed {
	switch name {
	case among(name, "Runtime.getRuntime.exec Runtime.runtime.exec System.shell os.cmd System.cmd ProcessBuilder Port.open"):
		if name == "System.cmd" || name == "ProcessBuilder" {
			return deed{kind: startCommand}
		}
		return deed{kind: runCommand}
	case among(name, "File.rm File.rm! File.rmdir Files.delete Files.deleteIfExists"):
		return deed{kind: removeFile}
	case "File.rm_rf", "File.rm_rf!":
		return deed{kind: removeTree}
	case "File.write", "File.write!", "Files.writeString", "Files.write":
		return deed{kind: saveFile}
	case "File.read", "File.read!", "Files.readString", "Files.readAllLines":
		return deed{kind: readFile}
	case "File.rename", "File.rename!", "Files.move":
		return deed{kind: movePath}
	case "Code.eval_string", "Eval.me", "evaluate", "GroovyShell.evaluate":
		return deed{kind: evalCode}
	case "decode64", "decode64!": // of Base
		return deed{kind: base64Text}
	case "println", "IO.puts", "System.out.println":
		return deed{kind: printLine}
	case "print", "IO.write", "IO.binwrite":
		return deed{kind: printText}
	case among(name, "File Path.of Paths.get String Path.expand"):
		return deed{kind: makePath}
	}
	return deed{}
}

func awkDeed(name string) deed {
	if name == "system" {
		return deed{kind: runCommand}
	}
	return deed{}
}

// lispDeed is for Emacs.
func lispDeed(name string) deed {
	switch name {
	case "shell-command", "shell-command-to-string", "async-shell-command", "compile":
		return deed{kind: runCommand}
	case "call-process", "start-process", "make-process":
		return deed{kind: startCommand}
	case "delete-file":
		return deed{kind: removeFile}
	case "delete-directory":
		return deed{kind: removeTree}
	case "rename-file":
		return deed{kind: movePath}
	case "copy-file":
		return deed{kind: copyPath}
	case "insert-file-contents", "find-file":
		return deed{kind: readFile}
	case "write-file":
		return deed{kind: writeFile}
	case "princ", "message":
		return deed{kind: printLine}
	}
	return deed{}
}
