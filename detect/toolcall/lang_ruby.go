package toolcall

// rubyDeed says what Ruby's functions do.
func rubyDeed(name string) deed {
	switch name {
	case among(name, "system exec spawn IO.popen Open3.capture2 Open3.capture3 Open3.capture2e Open3.popen3 Open3.popen2 "+
		"Process.spawn Process.exec PTY.spawn sh popen"):
		return deed{kind: runCommand}
	case "eval", "instance_eval", "class_eval", "load":
		return deed{kind: evalCode}
	case "File.write", "IO.write", "File.binwrite", "IO.binwrite":
		return deed{kind: saveFile}
	case "File.open", "File.new":
		return deed{kind: openFile}
	case "open", "URI.open", "Kernel.open":
		return deed{kind: openPipe}
	case among(name, "File.read IO.read File.readlines IO.readlines File.binread File.foreach"):
		return deed{kind: readFile}
	case among(name, "File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove "+
		"FileUtils.rmdir FileUtils.safe_unlink"):
		return deed{kind: removeFile}
	case among(name, "FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry "+
		"FileUtils.remove_entry_secure FileUtils.rmtree rm_rf Pathname.rmtree"):
		return deed{kind: removeTree}
	case "File.rename", "FileUtils.mv", "FileUtils.move":
		return deed{kind: movePath}
	case among(name, "FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.install IO.copy_stream"):
		return deed{kind: copyPath}
	case among(name, "File.symlink FileUtils.ln_s FileUtils.ln_sf FileUtils.ln File.link"):
		return deed{kind: linkPath, at: 1}
	case among(name, "FileUtils.mkdir_p FileUtils.mkdir FileUtils.touch Dir.mkdir File.truncate"):
		return deed{kind: writeFile}
	case "File.chmod", "FileUtils.chmod", "FileUtils.chmod_R":
		return deed{kind: changeMode}
	case "FileUtils.chown", "FileUtils.chown_R":
		return deed{kind: changeOwner, at: 2}
	case "File.join":
		return deed{kind: joinPaths}
	case "File.expand_path", "File.absolute_path", "Pathname.new":
		return deed{kind: expandHome}
	case "Dir.home":
		return deed{kind: homeDir}
	case "Dir.pwd":
		return deed{kind: currentDir}
	case "Dir.mktmpdir", "Dir.tmpdir", "Tempfile.new", "Tempfile.create":
		return deed{kind: tempPath}
	case "Dir.chdir":
		return deed{kind: changeTo}
	case among(name, "Dir.glob Dir.[] Array String Marshal.load"):
		return deed{kind: passOn}
	case "puts", "p":
		return deed{kind: printLine}
	case "print", "$stdout.write", "STDOUT.write":
		return deed{kind: printText}
	case among(name, "gets STDIN.read $stdin.read ARGF.read STDIN.gets readlines $stdin.gets"):
		return deed{kind: readInput}
	}
	return rubyMore(name)
}

func rubyMore(name string) deed {
	switch name {
	case "Base64.decode64", "Base64.strict_decode64", "Base64.urlsafe_decode64":
		return deed{kind: base64Text}
	case among(name, "Net.HTTP.get Net.HTTP.get_response HTTParty.get RestClient.get Faraday.get OpenURI.open_uri "+
		"URI.parse.open URI.parse.read"):
		return deed{kind: fetchURL}
	case among(name, "Net.HTTP.post Net.HTTP.post_form HTTParty.post RestClient.post Faraday.post"):
		return deed{kind: sendURL}
	case "URI", "URI.parse", "URI.encode_www_form_component":
		return deed{kind: passOn}
	case "TCPSocket.new", "TCPSocket.open", "Socket.tcp", "TCPSocket":
		return deed{kind: connectTo}
	case "TCPServer.new", "TCPServer.open":
		return deed{kind: listenOn}
	case "Process.kill":
		return deed{kind: killProcess, at: 1}
	case "fork", "Process.fork":
		return deed{kind: forkProcess}
	case "Process.wait", "Process.waitall", "wait", "exit":
		return deed{kind: waitProcess}
	case "Process.setuid", "Process.Sys.setuid", "Process.UID.change_privilege", "Process.uid":
		return deed{kind: becomeUser}
	case "loop":
		return deed{}
	}
	return deed{}
}
