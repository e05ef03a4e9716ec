package library

// javascript.go knows the functions of JavaScript that have effects or compute texts.

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// javascriptAction returns what a function of Node, Deno or Bun does. A variant of a function has the same action as
// the function if its name ends in "Sync", or if it is in fs.promises.
func javascriptAction(full string) Action {
	full = strings.Replace(full, "fs.promises.", "fs.", 1)
	full = strings.Replace(strings.Replace(full, "fs-extra.", "fs.", 1), "graceful-fs.", "fs.", 1)
	name := strings.TrimSuffix(full, "Sync")
	switch name {
	case words.Among(name, "require process.mainModule.require module.require process.getBuiltinModule process.binding "+
		"import createRequire"):
		return Action{Kind: LoadModule}
	case words.Among(name, "child_process.exec execa.execaCommand shelljs.exec shell.exec Bun.$ bun.$ zx.$ "+
		"execa.$ execaCommand"):
		return Action{Kind: RunCommand}
	case words.Among(name, "child_process.spawn child_process.execFile cross-spawn.spawn cross-spawn cross-spawn.sync "+
		"execa execa.execa Bun.spawn Deno.Command Deno.run node-pty.spawn"):
		return Action{Kind: StartCommand}
	case "Reflect.get":
		return Action{Kind: GetMember}
	case "child_process.fork":
		return Action{Kind: ForkProcess}
	case words.Among(name, "worker_threads.Worker Worker importScripts"):
		return Action{Kind: RunScript}
	case words.Among(name, "eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script "+
		"setTimeout setInterval"):
		return Action{Kind: EvalCode}
	case words.Among(name, "fs.writeFile Deno.writeTextFile Deno.writeFile Bun.write "+
		"fs.outputFile fs.writeJson fs.outputJson fs.outputJSON fs.writeJSON"):
		return Action{Kind: SaveFile}
	case "fs.appendFile":
		return Action{Kind: AppendToFile}
	case "fs.createWriteStream":
		return Action{Kind: OpenStream}
	case words.Among(name, "fs.mkdir fs.ensureDir fs.mkdirp fs.ensureFile "+
		"Deno.mkdir Deno.create Deno.truncate"):
		return Action{Kind: WriteFile}
	case words.Among(name, "fs.readFile fs.createReadStream Deno.readTextFile Deno.readFile Bun.file "+
		"fs.readJson fs.readJSON"):
		return Action{Kind: ReadFile}
	case words.Among(name, "fs.unlink fs.rm Deno.remove fs.rmdir"):
		return Action{Kind: RemoveFile}
	case words.Among(name, "fs.remove fs.emptyDir shelljs.rm rimraf rimraf.rimraf rimraf.sync rimraf.native "+
		"rimraf.manual rimraf.moveRemove del del.sync del.deleteAsync del.delete fs.rimraf trash trash.default"):
		return Action{Kind: RemoveTree}
	case words.Among(name, "Directory File Link"):
		return Action{Kind: MakePath}
	case words.Among(name, "Process.run Process.runSync Process.start"):
		return Action{Kind: StartCommand}
	case words.Among(name, "fs.rename fs.move Deno.rename"):
		return Action{Kind: MovePath}
	case words.Among(name, "fs.copyFile Deno.copyFile"):
		return Action{Kind: CopyPath}
	case words.Among(name, "fs.cp fs.copy"):
		return Action{Kind: CopyTree}
	case words.Among(name, "fs.readdir Deno.readDir"):
		return Action{Kind: ListFolder}
	case words.Among(name, "fs.glob glob glob.glob fast-glob fast-glob.sync globby.globby glob.sync"):
		return Action{Kind: FindPaths}
	case words.Among(name, "fs.symlink fs.link Deno.symlink Deno.link"):
		return Action{Kind: LinkPath, Arg: 1}
	case "fs.truncate":
		return Action{Kind: TruncateFile}
	case "fs.open":
		return Action{Kind: OpenFile}
	case words.Among(name, "fs.chmod fs.lchmod Deno.chmod"):
		return Action{Kind: ChangeMode}
	case words.Among(name, "fs.chown Deno.chown"):
		return Action{Kind: ChangeOwner}
	case words.Among(name, "path.join path.resolve path.posix.join"):
		return Action{Kind: JoinPaths}
	}
	return javascriptRuntimeAction(full)
}

// javascriptRuntimeAction is the part of javascriptAction for functions that work with texts, processes or the network.
func javascriptRuntimeAction(name string) Action {
	switch name {
	case "Object.keys":
		return Action{Kind: DictKeys}
	case "Object.values":
		return Action{Kind: DictValues}
	case "os.homedir":
		return Action{Kind: HomeDir}
	case words.Among(name, "fs.mkdtempSync fs.mkdtemp Deno.makeTempDir Deno.makeTempFile"):
		return Action{Kind: TempPath}
	case "os.tmpdir":
		return Action{Kind: TempDir}
	case words.Among(name, "process.getuid process.geteuid"):
		return Action{Kind: UserNumber}
	case words.Among(name, "process.cwd Deno.cwd"):
		return Action{Kind: CurrentDir}
	case words.Among(name, "process.chdir Deno.chdir"):
		return Action{Kind: ChangeDir}
	case "Deno.env.get":
		return Action{Kind: LookupEnv}
	case "dotenv.config", "dotenv.configDotenv":
		return Action{Kind: EnvironmentObject}
	case "Deno.env.toObject":
		return Action{Kind: WholeEnv}
	case words.Among(name, "console.log console.info console.debug"):
		return Action{Kind: PrintLine}
	case "process.stdout.write":
		return Action{Kind: PrintText}
	case words.Among(name, "util.promisify promisify String JSON.stringify JSON.parse Object.entries "+
		"Object.assign Map Set Buffer.concat decodeURIComponent encodeURIComponent Promise.resolve unescape"):
		return Action{Kind: ReturnFirst}
	case words.Among(name, "Buffer.from Buffer"):
		return Action{Kind: DecodeByName}
	case "atob":
		return Action{Kind: DecodeBase64}
	case words.Among(name, "String.fromCharCode String.fromCodePoint"):
		return Action{Kind: DecodeCharCodes}
	case words.Among(name, "zlib.gunzipSync zlib.inflateSync zlib.brotliDecompressSync zlib.unzipSync"):
		return Action{Kind: DecodeOther}
	case words.Among(name, "fetch axios.get axios http.get https.get got request request.get undici.fetch node-fetch "+
		"got.get axios.request axios.default.get axios.default undici.request http.request https.request superagent.get"):
		return Action{Kind: FetchURL}
	case words.Among(name, "axios.delete got.delete superagent.delete superagent.del"):
		return Action{Kind: DeleteURL}
	case words.Among(name, "axios.post axios.put axios.patch got.post got.put got.patch "+
		"request.post navigator.sendBeacon superagent.post"):
		return Action{Kind: SendURL}
	case words.Among(name, "net.connect net.createConnection tls.connect Deno.connect Bun.connect"):
		return Action{Kind: ConnectTo}
	case words.Among(name, "net.Socket net.createServer"):
		return Action{Kind: MakeSocket}
	case words.Among(name, "process.kill Deno.kill"):
		return Action{Kind: KillProcess}
	case words.Among(name, "process.setuid process.setgid process.seteuid"):
		return Action{Kind: SetUser}
	}
	return Action{}
}
