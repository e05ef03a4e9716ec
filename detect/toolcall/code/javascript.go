package code

// javascript.go knows the functions of JavaScript that have effects or compute texts.

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// javascriptAction returns what a function of Node, Deno or Bun does. A variant of a function has the same action as
// the function if its name ends in "Sync", or if it is in fs.promises.
func javascriptAction(full string) action {
	full = strings.Replace(full, "fs.promises.", "fs.", 1)
	full = strings.Replace(strings.Replace(full, "fs-extra.", "fs.", 1), "graceful-fs.", "fs.", 1)
	name := strings.TrimSuffix(full, "Sync")
	switch name {
	case words.Among(name, "require process.mainModule.require module.require process.getBuiltinModule process.binding "+
		"import createRequire"):
		return action{kind: loadModule}
	case words.Among(name, "child_process.exec execa.execaCommand shelljs.exec shell.exec Bun.$ bun.$ zx.$ "+
		"execa.$ execaCommand"):
		return action{kind: runCommand}
	case words.Among(name, "child_process.spawn child_process.execFile cross-spawn.spawn cross-spawn cross-spawn.sync "+
		"execa execa.execa Bun.spawn Deno.Command Deno.run node-pty.spawn"):
		return action{kind: startCommand}
	case "Reflect.get":
		return action{kind: getMember}
	case "child_process.fork":
		return action{kind: forkProcess}
	case words.Among(name, "worker_threads.Worker Worker importScripts"):
		return action{kind: runScript}
	case words.Among(name, "eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script "+
		"setTimeout setInterval"):
		return action{kind: evalCode}
	case words.Among(name, "fs.writeFile Deno.writeTextFile Deno.writeFile Bun.write "+
		"fs.outputFile fs.writeJson fs.outputJson fs.outputJSON fs.writeJSON"):
		return action{kind: saveFile}
	case "fs.appendFile":
		return action{kind: appendToFile}
	case "fs.createWriteStream":
		return action{kind: openStream}
	case words.Among(name, "fs.mkdir fs.ensureDir fs.mkdirp fs.ensureFile "+
		"Deno.mkdir Deno.create Deno.truncate"):
		return action{kind: writeFile}
	case words.Among(name, "fs.readFile fs.createReadStream Deno.readTextFile Deno.readFile Bun.file "+
		"fs.readJson fs.readJSON"):
		return action{kind: readFile}
	case words.Among(name, "fs.unlink fs.rm Deno.remove fs.rmdir"):
		return action{kind: removeFile}
	case words.Among(name, "fs.remove fs.emptyDir shelljs.rm rimraf rimraf.rimraf rimraf.sync rimraf.native "+
		"rimraf.manual rimraf.moveRemove del del.sync del.deleteAsync del.delete fs.rimraf trash trash.default"):
		return action{kind: removeTree}
	case words.Among(name, "Directory File Link"):
		return action{kind: makePath}
	case words.Among(name, "Process.run Process.runSync Process.start"):
		return action{kind: startCommand}
	case words.Among(name, "fs.rename fs.move Deno.rename"):
		return action{kind: movePath}
	case words.Among(name, "fs.copyFile Deno.copyFile"):
		return action{kind: copyPath}
	case words.Among(name, "fs.cp fs.copy"):
		return action{kind: copyTree}
	case words.Among(name, "fs.readdir Deno.readDir"):
		return action{kind: listFolder}
	case words.Among(name, "fs.glob glob glob.glob fast-glob fast-glob.sync globby.globby glob.sync"):
		return action{kind: findPaths}
	case words.Among(name, "fs.symlink fs.link Deno.symlink Deno.link"):
		return action{kind: linkPath, arg: 1}
	case "fs.truncate":
		return action{kind: truncateFile}
	case "fs.open":
		return action{kind: openFile}
	case words.Among(name, "fs.chmod fs.lchmod Deno.chmod"):
		return action{kind: changeMode}
	case words.Among(name, "fs.chown Deno.chown"):
		return action{kind: changeOwner}
	case words.Among(name, "path.join path.resolve path.posix.join"):
		return action{kind: joinPaths}
	}
	return javascriptRuntimeAction(full)
}

// javascriptRuntimeAction is the part of javascriptAction for functions that work with texts, processes or the network.
func javascriptRuntimeAction(name string) action {
	switch name {
	case "Object.keys":
		return action{kind: dictKeys}
	case "Object.values":
		return action{kind: dictValues}
	case "os.homedir":
		return action{kind: homeDir}
	case words.Among(name, "fs.mkdtempSync fs.mkdtemp Deno.makeTempDir Deno.makeTempFile"):
		return action{kind: tempPath}
	case "os.tmpdir":
		return action{kind: tempDir}
	case words.Among(name, "process.getuid process.geteuid"):
		return action{kind: userNumber}
	case words.Among(name, "process.cwd Deno.cwd"):
		return action{kind: currentDir}
	case words.Among(name, "process.chdir Deno.chdir"):
		return action{kind: changeDir}
	case "Deno.env.get":
		return action{kind: lookupEnv}
	case "dotenv.config", "dotenv.configDotenv":
		return action{kind: environmentObject}
	case "Deno.env.toObject":
		return action{kind: wholeEnv}
	case words.Among(name, "console.log console.info console.debug"):
		return action{kind: printLine}
	case "process.stdout.write":
		return action{kind: printText}
	case words.Among(name, "util.promisify promisify String JSON.stringify JSON.parse Object.entries "+
		"Object.assign Map Set Buffer.concat decodeURIComponent encodeURIComponent Promise.resolve unescape"):
		return action{kind: returnFirst}
	case words.Among(name, "Buffer.from Buffer"):
		return action{kind: decodeByName}
	case "atob":
		return action{kind: decodeBase64}
	case words.Among(name, "String.fromCharCode String.fromCodePoint"):
		return action{kind: decodeCharCodes}
	case words.Among(name, "zlib.gunzipSync zlib.inflateSync zlib.brotliDecompressSync zlib.unzipSync"):
		return action{kind: decodeOther}
	case words.Among(name, "fetch axios.get axios http.get https.get got request request.get undici.fetch node-fetch "+
		"got.get axios.request undici.request http.request https.request superagent.get"):
		return action{kind: fetchURL}
	case words.Among(name, "axios.delete got.delete superagent.delete superagent.del"):
		return action{kind: deleteURL}
	case words.Among(name, "axios.post axios.put axios.patch got.post got.put got.patch "+
		"request.post navigator.sendBeacon superagent.post"):
		return action{kind: sendURL}
	case words.Among(name, "net.connect net.createConnection tls.connect Deno.connect Bun.connect"):
		return action{kind: connectTo}
	case words.Among(name, "net.Socket net.createServer"):
		return action{kind: makeSocket}
	case words.Among(name, "process.kill Deno.kill"):
		return action{kind: killProcess}
	case words.Among(name, "process.setuid process.setgid process.seteuid"):
		return action{kind: setUser}
	}
	return action{}
}
