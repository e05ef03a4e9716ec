package code

// other.go knows the functions of less common languages: Lua, R, Julia, Groovy, Elixir, awk and Emacs Lisp.

import (
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// otherAction returns what a function of a less common language does.
func otherAction(lang trace.Language, name string) action {
	switch lang {
	case trace.Lua:
		return luaAction(name)
	case trace.Statistics:
		return rAction(name)
	case trace.Julia:
		return juliaAction(name)
	case trace.Groovy, trace.Elixir:
		return virtualMachineAction(name)
	case trace.Awk:
		return awkAction(name)
	}
	return lispAction(name)
}

func luaAction(name string) action {
	switch name {
	case words.Among(name, "os.execute io.popen vim.fn.system vim.cmd vim.system"):
		return action{kind: runCommand}
	case words.Among(name, "os.remove vim.loop.fs_unlink vim.uv.fs_unlink"):
		return action{kind: removeFile}
	case words.Among(name, "vim.fn.delete vim.fs.rm"):
		return action{kind: removeTree}
	case "vim.fn.writefile":
		return action{kind: saveContentFirst, arg: 1}
	case "os.rename":
		return action{kind: movePath}
	case words.Among(name, "io.open io.output"):
		return action{kind: openFile}
	case "io.lines":
		return action{kind: readFile}
	case "io.read":
		return action{kind: readInput}
	case "dofile":
		return action{kind: runScript}
	case words.Among(name, "load loadstring assert"):
		if name == "assert" {
			return action{kind: returnFirst}
		}
		return action{kind: evalCode}
	case "lfs.dir":
		return action{kind: listFolder}
	case "lfs.chdir":
		return action{kind: changeDir}
	case words.Among(name, "ipairs pairs"):
		return action{kind: returnFirst}
	case "table.concat":
		return action{kind: joinText}
	case "table.insert":
		return action{kind: growList}
	case "os.getenv":
		return action{kind: lookupEnv}
	case "os.tmpname":
		return action{kind: tempPath}
	case "print":
		return action{kind: printLine}
	case "io.write":
		return action{kind: printText}
	case "require":
		return action{kind: loadModule}
	case "string.char":
		return action{kind: decodeCharCodes}
	case "string.reverse":
		return action{kind: reverseOrder}
	case words.Among(name, "socket.tcp socket.connect"):
		return action{kind: connectTo}
	}
	return action{}
}

func rAction(name string) action {
	switch name {
	case words.Among(name, "system shell shell.exec system2 processx.run"):
		if name == "system2" || name == "processx.run" {
			return action{kind: startCommand}
		}
		return action{kind: runCommand}
	case words.Among(name, "unlink file.remove"):
		return action{kind: removeFile}
	case "file.rename":
		return action{kind: movePath}
	case "file.copy":
		return action{kind: copyPath}
	case words.Among(name, "writeLines write cat.file write.csv saveRDS write.table"):
		return action{kind: saveContentFirst, arg: 1}
	case words.Among(name, "file.create dir.create"):
		return action{kind: writeFile}
	case words.Among(name, "readLines readRDS read.csv scan readChar"):
		return action{kind: readFile}
	case "source":
		return action{kind: runScript}
	case "parse":
		return action{kind: returnFirst}
	case "eval":
		return action{kind: evalCode}
	case "download.file":
		return action{kind: fetchTo}
	case "Sys.getenv":
		return action{kind: lookupEnv}
	case words.Among(name, "path.expand normalizePath"):
		return action{kind: expandHome}
	case "file.path":
		return action{kind: joinPaths}
	case words.Among(name, "list.files dir list.dirs"):
		return action{kind: listPaths}
	case words.Among(name, "tempdir tempfile"):
		return action{kind: tempPath}
	case "cat":
		return action{kind: printText}
	case words.Among(name, "print message"):
		return action{kind: printLine}
	case "paste0":
		return action{kind: concatArguments}
	case "c":
		return action{kind: listArguments}
	}
	return action{}
}

func juliaAction(name string) action {
	switch name {
	case words.Among(name, "run read success readchomp pipeline Cmd"):
		return action{kind: returnFirst} // the command has already run, at the place of its backticks
	case "rm":
		return action{kind: removeFile}
	case "mv":
		return action{kind: movePath}
	case "cp":
		return action{kind: copyPath}
	case "write":
		return action{kind: saveFile}
	case "open":
		return action{kind: openFile}
	case words.Among(name, "eval include_string Meta.parse"):
		return action{kind: evalCode}
	case words.Among(name, "download Downloads.download"):
		return action{kind: fetchTo}
	case "println":
		return action{kind: printLine}
	case "print":
		return action{kind: printText}
	case "readdir":
		return action{kind: listFolder}
	case "joinpath":
		return action{kind: joinPaths}
	case "homedir":
		return action{kind: homeDir}
	case "expanduser":
		return action{kind: expandHome}
	case "chmod":
		return action{kind: changeMode}
	case words.Among(name, "mkdir mkpath touch"):
		return action{kind: writeFile}
	case "base64decode":
		return action{kind: decodeBase64}
	}
	return action{}
}

// virtualMachineAction returns what a function of Groovy, Java, Elixir or Erlang does.
func virtualMachineAction(name string) action {
	switch name {
	case words.Among(name, "Runtime.getRuntime.exec Runtime.runtime.exec System.shell os.cmd System.cmd "+
		"ProcessBuilder Port.open"):
		if name == "System.cmd" || name == "ProcessBuilder" {
			return action{kind: startCommand}
		}
		return action{kind: runCommand}
	case words.Among(name, "File.rm File.rm! File.rmdir Files.delete Files.deleteIfExists"):
		return action{kind: removeFile}
	case words.Among(name, "File.rm_rf File.rm_rf!"):
		return action{kind: removeTree}
	case words.Among(name, "File.write File.write! Files.writeString Files.write"):
		return action{kind: saveFile}
	case words.Among(name, "File.read File.read! Files.readString Files.readAllLines"):
		return action{kind: readFile}
	case words.Among(name, "File.rename File.rename! Files.move"):
		return action{kind: movePath}
	case words.Among(name, "Code.eval_string Eval.me evaluate GroovyShell.evaluate"):
		return action{kind: evalCode}
	case words.Among(name, "decode64 decode64!"): // of Base
		return action{kind: decodeBase64}
	case words.Among(name, "println IO.puts System.out.println"):
		return action{kind: printLine}
	case words.Among(name, "print IO.write IO.binwrite"):
		return action{kind: printText}
	case words.Among(name, "File Path.of Paths.get String Path.expand"):
		return action{kind: makePath}
	}
	return action{}
}

func awkAction(name string) action {
	switch name {
	case "system":
		return action{kind: runCommand}
	case "split":
		return action{kind: splitInto}
	}
	return action{}
}

// lispAction returns what a function of Emacs Lisp does.
func lispAction(name string) action {
	switch name {
	case words.Among(name, "shell-command shell-command-to-string async-shell-command compile"):
		return action{kind: runCommand}
	case words.Among(name, "call-process start-process make-process"):
		return action{kind: startCommand}
	case "delete-file":
		return action{kind: removeFile}
	case "delete-directory":
		return action{kind: removeTree}
	case "rename-file":
		return action{kind: movePath}
	case "copy-file":
		return action{kind: copyPath}
	case words.Among(name, "insert-file-contents find-file"):
		return action{kind: readFile}
	case "write-file":
		return action{kind: writeFile}
	case words.Among(name, "princ message"):
		return action{kind: printLine}
	}
	return action{}
}
