package library

// ruby.go knows the functions of Ruby that have effects or compute texts.

import "guardrails/detect/toolcall/words"

// rubyAction returns what a Ruby function does.
func rubyAction(name string) Action {
	switch name {
	case words.Among(name, "system exec spawn IO.popen Open3.capture2 Open3.capture3 Open3.capture2e Open3.popen3 "+
		"Open3.popen2 Process.spawn Process.exec PTY.spawn sh popen"):
		return Action{Kind: RunCommand}
	case words.Among(name, "eval instance_eval class_eval"):
		return Action{Kind: EvalCode}
	case "require":
		return Action{Kind: LoadModule}
	case words.Among(name, "load require_relative"):
		return Action{Kind: RunScript}
	case words.Among(name, "File.write IO.write File.binwrite IO.binwrite"):
		return Action{Kind: SaveFile}
	case words.Among(name, "File.open File.new"):
		return Action{Kind: OpenFile}
	case words.Among(name, "open URI.open Kernel.open"):
		return Action{Kind: OpenPipe}
	case words.Among(name, "File.read IO.read File.readlines IO.readlines File.binread File.foreach"):
		return Action{Kind: ReadFile}
	case words.Among(name, "File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f "+
		"FileUtils.remove FileUtils.rmdir FileUtils.safe_unlink"):
		return Action{Kind: RemoveFile}
	case words.Among(name, "FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry "+
		"FileUtils.remove_entry_secure FileUtils.rmtree rm_rf Pathname.rmtree"):
		return Action{Kind: RemoveTree}
	case words.Among(name, "File.rename FileUtils.mv FileUtils.move"):
		return Action{Kind: MovePath}
	case words.Among(name, "FileUtils.cp FileUtils.copy FileUtils.install IO.copy_stream"):
		return Action{Kind: CopyPath}
	case words.Among(name, "FileUtils.cp_r FileUtils.copy_entry"):
		return Action{Kind: CopyTree}
	case words.Among(name, "File.symlink FileUtils.ln_s FileUtils.ln_sf FileUtils.ln File.link"):
		return Action{Kind: LinkPath, Arg: 1}
	case words.Among(name, "FileUtils.mkdir_p FileUtils.mkdir FileUtils.touch Dir.mkdir File.truncate"):
		return Action{Kind: WriteFile}
	case words.Among(name, "File.chmod FileUtils.chmod FileUtils.chmod_R"):
		return Action{Kind: ChangeMode}
	case words.Among(name, "FileUtils.chown FileUtils.chown_R"):
		return Action{Kind: ChangeOwner, Arg: 2}
	case "File.join":
		return Action{Kind: JoinPaths}
	case words.Among(name, "File.expand_path File.absolute_path Pathname.new Pathname"):
		return Action{Kind: ExpandHome}
	case "Dotenv.load", "Dotenv.parse":
		return Action{Kind: EnvironmentObject}
	case "Dir.home":
		return Action{Kind: HomeDir}
	case "Dir.pwd":
		return Action{Kind: CurrentDir}
	case words.Among(name, "Dir.mktmpdir Dir.tmpdir Tempfile.new Tempfile.create"):
		return Action{Kind: TempPath}
	case "Dir.chdir":
		return Action{Kind: ChangeDir}
	case words.Among(name, "Marshal.load YAML.unsafe_load Psych.unsafe_load"):
		return Action{Kind: LoadObjects}
	case "Array", "String":
		return Action{Kind: ReturnFirst}
	case words.Among(name, "Dir.glob Dir Dir.[]"):
		return Action{Kind: FindPaths}
	case words.Among(name, "Dir.children Dir.entries Dir.each_child Dir.foreach"):
		return Action{Kind: ListFolder}
	case words.Among(name, "Find.find Pathname.children"):
		return Action{Kind: ListPaths}
	case words.Among(name, "method FileUtils.method Object.const_get Kernel.const_get Module.const_get"):
		return Action{Kind: LoadModule}
	case words.Among(name, "puts p"):
		return Action{Kind: PrintLine}
	case words.Among(name, "print $stdout.write STDOUT.write"):
		return Action{Kind: PrintText}
	case words.Among(name, "STDIN.read $stdin.read STDIN.gets $stdin.gets"):
		return Action{Kind: ReadInput}
	case words.Among(name, "gets readlines ARGF.read ARGF.each_line ARGF.readlines"):
		return Action{Kind: ReadArguments}
	}
	return rubyRuntimeAction(name)
}

// rubyRuntimeAction is the part of rubyAction for functions that work with encodings, processes or the network.
func rubyRuntimeAction(name string) Action {
	switch name {
	case words.Among(name, "Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64"):
		return Action{Kind: DecodeBase64}
	case words.Among(name, "Net.HTTP.get Net.HTTP.get_response HTTParty.get RestClient.get Faraday.get "+
		"OpenURI.open_uri URI.parse.open URI.parse.read"):
		return Action{Kind: FetchURL}
	case words.Among(name, "Net.HTTP.Delete.new HTTParty.delete RestClient.delete Faraday.delete"):
		return Action{Kind: DeleteURL}
	case words.Among(name, "Net.HTTP.post Net.HTTP.post_form HTTParty.post RestClient.post Faraday.post"):
		return Action{Kind: SendURL}
	case words.Among(name, "URI URI.parse URI.encode_www_form_component"):
		return Action{Kind: ReturnFirst}
	case words.Among(name, "TCPSocket.new TCPSocket.open Socket.tcp TCPSocket"):
		return Action{Kind: ConnectTo}
	case words.Among(name, "TCPServer.new TCPServer.open"):
		return Action{Kind: ListenOn}
	case "Process.kill":
		return Action{Kind: KillProcess, Arg: 1}
	case words.Among(name, "fork Process.fork"):
		return Action{Kind: ForkProcess}
	case words.Among(name, "Process.wait Process.waitall wait exit"):
		return Action{Kind: WaitProcess}
	case words.Among(name, "Process.setuid Process.Sys.setuid Process.UID.change_privilege Process.uid"):
		return Action{Kind: SetUser}
	case "loop":
		return Action{}
	}
	return Action{}
}
