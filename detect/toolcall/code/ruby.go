package code

// ruby.go knows the functions of Ruby that have effects or compute texts.

import "guardrails/detect/toolcall/words"

// rubyAction returns what a Ruby function does.
func rubyAction(name string) action {
	switch name {
	case words.Among(name, "system exec spawn IO.popen Open3.capture2 Open3.capture3 Open3.capture2e Open3.popen3 "+
		"Open3.popen2 Process.spawn Process.exec PTY.spawn sh popen"):
		return action{kind: runCommand}
	case words.Among(name, "eval instance_eval class_eval"):
		return action{kind: evalCode}
	case "require":
		return action{kind: loadModule}
	case words.Among(name, "load require_relative"):
		return action{kind: runScript}
	case words.Among(name, "File.write IO.write File.binwrite IO.binwrite"):
		return action{kind: saveFile}
	case words.Among(name, "File.open File.new"):
		return action{kind: openFile}
	case words.Among(name, "open URI.open Kernel.open"):
		return action{kind: openPipe}
	case words.Among(name, "File.read IO.read File.readlines IO.readlines File.binread File.foreach"):
		return action{kind: readFile}
	case words.Among(name, "File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f "+
		"FileUtils.remove FileUtils.rmdir FileUtils.safe_unlink"):
		return action{kind: removeFile}
	case words.Among(name, "FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry "+
		"FileUtils.remove_entry_secure FileUtils.rmtree rm_rf Pathname.rmtree"):
		return action{kind: removeTree}
	case words.Among(name, "File.rename FileUtils.mv FileUtils.move"):
		return action{kind: movePath}
	case words.Among(name, "FileUtils.cp FileUtils.copy FileUtils.install IO.copy_stream"):
		return action{kind: copyPath}
	case words.Among(name, "FileUtils.cp_r FileUtils.copy_entry"):
		return action{kind: copyTree}
	case words.Among(name, "File.symlink FileUtils.ln_s FileUtils.ln_sf FileUtils.ln File.link"):
		return action{kind: linkPath, arg: 1}
	case words.Among(name, "FileUtils.mkdir_p FileUtils.mkdir FileUtils.touch Dir.mkdir File.truncate"):
		return action{kind: writeFile}
	case words.Among(name, "File.chmod FileUtils.chmod FileUtils.chmod_R"):
		return action{kind: changeMode}
	case words.Among(name, "FileUtils.chown FileUtils.chown_R"):
		return action{kind: changeOwner, arg: 2}
	case "File.join":
		return action{kind: joinPaths}
	case words.Among(name, "File.expand_path File.absolute_path Pathname.new Pathname"):
		return action{kind: expandHome}
	case "Dotenv.load", "Dotenv.parse":
		return action{kind: environmentObject}
	case "Dir.home":
		return action{kind: homeDir}
	case "Dir.pwd":
		return action{kind: currentDir}
	case words.Among(name, "Dir.mktmpdir Dir.tmpdir Tempfile.new Tempfile.create"):
		return action{kind: tempPath}
	case "Dir.chdir":
		return action{kind: changeDir}
	case words.Among(name, "Marshal.load YAML.unsafe_load Psych.unsafe_load"):
		return action{kind: loadObjects}
	case "Array", "String":
		return action{kind: returnFirst}
	case words.Among(name, "Dir.glob Dir Dir.[]"):
		return action{kind: findPaths}
	case words.Among(name, "Dir.children Dir.entries Dir.each_child Dir.foreach"):
		return action{kind: listFolder}
	case words.Among(name, "Find.find Pathname.children"):
		return action{kind: listPaths}
	case words.Among(name, "method FileUtils.method"):
		return action{kind: loadModule}
	case words.Among(name, "puts p"):
		return action{kind: printLine}
	case words.Among(name, "print $stdout.write STDOUT.write"):
		return action{kind: printText}
	case words.Among(name, "STDIN.read $stdin.read STDIN.gets $stdin.gets"):
		return action{kind: readInput}
	case words.Among(name, "gets readlines ARGF.read ARGF.each_line ARGF.readlines"):
		return action{kind: readArguments}
	}
	return rubyRuntimeAction(name)
}

// rubyRuntimeAction is the part of rubyAction for functions that work with encodings, processes or the network.
func rubyRuntimeAction(name string) action {
	switch name {
	case words.Among(name, "Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64"):
		return action{kind: decodeBase64}
	case words.Among(name, "Net.HTTP.get Net.HTTP.get_response HTTParty.get RestClient.get Faraday.get "+
		"OpenURI.open_uri URI.parse.open URI.parse.read"):
		return action{kind: fetchURL}
	case words.Among(name, "Net.HTTP.Delete.new HTTParty.delete RestClient.delete Faraday.delete"):
		return action{kind: deleteURL}
	case words.Among(name, "Net.HTTP.post Net.HTTP.post_form HTTParty.post RestClient.post Faraday.post"):
		return action{kind: sendURL}
	case words.Among(name, "URI URI.parse URI.encode_www_form_component"):
		return action{kind: returnFirst}
	case words.Among(name, "TCPSocket.new TCPSocket.open Socket.tcp TCPSocket"):
		return action{kind: connectTo}
	case words.Among(name, "TCPServer.new TCPServer.open"):
		return action{kind: listenOn}
	case "Process.kill":
		return action{kind: killProcess, arg: 1}
	case words.Among(name, "fork Process.fork"):
		return action{kind: forkProcess}
	case words.Among(name, "Process.wait Process.waitall wait exit"):
		return action{kind: waitProcess}
	case words.Among(name, "Process.setuid Process.Sys.setuid Process.UID.change_privilege Process.uid"):
		return action{kind: setUser}
	case "loop":
		return action{}
	}
	return action{}
}
