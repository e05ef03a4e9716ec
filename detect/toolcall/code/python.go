package code

// python.go knows the functions of Python that have effects or compute texts.

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// pythonAction returns what a Python function does.
func pythonAction(name string) action {
	switch name {
	case words.Among(name, "os.system os.popen subprocess.run subprocess.call subprocess.check_call "+
		"subprocess.check_output subprocess.Popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "+
		"commands.getstatusoutput pty.spawn os.popen2 os.popen3 asyncio.create_subprocess_shell posix.system nt.system "+
		"pexpect.spawn pexpect.run sh.bash invoke.run get_ipython.system "+
		"execShellCmd execCmd execProcess"):
		return action{kind: runCommand}
	case words.Among(name, "asyncio.create_subprocess_exec os.startfile"):
		return action{kind: startCommand}
	case words.Among(name, "os.execv os.execvp os.execve os.execvpe os.execl os.execlp os.execle os.execlpe "+
		"os.posix_spawn os.posix_spawnp"):
		return action{kind: execProgram}
	case words.Among(name, "os.spawnv os.spawnvp os.spawnl os.spawnlp os.spawnle os.spawnve"):
		return action{kind: execProgram, arg: 1}
	case words.Among(name, "exec eval marshal.loads pickle.loads code.InteractiveInterpreter.runcode "+
		"timeit.timeit timeit.repeat timeit.Timer cProfile.run profile.run"):
		return action{kind: evalCode}
	case words.Among(name, "pickle.load dill.load cloudpickle.load cPickle.load _pickle.load pickle.Unpickler "+
		"dill.Unpickler joblib.load pandas.read_pickle compress_pickle.load shelve.open yaml.unsafe_load yaml.unsafe_load_all "+
		"sklearn.externals.joblib.load"):
		return action{kind: loadObjects}
	case "torch.load":
		return action{kind: loadTensor}
	case "numpy.load":
		return action{kind: loadArray}
	case "yaml.load", "yaml.load_all":
		return action{kind: loadByType}
	case words.Among(name, "execfile runpy.run_path"):
		return action{kind: runScript}
	case words.Among(name, "importlib.machinery.SourceFileLoader importlib.util.spec_from_file_location imp.load_source"):
		return action{kind: runScript, arg: 1}
	case words.Among(name, "compile str bytes bytearray repr list tuple sorted set json.dumps json.loads "+
		"json.load dict text sqlalchemy.text enumerate filter zip io.BytesIO io.StringIO shlex.quote os.fspath "+
		"iter vars os.path.abspath os.path.realpath os.path.normpath"):
		return action{kind: returnFirst}
	case words.Among(name, "open io.open codecs.open os.fdopen os.open gzip.open bz2.open lzma.open aiofiles.open"):
		return action{kind: openFile}
	case words.Among(name, "Path pathlib.Path PosixPath pathlib.PosixPath pathlib.PurePath anyio.Path"):
		return action{kind: makePath}
	case words.Among(name, "os.path.join posixpath.join"):
		return action{kind: joinPaths}
	case words.Among(name, "os.path.expanduser os.path.expandvars"):
		return action{kind: expandHome}
	case words.Among(name, "Path.home pathlib.Path.home"):
		return action{kind: homeDir}
	case words.Among(name, "Path.cwd pathlib.Path.cwd os.getcwd os.getcwdb"):
		return action{kind: currentDir}
	case words.Among(name, "os.getenv os.environ.get os.environ.setdefault os.environ.pop decouple.config"):
		return action{kind: lookupEnv}
	case "dotenv.get_key":
		return action{kind: lookupEnv, arg: 1}
	case words.Among(name, "environs.Env environ.Env"):
		return action{kind: environmentReader}
	case words.Among(name, "os.environ.copy os.environ.items os.environ.values"):
		return action{kind: wholeEnv}
	case words.Among(name, "dotenv_values dotenv.dotenv_values dotenv.main.dotenv_values"):
		return action{kind: environmentObject}
	case "os.putenv":
		return action{kind: setEnv}
	case "os.chdir":
		return action{kind: changeDir}
	case words.Among(name, "print sys.stdout.write sys.stdout.buffer.write pprint.pprint"):
		return pythonPrintAction(name)
	case words.Among(name, "input raw_input sys.stdin.read sys.stdin.readline sys.stdin.readlines "+
		"sys.stdin.buffer.read"):
		return action{kind: readInput}
	case words.Among(name, "fileinput.input fileinput.FileInput"):
		return action{kind: readArguments}
	case words.Among(name, "__import__ importlib.import_module importlib.__import__ runpy.run_module"):
		return action{kind: loadModule}
	case "getattr":
		return action{kind: getMember}
	case words.Among(name, "globals locals"):
		return action{}
	case "os.listdir":
		return action{kind: listFolder}
	case "os.scandir":
		return action{kind: listPaths}
	case words.Among(name, "os.walk os.fwalk"):
		return action{kind: walkFolder}
	case words.Among(name, "glob.glob glob.iglob"):
		return action{kind: findPaths}
	case words.Among(name, "random.choice next min max"):
		return action{kind: chooseItem}
	case "shlex.split":
		return action{kind: splitShell}
	}
	return pythonLibraryAction(name)
}

