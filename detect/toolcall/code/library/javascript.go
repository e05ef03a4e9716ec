package library

// javascript.go lists the functions of JavaScript that have effects or compute texts.

import "strings"

// scriptName returns the name under which the table lists a function of Node. The table lists variants of a function
// under the name of the plain function: fs.unlinkSync and fs.promises.unlink become fs.unlink.
func scriptName(full string) string {
	full = strings.Replace(full, "fs.promises.", "fs.", 1)
	full = strings.Replace(strings.Replace(full, "fs-extra.", "fs.", 1), "graceful-fs.", "fs.", 1)
	return strings.TrimSuffix(full, "Sync")
}

// scriptFunctions lists what functions of Node, Deno and Bun do.
var scriptFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{LoadModule, 0, "require process.mainModule.require module.require process.getBuiltinModule process.binding " +
		"import"},
	{RunCommand, 0, "child_process.exec execa.execaCommand shelljs.exec shell.exec Bun.$ bun.$ zx.$ execa.$ " +
		"execaCommand"},
	{StartCommand, 0, "child_process.spawn child_process.execFile cross-spawn.spawn cross-spawn cross-spawn.sync " +
		"execa execa.execa Bun.spawn Deno.Command Deno.run node-pty.spawn"},
	{GetMember, 0, "Reflect.get"},
	{ForkProcess, 0, "child_process.fork"},
	{RunScript, 0, "worker_threads.Worker Worker importScripts"},
	{EvalCode, 0, "eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script setTimeout " +
		"setInterval"},
	{SaveFile, 0, "fs.writeFile Deno.writeTextFile Deno.writeFile Bun.write fs.outputFile fs.writeJson " +
		"fs.outputJson fs.outputJSON fs.writeJSON"},
	{AppendToFile, 0, "fs.appendFile"},
	{OpenStream, 0, "fs.createWriteStream"},
	{WriteFile, 0, "fs.mkdir fs.ensureDir fs.mkdirp fs.ensureFile Deno.mkdir Deno.create Deno.truncate"},
	{ReadFile, 0, "fs.readFile fs.createReadStream Deno.readTextFile Deno.readFile Bun.file fs.readJson " +
		"fs.readJSON"},
	{RemoveFile, 0, "fs.unlink fs.rm Deno.remove fs.rmdir"},
	{RemoveTree, 0, "fs.remove fs.emptyDir shelljs.rm rimraf rimraf.rimraf rimraf.sync rimraf.native " +
		"rimraf.manual rimraf.moveRemove del del.sync del.deleteAsync del.delete fs.rimraf trash trash.default"},
	{MakePath, 0, "Directory File Link"},
	{StartCommand, 0, "Process.run Process.start"},
	{MovePath, 0, "fs.rename fs.move Deno.rename shelljs.mv shell.mv"},
	{CopyPath, 0, "fs.copyFile Deno.copyFile shelljs.cp shell.cp"},
	{CopyTree, 0, "fs.cp fs.copy"},
	{ListFolder, 0, "fs.readdir Deno.readDir"},
	{FindPaths, 0, "fs.glob glob glob.glob fast-glob fast-glob.sync globby.globby glob.sync"},
	{LinkPath, 1, "fs.symlink fs.link Deno.symlink Deno.link"},
	{TruncateFile, 0, "fs.truncate"},
	{OpenFile, 0, "fs.open"},
	{ChangeMode, 0, "fs.chmod fs.lchmod Deno.chmod"},
	{ChangeOwner, 0, "fs.chown Deno.chown"},
	{JoinPaths, 0, "path.join path.resolve path.posix.join"},
	{DictKeys, 0, "Object.keys"},
	{DictValues, 0, "Object.values"},
	{HomeDir, 0, "os.homedir"},
	{TempPath, 0, "fs.mkdtemp Deno.makeTempDir Deno.makeTempFile"},
	{TempDir, 0, "os.tmpdir"},
	{UserNumber, 0, "process.getuid process.geteuid"},
	{CurrentDir, 0, "process.cwd Deno.cwd"},
	{ChangeDir, 0, "process.chdir Deno.chdir"},
	{LookupEnv, 0, "Deno.env.get"},
	{EnvironmentObject, 0, "dotenv.config dotenv.configDotenv"},
	{WholeEnv, 0, "Deno.env.toObject"},
	{PrintLine, 0, "console.log console.info console.debug console.table console.dir"},
	{PrintText, 0, "process.stdout.write"},
	{ReturnFirst, 0, "util.promisify promisify String JSON.stringify JSON.parse Object.entries Object.assign Map " +
		"Set Proxy Buffer.concat decodeURIComponent encodeURIComponent Promise.resolve unescape"},
	{FormatText, 0, "util.format"},
	{DecodeByName, 0, "Buffer.from Buffer"},
	{DecodeBase64, 0, "atob"},
	{DecodeCharCodes, 0, "String.fromCharCode String.fromCodePoint"},
	{DecodeOther, 0, "zlib.gunzip zlib.inflate zlib.brotliDecompress zlib.unzip"},
	{FetchURL, 0, "fetch axios.get axios http.get https.get got request request.get undici.fetch node-fetch " +
		"got.get axios.request axios.default.get axios.default undici.request http.request https.request " +
		"superagent.get"},
	{DeleteURL, 0, "axios.delete got.delete superagent.delete superagent.del"},
	{SendURL, 0, "axios.post axios.put axios.patch got.post got.put got.patch request.post navigator.sendBeacon " +
		"superagent.post"},
	{ConnectTo, 0, "net.connect net.createConnection tls.connect Deno.connect Bun.connect"},
	{MakeSocket, 0, "net.Socket net.createServer"},
	{KillProcess, 0, "process.kill Deno.kill"},
	{SetUser, 0, "process.setuid process.setgid process.seteuid"},
}
