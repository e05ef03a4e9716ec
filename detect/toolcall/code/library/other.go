package library

// other.go lists the functions of less common languages: Lua, R, Julia, Groovy, Elixir, awk and Emacs Lisp.

// luaFunctions lists what functions of Lua do.
var luaFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{RunCommand, 0, "os.execute io.popen vim.fn.system vim.cmd vim.system"},
	{RemoveFile, 0, "os.remove vim.loop.fs_unlink vim.uv.fs_unlink"},
	{RemoveTree, 0, "vim.fn.delete vim.fs.rm"},
	{SaveContentFirst, 1, "vim.fn.writefile"},
	{MovePath, 0, "os.rename"},
	{OpenFile, 0, "io.open io.output"},
	{ReadFile, 0, "io.lines"},
	{ReadInput, 0, "io.read"},
	{RunScript, 0, "dofile"},
	{ReturnFirst, 0, "assert"},
	{FormatText, 0, "string.format"},
	{EvalCode, 0, "load loadstring assert"},
	{ListFolder, 0, "lfs.dir"},
	{ChangeDir, 0, "lfs.chdir"},
	{ReturnFirst, 0, "ipairs pairs"},
	{JoinText, 0, "table.concat"},
	{GrowList, 0, "table.insert"},
	{LookupEnv, 0, "os.getenv"},
	{TempPath, 0, "os.tmpname"},
	{PrintLine, 0, "print"},
	{PrintText, 0, "io.write"},
	{LoadModule, 0, "require"},
	{DecodeCharCodes, 0, "string.char"},
	{ReverseOrder, 0, "string.reverse"},
	{FetchURL, 0, "socket.http.request ssl.https.request http.request https.request"},
	{ConnectTo, 0, "socket.tcp socket.connect"},
}

// rFunctions lists what functions of R do.
var rFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{StartCommand, 0, "system2 processx.run"},
	{RunCommand, 0, "system shell shell.exec"},
	{RemoveFile, 0, "unlink file.remove fs.file_delete file_delete"},
	{RemoveTree, 0, "fs.dir_delete dir_delete"},
	{MovePath, 0, "file.rename"},
	{CopyPath, 0, "file.copy"},
	{SaveContentFirst, 1, "writeLines write cat.file write.csv saveRDS write.table"},
	{WriteFile, 0, "file.create dir.create"},
	{ReadFile, 0, "readLines readRDS read.csv scan readChar"},
	{RunScript, 0, "source sys.source source_url devtools.source_url source_gist devtools.source_gist"},
	{ReturnFirst, 0, "parse url file str2lang content httr.content httr2.resp_body_string"},
	{FetchURL, 0, "httr.GET GET RCurl.getURL getURL httr2.request"},
	{EvalCode, 0, "eval"},
	{FetchTo, 0, "download.file"},
	{LookupEnv, 0, "Sys.getenv"},
	{ExpandHome, 0, "path.expand normalizePath"},
	{JoinPaths, 0, "file.path"},
	{ListPaths, 0, "list.files dir list.dirs"},
	{TempPath, 0, "tempdir tempfile"},
	{PrintText, 0, "cat"},
	{PrintLine, 0, "print message"},
	{ConcatArguments, 0, "paste0"},
	{ListArguments, 0, "c"},
}

// juliaFunctions lists what functions of Julia do. For run(`…`), the parser has already analyzed the command when it
// read the backticks.
var juliaFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{ReturnFirst, 0, "run read success readchomp pipeline Cmd"},
	{RemoveFile, 0, "rm"},
	{MovePath, 0, "mv"},
	{CopyPath, 0, "cp"},
	{SaveFile, 0, "write"},
	{OpenFile, 0, "open"},
	{RunScript, 0, "include"},
	{EvalCode, 0, "eval Meta.parse"},
	{EvalCode, 1, "include_string"},
	{FetchURL, 0, "HTTP.get HTTP.request"},
	{ReturnFirst, 0, "String"},
	{FetchTo, 0, "download Downloads.download"},
	{PrintLine, 0, "println"},
	{PrintText, 0, "print"},
	{ListFolder, 0, "readdir"},
	{JoinPaths, 0, "joinpath"},
	{HomeDir, 0, "homedir"},
	{ExpandHome, 0, "expanduser"},
	{ChangeMode, 0, "chmod"},
	{WriteFile, 0, "mkdir mkpath touch"},
	{DecodeBase64, 0, "base64decode"},
}

// virtualMachineFunctions lists what functions of Groovy, Java, Elixir and Erlang do.
var virtualMachineFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{StartCommand, 0, "System.cmd ProcessBuilder"},
	{RunCommand, 0, "Runtime.getRuntime.exec Runtime.runtime.exec System.shell os.cmd System.cmd ProcessBuilder " +
		"Port.open"},
	{RemoveFile, 0, "File.rm File.rm! File.rmdir Files.delete Files.deleteIfExists"},
	{RemoveTree, 0, "File.rm_rf File.rm_rf!"},
	{SaveFile, 0, "File.write File.write! Files.writeString Files.write"},
	{ReadFile, 0, "File.read File.read! Files.readString Files.readAllLines"},
	{MovePath, 0, "File.rename File.rename! Files.move"},
	{EvalCode, 0, "Code.eval_string Eval.me evaluate GroovyShell.evaluate new.GroovyShell.evaluate"},
	{FetchURL, 0, "Req.get Req.get! HTTPoison.get HTTPoison.get! Tesla.get Tesla.get! httpc.request"},
	{ReturnFirst, 0, "URL URI URL.new URI.create"},
	{DecodeBase64, 0, "decode64 decode64!"},
	{PrintLine, 0, "println IO.puts System.out.println"},
	{PrintText, 0, "print IO.write IO.binwrite"},
	{MakePath, 0, "File Path.of Paths.get String Path.expand"},
}

// awkFunctions lists what functions of awk do.
var awkFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{RunCommand, 0, "system"},
	{SplitInto, 0, "split"},
	{FormatText, 0, "sprintf"},
}

// lispFunctions lists what functions of Emacs Lisp do.
var lispFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{RunCommand, 0, "shell-command shell-command-to-string async-shell-command compile"},
	{StartCommand, 0, "call-process start-process make-process"},
	{RemoveFile, 0, "delete-file"},
	{RemoveTree, 0, "delete-directory"},
	{MovePath, 0, "rename-file"},
	{CopyPath, 0, "copy-file"},
	{ReadFile, 0, "insert-file-contents find-file"},
	{WriteFile, 0, "write-file"},
	{PrintLine, 0, "princ message"},
}
