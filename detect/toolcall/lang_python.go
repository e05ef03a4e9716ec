package toolcall

import "strings"

// pythonDeed says what Python's functions do.
func pythonDeed(name string) deed {
	switch name {
	case among(name, "os.system os.popen subprocess.run subprocess.call subprocess.check_call subprocess.check_output "+
		"subprocess.Popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "+
		"commands.getstatusoutput pty.spawn os.popen2 os.popen3 asyncio.create_subprocess_shell posix.system "+
		"nt.system pexpect.spawn pexpect.run sh.bash invoke.run get_ipython.system"):
		return deed{kind: runCommand}
	case "asyncio.create_subprocess_exec", "os.startfile":
		return deed{kind: startCommand}
	case among(name, "os.execv os.execvp os.execve os.execvpe os.execl os.execlp os.execle os.execlpe os.posix_spawn "+
		"os.posix_spawnp"):
		return deed{kind: replaceSelf}
	case among(name, "os.spawnv os.spawnvp os.spawnl os.spawnlp os.spawnle os.spawnve"):
		return deed{kind: replaceSelf, at: 1}
	case among(name, "exec eval execfile marshal.loads pickle.loads runpy.run_path code.InteractiveInterpreter.runcode"):
		return deed{kind: evalCode}
	case among(name, "compile str bytes bytearray repr list tuple sorted set json.dumps json.loads json.load dict "+
		"io.BytesIO io.StringIO shlex.quote os.fspath iter next os.path.abspath os.path.realpath "+
		"os.path.normpath"):
		return deed{kind: passOn}
	case among(name, "open io.open codecs.open os.fdopen os.open gzip.open bz2.open lzma.open aiofiles.open"):
		return deed{kind: openFile}
	case among(name, "Path pathlib.Path PosixPath pathlib.PosixPath pathlib.PurePath anyio.Path"):
		return deed{kind: makePath}
	case "os.path.join", "posixpath.join":
		return deed{kind: joinPaths}
	case "os.path.expanduser", "os.path.expandvars":
		return deed{kind: expandHome}
	case "Path.home", "pathlib.Path.home":
		return deed{kind: homeDir}
	case "Path.cwd", "pathlib.Path.cwd", "os.getcwd", "os.getcwdb":
		return deed{kind: currentDir}
	case "os.getenv", "os.environ.get", "os.environ.setdefault", "os.environ.pop":
		return deed{kind: lookupEnv}
	case "os.environ.copy", "os.environ.items", "os.environ.values":
		return deed{kind: wholeEnv}
	case "os.putenv":
		return deed{kind: setEnv}
	case "os.chdir":
		return deed{kind: changeTo}
	case "print", "sys.stdout.write", "sys.stdout.buffer.write", "pprint.pprint":
		return printing(name)
	case among(name, "input raw_input sys.stdin.read sys.stdin.readline sys.stdin.readlines sys.stdin.buffer.read "+
		"fileinput.input"):
		return deed{kind: readInput}
	case "__import__", "importlib.import_module", "importlib.__import__":
		return deed{kind: loadModule}
	case "getattr":
		return deed{kind: getMember}
	case "globals", "locals", "vars":
		return deed{}
	case "shlex.split":
		return deed{kind: splitShell}
	}
	return pythonMore(name)
}

func printing(name string) deed {
	if strings.HasSuffix(name, "write") {
		return deed{kind: printText}
	}
	return deed{kind: printLine}
}

// pythonMore are Python's functions for files, texts and the network.
func pythonMore(name string) deed {
	switch name {
	case "os.remove", "os.unlink", "os.rmdir", "send2trash.send2trash":
		return deed{kind: removeFile}
	case "shutil.rmtree", "os.removedirs", "distutils.dir_util.remove_tree":
		return deed{kind: removeTree}
	case "os.rename", "os.renames", "os.replace", "shutil.move":
		return deed{kind: movePath}
	case among(name, "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copymode"):
		return deed{kind: copyPath}
	case "os.symlink", "os.link":
		return deed{kind: linkPath, at: 1}
	case among(name, "os.truncate os.mkdir os.makedirs os.mknod os.mkfifo"):
		return deed{kind: writeFile}
	case "os.chmod", "os.lchmod":
		return deed{kind: changeMode}
	case "os.chown", "os.lchown", "shutil.chown":
		return deed{kind: changeOwner}
	case among(name, "tempfile.mkdtemp tempfile.mktemp tempfile.gettempdir tempfile.mkstemp tempfile.TemporaryDirectory "+
		"tempfile.NamedTemporaryFile"):
		return deed{kind: tempPath}
	case "urllib.request.urlretrieve", "urllib.urlretrieve", "wget.download":
		return deed{kind: fetchTo}
	case among(name, "urllib.request.urlopen urllib.urlopen urllib2.urlopen urlopen requests.get requests.request "+
		"httpx.get requests.head httpx.request urllib3.request urllib.request.Request"):
		return deed{kind: fetchURL}
	case among(name, "requests.post requests.put requests.patch httpx.post httpx.put httpx.delete httpx.patch requests.delete requests.Session.post "+
		"aiohttp.request"):
		return deed{kind: sendURL}
	case among(name, "urllib.parse.quote urllib.parse.urlencode base64.b64encode binascii.hexlify "+
		"base64.urlsafe_b64encode"):
		return deed{}
	case among(name, "base64.b64decode base64.urlsafe_b64decode base64.decodebytes base64.standard_b64decode "+
		"binascii.a2b_base64 b64decode"):
		return deed{kind: base64Text}
	case among(name, "bytes.fromhex bytearray.fromhex binascii.unhexlify base64.b16decode binascii.a2b_hex"):
		return deed{kind: hexText}
	case among(name, "base64.b32decode base64.b85decode base64.a85decode zlib.decompress gzip.decompress bz2.decompress "+
		"lzma.decompress marshal.load"):
		return deed{kind: packedText}
	case "codecs.decode", "codecs.encode":
		return deed{kind: rotate}
	case "reversed":
		return deed{kind: reverseText}
	case "chr", "unichr":
		return deed{kind: spellText}
	case "socket.create_connection":
		return deed{kind: connectTo}
	case "socket.socket":
		return deed{kind: makeSocket}
	case "os.dup2", "os.dup":
		return deed{kind: duplicate}
	case "os.kill", "os.killpg":
		return deed{kind: killProcess}
	case "os.fork", "os.forkpty":
		return deed{kind: forkProcess}
	case "os.wait", "os.waitpid", "os._exit", "sys.exit":
		return deed{kind: waitProcess}
	case among(name, "os.setuid os.setgid os.seteuid os.setreuid os.setresuid"):
		return deed{kind: becomeUser}
	case "map":
		return deed{kind: mapList}
	}
	return deed{}
}
