package library

// other.go knows the functions of less common languages: Lua, R, Julia, Groovy, Elixir, awk and Emacs Lisp.

import (
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// otherAction returns what a function of a less common language does.
func otherAction(lang trace.Language, name string) Action {
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

func luaAction(name string) Action {
	switch name {
	case words.Among(name, "os.execute io.popen vim.fn.system vim.cmd vim.system"):
		return Action{Kind: RunCommand}
	case words.Among(name, "os.remove vim.loop.fs_unlink vim.uv.fs_unlink"):
		return Action{Kind: RemoveFile}
	case words.Among(name, "vim.fn.delete vim.fs.rm"):
		return Action{Kind: RemoveTree}
	case "vim.fn.writefile":
		return Action{Kind: SaveContentFirst, Arg: 1}
	case "os.rename":
		return Action{Kind: MovePath}
	case words.Among(name, "io.open io.output"):
		return Action{Kind: OpenFile}
	case "io.lines":
		return Action{Kind: ReadFile}
	case "io.read":
		return Action{Kind: ReadInput}
	case "dofile":
		return Action{Kind: RunScript}
	case words.Among(name, "load loadstring assert"):
		if name == "assert" {
			return Action{Kind: ReturnFirst}
		}
		return Action{Kind: EvalCode}
	case "lfs.dir":
		return Action{Kind: ListFolder}
	case "lfs.chdir":
		return Action{Kind: ChangeDir}
	case words.Among(name, "ipairs pairs"):
		return Action{Kind: ReturnFirst}
	case "table.concat":
		return Action{Kind: JoinText}
	case "table.insert":
		return Action{Kind: GrowList}
	case "os.getenv":
		return Action{Kind: LookupEnv}
	case "os.tmpname":
		return Action{Kind: TempPath}
	case "print":
		return Action{Kind: PrintLine}
	case "io.write":
		return Action{Kind: PrintText}
	case "require":
		return Action{Kind: LoadModule}
	case "string.char":
		return Action{Kind: DecodeCharCodes}
	case "string.reverse":
		return Action{Kind: ReverseOrder}
	case words.Among(name, "socket.http.request ssl.https.request http.request https.request"):
		return Action{Kind: FetchURL}
	case words.Among(name, "socket.tcp socket.connect"):
		return Action{Kind: ConnectTo}
	}
	return Action{}
}

func rAction(name string) Action {
	switch name {
	case words.Among(name, "system shell shell.exec system2 processx.run"):
		if name == "system2" || name == "processx.run" {
			return Action{Kind: StartCommand}
		}
		return Action{Kind: RunCommand}
	case words.Among(name, "unlink file.remove fs.file_delete file_delete"):
		return Action{Kind: RemoveFile}
	case words.Among(name, "fs.dir_delete dir_delete"):
		return Action{Kind: RemoveTree}
	case "file.rename":
		return Action{Kind: MovePath}
	case "file.copy":
		return Action{Kind: CopyPath}
	case words.Among(name, "writeLines write cat.file write.csv saveRDS write.table"):
		return Action{Kind: SaveContentFirst, Arg: 1}
	case words.Among(name, "file.create dir.create"):
		return Action{Kind: WriteFile}
	case words.Among(name, "readLines readRDS read.csv scan readChar"):
		return Action{Kind: ReadFile}
	case words.Among(name, "source sys.source source_url devtools.source_url source_gist devtools.source_gist"):
		return Action{Kind: RunScript}
	case words.Among(name, "parse url file str2lang"):
		return Action{Kind: ReturnFirst}
	case "eval":
		return Action{Kind: EvalCode}
	case "download.file":
		return Action{Kind: FetchTo}
	case "Sys.getenv":
		return Action{Kind: LookupEnv}
	case words.Among(name, "path.expand normalizePath"):
		return Action{Kind: ExpandHome}
	case "file.path":
		return Action{Kind: JoinPaths}
	case words.Among(name, "list.files dir list.dirs"):
		return Action{Kind: ListPaths}
	case words.Among(name, "tempdir tempfile"):
		return Action{Kind: TempPath}
	case "cat":
		return Action{Kind: PrintText}
	case words.Among(name, "print message"):
		return Action{Kind: PrintLine}
	case "paste0":
		return Action{Kind: ConcatArguments}
	case "c":
		return Action{Kind: ListArguments}
	}
	return Action{}
}

func juliaAction(name string) Action {
	switch name {
	case words.Among(name, "run read success readchomp pipeline Cmd"):
		return Action{Kind: ReturnFirst} // the command has already run, at the place of its backticks
	case "rm":
		return Action{Kind: RemoveFile}
	case "mv":
		return Action{Kind: MovePath}
	case "cp":
		return Action{Kind: CopyPath}
	case "write":
		return Action{Kind: SaveFile}
	case "open":
		return Action{Kind: OpenFile}
	case "include":
		return Action{Kind: RunScript}
	case words.Among(name, "eval Meta.parse"):
		return Action{Kind: EvalCode}
	case "include_string":
		return Action{Kind: EvalCode, Arg: 1}
	case words.Among(name, "HTTP.get HTTP.request"):
		return Action{Kind: FetchURL}
	case "String":
		return Action{Kind: ReturnFirst}
	case words.Among(name, "download Downloads.download"):
		return Action{Kind: FetchTo}
	case "println":
		return Action{Kind: PrintLine}
	case "print":
		return Action{Kind: PrintText}
	case "readdir":
		return Action{Kind: ListFolder}
	case "joinpath":
		return Action{Kind: JoinPaths}
	case "homedir":
		return Action{Kind: HomeDir}
	case "expanduser":
		return Action{Kind: ExpandHome}
	case "chmod":
		return Action{Kind: ChangeMode}
	case words.Among(name, "mkdir mkpath touch"):
		return Action{Kind: WriteFile}
	case "base64decode":
		return Action{Kind: DecodeBase64}
	}
	return Action{}
}

// virtualMachineAction returns what a function of Groovy, Java, Elixir or Erlang does.
func virtualMachineAction(name string) Action {
	switch name {
	case words.Among(name, "Runtime.getRuntime.exec Runtime.runtime.exec System.shell os.cmd System.cmd "+
		"ProcessBuilder Port.open"):
		if name == "System.cmd" || name == "ProcessBuilder" {
			return Action{Kind: StartCommand}
		}
		return Action{Kind: RunCommand}
	case words.Among(name, "File.rm File.rm! File.rmdir Files.delete Files.deleteIfExists"):
		return Action{Kind: RemoveFile}
	case words.Among(name, "File.rm_rf File.rm_rf!"):
		return Action{Kind: RemoveTree}
	case words.Among(name, "File.write File.write! Files.writeString Files.write"):
		return Action{Kind: SaveFile}
	case words.Among(name, "File.read File.read! Files.readString Files.readAllLines"):
		return Action{Kind: ReadFile}
	case words.Among(name, "File.rename File.rename! Files.move"):
		return Action{Kind: MovePath}
	case words.Among(name, "Code.eval_string Eval.me evaluate GroovyShell.evaluate new.GroovyShell.evaluate"):
		return Action{Kind: EvalCode}
	case words.Among(name, "Req.get Req.get! HTTPoison.get HTTPoison.get! Tesla.get Tesla.get! httpc.request"):
		return Action{Kind: FetchURL}
	case words.Among(name, "URL URI URL.new URI.create"):
		return Action{Kind: ReturnFirst}
	case words.Among(name, "decode64 decode64!"): // of Base
		return Action{Kind: DecodeBase64}
	case words.Among(name, "println IO.puts System.out.println"):
		return Action{Kind: PrintLine}
	case words.Among(name, "print IO.write IO.binwrite"):
		return Action{Kind: PrintText}
	case words.Among(name, "File Path.of Paths.get String Path.expand"):
		return Action{Kind: MakePath}
	}
	return Action{}
}

func awkAction(name string) Action {
	switch name {
	case "system":
		return Action{Kind: RunCommand}
	case "split":
		return Action{Kind: SplitInto}
	}
	return Action{}
}

// lispAction returns what a function of Emacs Lisp does.
func lispAction(name string) Action {
	switch name {
	case words.Among(name, "shell-command shell-command-to-string async-shell-command compile"):
		return Action{Kind: RunCommand}
	case words.Among(name, "call-process start-process make-process"):
		return Action{Kind: StartCommand}
	case "delete-file":
		return Action{Kind: RemoveFile}
	case "delete-directory":
		return Action{Kind: RemoveTree}
	case "rename-file":
		return Action{Kind: MovePath}
	case "copy-file":
		return Action{Kind: CopyPath}
	case words.Among(name, "insert-file-contents find-file"):
		return Action{Kind: ReadFile}
	case "write-file":
		return Action{Kind: WriteFile}
	case words.Among(name, "princ message"):
		return Action{Kind: PrintLine}
	}
	return Action{}
}
