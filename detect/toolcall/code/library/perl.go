package library

// perl.go knows the functions of Perl that have effects or compute texts.

import "guardrails/detect/toolcall/words"

// perlAction returns what a Perl function does.
func perlAction(name string) Action {
	switch name {
	case words.Among(name, "system exec readpipe IPC.Open2.open2 IPC.System.Simple.system capture"):
		return Action{Kind: RunCommand}
	case words.Among(name, "open2 open3"):
		return Action{Kind: StartCommand, Arg: 2}
	case words.Among(name, "eval evalbytes"):
		return Action{Kind: EvalCode}
	case words.Among(name, "unlink rmdir"):
		return Action{Kind: RemoveFile}
	case words.Among(name, "rmtree remove_tree File.Path.rmtree File.Path.remove_tree File.Remove.remove"):
		return Action{Kind: RemoveTree}
	case words.Among(name, "rename move File.Copy.move mv"):
		return Action{Kind: MovePath}
	case words.Among(name, "copy File.Copy.copy cp"):
		return Action{Kind: CopyPath}
	case words.Among(name, "dircopy rcopy File.Copy.Recursive.dircopy File.Copy.Recursive.rcopy"):
		return Action{Kind: CopyTree}
	case words.Among(name, "symlink link"):
		return Action{Kind: LinkPath, Arg: 1}
	case words.Among(name, "mkdir truncate mkpath make_path"):
		return Action{Kind: WriteFile}
	case "chmod":
		return Action{Kind: ChangeMode}
	case "chown":
		return Action{Kind: ChangeOwner, Arg: 2}
	case words.Among(name, "do require"):
		return Action{Kind: LoadModule}
	case words.Among(name, "open sysopen"):
		return Action{Kind: OpenPipe}
	case words.Among(name, "write_file File.Slurp.write_file"):
		return Action{Kind: SaveFile}
	case words.Among(name, "read_file File.Slurp.read_file"):
		return Action{Kind: ReadFile}
	}
	return perlRuntimeAction(name)
}

// perlRuntimeAction is the part of perlAction for functions that work with texts, processes or the network.
func perlRuntimeAction(name string) Action {
	switch name {
	case words.Among(name, "print printf"):
		return Action{Kind: PrintText}
	case "say":
		return Action{Kind: PrintLine}
	case words.Among(name, "decode_base64 MIME.Base64.decode_base64"):
		return Action{Kind: DecodeBase64}
	case "reverse":
		return Action{Kind: ReverseOrder}
	case "chr":
		return Action{Kind: DecodeCharCodes}
	case "pack":
		return Action{Kind: PackNumbers}
	case "join":
		return Action{Kind: JoinList}
	case words.Among(name, "find finddepth File.Find.find File.Find.finddepth"):
		return Action{Kind: ListPaths, Arg: 1}
	case "glob":
		return Action{Kind: FindPaths}
	case "readdir":
		return Action{Kind: ListFolder}
	case "keys":
		return Action{Kind: DictKeys}
	case "values":
		return Action{Kind: DictValues}
	case words.Among(name, "shift pop"):
		return Action{Kind: ChooseItem}
	case words.Among(name, "push unshift"):
		return Action{Kind: GrowList}
	case words.Among(name, "lc uc scalar ref sprintf bless chomp"):
		return Action{Kind: ReturnFirst}
	case words.Among(name, "connect IO.Socket.INET.new IO.Socket.INET IO.Socket.SSL.new IO.Socket.IP.new"):
		return Action{Kind: ConnectTo}
	case words.Among(name, "accept listen"):
		return Action{Kind: ListenOn}
	case words.Among(name, "get LWP.Simple.get LWP.UserAgent.new.get HTTP.Tiny.new.get"):
		return Action{Kind: FetchURL}
	case words.Among(name, "getstore mirror LWP.Simple.getstore LWP.Simple.mirror"):
		return Action{Kind: FetchTo}
	case "kill":
		return Action{Kind: KillProcess, Arg: 1}
	case "fork":
		return Action{Kind: ForkProcess}
	case words.Among(name, "wait waitpid exit"):
		return Action{Kind: WaitProcess}
	case words.Among(name, "POSIX.setuid setuid"):
		return Action{Kind: SetUser}
	case "chdir":
		return Action{Kind: ChangeDir}
	}
	return Action{}
}
