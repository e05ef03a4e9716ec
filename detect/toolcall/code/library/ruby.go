package library

// ruby.go lists the functions of Ruby that have effects or compute texts.

// rubyFunctions lists what functions of Ruby do.
var rubyFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{RunCommand, 0, "system exec spawn IO.popen Open3.capture2 Open3.capture3 Open3.capture2e Open3.popen3 " +
		"Open3.popen2 Process.spawn Process.exec PTY.spawn sh popen"},
	{EvalCode, 0, "eval instance_eval class_eval"},
	{LoadModule, 0, "require"},
	{RunScript, 0, "load require_relative"},
	{SaveFile, 0, "File.write IO.write File.binwrite IO.binwrite"},
	{OpenFile, 0, "File.open File.new"},
	{OpenPipe, 0, "open URI.open Kernel.open"},
	{ReadFile, 0, "File.read IO.read File.readlines IO.readlines File.binread File.foreach"},
	{RemoveFile, 0, "File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink FileUtils.rm FileUtils.rm_f " +
		"FileUtils.remove FileUtils.rmdir FileUtils.safe_unlink"},
	{RemoveTree, 0, "FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry " +
		"FileUtils.remove_entry_secure FileUtils.rmtree rm_rf Pathname.rmtree"},
	{MovePath, 0, "File.rename FileUtils.mv FileUtils.move"},
	{CopyPath, 0, "FileUtils.cp FileUtils.copy FileUtils.install IO.copy_stream"},
	{CopyTree, 0, "FileUtils.cp_r FileUtils.copy_entry"},
	{LinkPath, 1, "File.symlink FileUtils.ln_s FileUtils.ln_sf FileUtils.ln File.link"},
	{WriteFile, 0, "FileUtils.mkdir_p FileUtils.mkdir FileUtils.touch Dir.mkdir File.truncate"},
	{ChangeMode, 0, "File.chmod FileUtils.chmod FileUtils.chmod_R"},
	{ChangeOwner, 2, "FileUtils.chown FileUtils.chown_R"},
	{JoinPaths, 0, "File.join"},
	{ExpandHome, 0, "File.expand_path File.absolute_path Pathname.new Pathname"},
	{EnvironmentObject, 0, "Dotenv.load Dotenv.parse"},
	{LookupEnv, 0, "ENV.fetch ENV.delete"},
	{HomeDir, 0, "Dir.home"},
	{CurrentDir, 0, "Dir.pwd"},
	{TempPath, 0, "Dir.mktmpdir Dir.tmpdir Tempfile.new Tempfile.create"},
	{ChangeDir, 0, "Dir.chdir"},
	{LoadObjects, 0, "Marshal.load YAML.unsafe_load Psych.unsafe_load"},
	{ReturnFirst, 0, "Array String"},
	{FormatText, 0, "format sprintf"},
	{FindPaths, 0, "Dir.glob Dir Dir.[]"},
	{ListFolder, 0, "Dir.children Dir.entries Dir.each_child Dir.foreach"},
	{ListPaths, 0, "Find.find Pathname.children"},
	{LoadModule, 0, "method FileUtils.method Object.const_get Kernel.const_get Module.const_get"},
	{PrintLine, 0, "puts p"},
	{PrintText, 0, "print $stdout.write STDOUT.write"},
	{ReadInput, 0, "STDIN.read $stdin.read STDIN.gets $stdin.gets"},
	{ReadArguments, 0, "gets readlines ARGF.read ARGF.each_line ARGF.readlines"},
	{DecodeBase64, 0, "Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64"},
	{FetchURL, 0, "Net.HTTP.get Net.HTTP.get_response HTTParty.get RestClient.get Faraday.get OpenURI.open_uri " +
		"URI.parse.open URI.parse.read"},
	{DeleteURL, 0, "Net.HTTP.Delete.new HTTParty.delete RestClient.delete Faraday.delete"},
	{SendURL, 0, "Net.HTTP.post Net.HTTP.post_form HTTParty.post RestClient.post Faraday.post"},
	{ReturnFirst, 0, "URI URI.parse URI.encode_www_form_component"},
	{ConnectTo, 0, "TCPSocket.new TCPSocket.open Socket.tcp TCPSocket"},
	{ListenOn, 0, "TCPServer.new TCPServer.open"},
	{KillProcess, 1, "Process.kill"},
	{ForkProcess, 0, "fork Process.fork"},
	{WaitProcess, 0, "Process.wait Process.waitall wait exit"},
	{SetUser, 0, "Process.setuid Process.Sys.setuid Process.UID.change_privilege Process.uid"},
}
