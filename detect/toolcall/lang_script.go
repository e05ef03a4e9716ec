package toolcall

import "strings"

// scriptDeed says what the functions of Node, Deno and Bun do; the Sync and promise forms are the same.
func scriptDeed(name string) deed {
	name = strings.Replace(name, "fs.promises.", "fs.", 1)
	name = strings.Replace(strings.Replace(name, "fs-extra.", "fs.", 1), "graceful-fs.", "fs.", 1)
	switch strings.TrimSuffix(name, "Sync") {
	case "require", "process.mainModule.require", "module.require", "process.getBuiltinModule", "import", "createRequire":
		return deed{kind: loadModule}
	case "child_process.exec", "execa.execaCommand", "shelljs.exec", "shell.exec", "Bun.$", "zx.$", "execaCommand":
		return deed{kind: runCommand}
	case "child_process.spawn", "child_process.execFile", "cross-spawn.spawn", "cross-spawn", "execa", "execa.execa", "Bun.spawn", "Deno.Command", "Deno.run", "node-pty.spawn":
		return deed{kind: startCommand}
	case "child_process.fork":
		return deed{kind: forkProcess}
	case "eval", "Function", "vm.runInThisContext", "vm.runInNewContext", "vm.runInContext", "vm.Script", "setTimeout", "setInterval":
		return deed{kind: evalCode}
	case "fs.writeFile", "fs.appendFile", "Deno.writeTextFile", "Deno.writeFile", "Bun.write", "fs.outputFile", "fs.writeJson", "fs.outputJson", "fs.outputJSON", "fs.writeJSON":
		return deed{kind: saveFile}
	case "fs.createWriteStream", "fs.truncate", "fs.mkdir", "fs.ensureDir", "fs.mkdirp", "fs.ensureFile", "Deno.mkdir", "Deno.create", "Deno.truncate", "fs.emptyDir":
		return deed{kind: writeFile}
	case "fs.readFile", "fs.createReadStream", "Deno.readTextFile", "Deno.readFile", "Bun.file", "fs.readJson", "fs.readJSON":
		return deed{kind: readFile}
	case "fs.unlink", "fs.rm", "Deno.remove", "fs.rmdir":
		return deed{kind: removeFile}
	case "fs.remove", "rimraf", "rimraf.rimraf", "del", "fs.rimraf":
		return deed{kind: removeTree}
	case "fs.rename", "fs.move", "Deno.rename":
		return deed{kind: movePath}
	case "fs.copyFile", "fs.cp", "fs.copy", "Deno.copyFile":
		return deed{kind: copyPath}
	case "fs.symlink", "fs.link", "Deno.symlink", "Deno.link":
		return deed{kind: linkPath, at: 1}
	case "fs.open":
		return deed{kind: openFile}
	case "fs.chmod", "fs.lchmod", "Deno.chmod":
		return deed{kind: changeMode}
	case "fs.chown", "Deno.chown":
		return deed{kind: changeOwner}
	case "path.join", "path.resolve", "path.posix.join":
		return deed{kind: joinPaths}
	}
	return scriptMore(name)
}

// scriptMore are the functions for texts, processes and the network.
func scriptMore(name string) deed {
	switch name {
	case "os.homedir":
		return deed{kind: homeDir}
	case among(name, "os.tmpdir fs.mkdtempSync fs.mkdtemp Deno.makeTempDir Deno.makeTempFile"):
		return deed{kind: tempPath}
	case "process.cwd", "Deno.cwd":
		return deed{kind: currentDir}
	case "process.chdir", "Deno.chdir":
		return deed{kind: changeTo}
	case "Deno.env.get":
		return deed{kind: lookupEnv}
	case "Deno.env.toObject":
		return deed{kind: wholeEnv}
	case "console.log", "console.info", "console.debug":
		return deed{kind: printLine}
	case "process.stdout.write":
		return deed{kind: printText}
	case among(name, "util.promisify promisify String JSON.stringify JSON.parse Object.entries Object.assign Buffer.concat "+
		"decodeURIComponent encodeURIComponent Promise.resolve unescape"):
		return deed{kind: passOn}
	case "Buffer.from", "Buffer":
		return deed{kind: passEncoded}
	case "atob":
		return deed{kind: base64Text}
	case "String.fromCharCode", "String.fromCodePoint":
		return deed{kind: spellText}
	case "zlib.gunzipSync", "zlib.inflateSync", "zlib.brotliDecompressSync", "zlib.unzipSync":
		return deed{kind: packedText}
	case among(name, "fetch axios.get axios http.get https.get got request request.get undici.fetch node-fetch got.get "+
		"axios.request undici.request http.request https.request superagent.get"):
		return deed{kind: fetchURL}
	case among(name, "axios.post axios.put axios.patch axios.delete got.post got.put got.patch got.delete request.post navigator.sendBeacon superagent.post"):
		return deed{kind: sendURL}
	case among(name, "net.connect net.createConnection tls.connect Deno.connect Bun.connect"):
		return deed{kind: connectTo}
	case "net.Socket", "net.createServer":
		return deed{kind: makeSocket}
	case "process.kill", "Deno.kill":
		return deed{kind: killProcess}
	case "process.setuid", "process.setgid", "process.seteuid":
		return deed{kind: becomeUser}
	}
	return deed{}
}