func pythonPrintAction(name string) action {
	if strings.HasSuffix(name, "write") {
		return action{kind: printText}
	}
	return action{kind: printLine}
}

// pythonLibraryAction is the part of pythonAction for functions that work with files, encodings, processes or the
// network.
func pythonLibraryAction(name string) action {
	switch name {
	case words.Among(name, "os.remove os.unlink os.rmdir removeFile Path.unlink pathlib.Path.unlink Path.rmdir "+
		"pathlib.Path.rmdir"):
		return action{kind: removeFile}
	case words.Among(name, "shutil.rmtree shutil._rmtree shutil._rmtree_unsafe os.removedirs removeDir "+
		"distutils.dir_util.remove_tree send2trash.send2trash"):
		return action{kind: removeTree}
	case words.Among(name, "os.rename os.renames os.replace shutil.move"):
		return action{kind: movePath}
	case words.Among(name, "shutil.copy shutil.copy2 shutil.copyfile shutil.copymode"):
		return action{kind: copyPath}
	case words.Among(name, "shutil.copytree distutils.dir_util.copy_tree"):
		return action{kind: copyTree}
	case "shutil.unpack_archive":
		return action{kind: unpackInto, arg: 1}
	case words.Among(name, "os.symlink os.link"):
		return action{kind: linkPath, arg: 1}
	case words.Among(name, "os.mkdir os.makedirs os.mknod os.mkfifo"):
		return action{kind: writeFile}
	case "os.truncate":
		return action{kind: truncateFile}
	case words.Among(name, "os.chmod os.lchmod"):
		return action{kind: changeMode}
	case words.Among(name, "os.chown os.lchown shutil.chown"):
		return action{kind: changeOwner}
	case words.Among(name, "tempfile.mkdtemp tempfile.mktemp tempfile.mkstemp "+
		"tempfile.TemporaryDirectory tempfile.NamedTemporaryFile"):
		return action{kind: tempPath}
	case "tempfile.gettempdir":
		return action{kind: tempDir}
	case words.Among(name, "os.getuid os.geteuid"):
		return action{kind: userNumber}
	case words.Among(name, "getpass.getuser os.getlogin"):
		return action{kind: userName}
	case words.Among(name, "urllib.request.urlretrieve urllib.urlretrieve wget.download"):
		return action{kind: fetchTo}
	case words.Among(name, "urllib.request.urlopen urllib.urlopen urllib2.urlopen urlopen requests.get "+
		"requests.request httpx.get requests.head httpx.request urllib3.request urllib.request.Request"):
		return action{kind: fetchURL}
	case words.Among(name, "requests.delete httpx.delete"):
		return action{kind: deleteURL}
	case words.Among(name, "requests.post requests.put requests.patch httpx.post httpx.put httpx.patch "+
		"requests.Session.post aiohttp.request"):
		return action{kind: sendURL}
	case words.Among(name, "urllib.parse.quote urllib.parse.urlencode base64.b64encode binascii.hexlify "+
		"base64.urlsafe_b64encode"):
		return action{}
	case words.Among(name, "base64.b64decode base64.urlsafe_b64decode base64.decodebytes base64.standard_b64decode "+
		"binascii.a2b_base64 b64decode"):
		return action{kind: decodeBase64}
	case words.Among(name, "bytes.fromhex bytearray.fromhex binascii.unhexlify base64.b16decode binascii.a2b_hex"):
		return action{kind: decodeHex}
	case words.Among(name, "base64.b32decode base64.b85decode base64.a85decode zlib.decompress gzip.decompress "+
		"bz2.decompress lzma.decompress marshal.load"):
		return action{kind: decodeOther}
	case words.Among(name, "codecs.decode codecs.encode"):
		return action{kind: decodeRot13}
	case "reversed":
		return action{kind: reverseOrder}
	case words.Among(name, "chr unichr"):
		return action{kind: decodeCharCodes}
	case "socket.create_connection":
		return action{kind: connectTo}
	case "socket.socket":
		return action{kind: makeSocket}
	case words.Among(name, "os.dup2 os.dup"):
		return action{kind: duplicateHandle}
	case words.Among(name, "os.kill os.killpg"):
		return action{kind: killProcess}
	case words.Among(name, "os.fork os.forkpty"):
		return action{kind: forkProcess}
	case words.Among(name, "os.wait os.waitpid os._exit sys.exit"):
		return action{kind: waitProcess}
	case words.Among(name, "os.setuid os.setgid os.seteuid os.setreuid os.setresuid"):
		return action{kind: setUser}
	case "map":
		return action{kind: mapItems}
	}
	return action{}
}
