package library

// python.go knows the functions of Python that have effects or compute texts.

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// pythonAction returns what a Python function does.
func pythonAction(name string) Action {
	switch name {
	case words.Among(name, "os.system os.popen subprocess.run subprocess.call subprocess.check_call "+
		"subprocess.check_output subprocess.Popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput "+
		"commands.getstatusoutput pty.spawn os.popen2 os.popen3 asyncio.create_subprocess_shell posix.system nt.system "+
		"pexpect.spawn pexpect.run sh.bash invoke.run get_ipython.system "+
		"execShellCmd execCmd execProcess"):
		return Action{Kind: RunCommand}
	case words.Among(name, "asyncio.create_subprocess_exec os.startfile"):
		return Action{Kind: StartCommand}
	case words.Among(name, "os.execv os.execvp os.execve os.execvpe os.execl os.execlp os.execle os.execlpe "+
		"os.posix_spawn os.posix_spawnp"):
		return Action{Kind: ExecProgram}
	case words.Among(name, "os.spawnv os.spawnvp os.spawnl os.spawnlp os.spawnle os.spawnve"):
		return Action{Kind: ExecProgram, Arg: 1}
	case words.Among(name, "exec eval marshal.loads pickle.loads code.InteractiveInterpreter.runcode "+
		"timeit.timeit timeit.repeat timeit.Timer cProfile.run profile.run"):
		return Action{Kind: EvalCode}
	case words.Among(name, "pickle.load dill.load cloudpickle.load cPickle.load _pickle.load pickle.Unpickler "+
		"dill.Unpickler joblib.load pandas.read_pickle compress_pickle.load shelve.open yaml.unsafe_load yaml.unsafe_load_all "+
		"sklearn.externals.joblib.load"):
		return Action{Kind: LoadObjects}
	case "torch.load":
		return Action{Kind: LoadTensor}
	case "numpy.load":
		return Action{Kind: LoadArray}
	case "yaml.load", "yaml.load_all":
		return Action{Kind: LoadByType}
	case words.Among(name, "execfile runpy.run_path"):
		return Action{Kind: RunScript}
	case words.Among(name, "importlib.machinery.SourceFileLoader importlib.util.spec_from_file_location imp.load_source"):
		return Action{Kind: RunScript, Arg: 1}
	case words.Among(name, "compile str bytes bytearray repr list tuple sorted set json.dumps json.loads "+
		"json.load dict text sqlalchemy.text enumerate filter zip io.BytesIO io.StringIO shlex.quote os.fspath "+
		"iter vars os.path.abspath os.path.realpath os.path.normpath"):
		return Action{Kind: ReturnFirst}
	case words.Among(name, "open io.open codecs.open os.fdopen os.open gzip.open bz2.open lzma.open aiofiles.open"):
		return Action{Kind: OpenFile}
	case words.Among(name, "Path pathlib.Path PosixPath pathlib.PosixPath pathlib.PurePath anyio.Path"):
		return Action{Kind: MakePath}
	case words.Among(name, "os.path.join posixpath.join"):
		return Action{Kind: JoinPaths}
	case words.Among(name, "os.path.expanduser os.path.expandvars"):
		return Action{Kind: ExpandHome}
	case words.Among(name, "Path.home pathlib.Path.home"):
		return Action{Kind: HomeDir}
	case words.Among(name, "Path.cwd pathlib.Path.cwd os.getcwd os.getcwdb"):
		return Action{Kind: CurrentDir}
	case words.Among(name, "os.getenv os.environ.get os.environ.setdefault os.environ.pop decouple.config"):
		return Action{Kind: LookupEnv}
	case "dotenv.get_key":
		return Action{Kind: LookupEnv, Arg: 1}
	case words.Among(name, "environs.Env environ.Env"):
		return Action{Kind: EnvironmentReader}
	case words.Among(name, "os.environ.copy os.environ.items os.environ.values"):
		return Action{Kind: WholeEnv}
	case words.Among(name, "dotenv_values dotenv.dotenv_values dotenv.main.dotenv_values"):
		return Action{Kind: EnvironmentObject}
	case "os.putenv":
		return Action{Kind: SetEnv}
	case "os.chdir":
		return Action{Kind: ChangeDir}
	case words.Among(name, "print sys.stdout.write sys.stdout.buffer.write pprint.pprint"):
		return pythonPrintAction(name)
	case words.Among(name, "input raw_input sys.stdin.read sys.stdin.readline sys.stdin.readlines "+
		"sys.stdin.buffer.read"):
		return Action{Kind: ReadInput}
	case words.Among(name, "fileinput.input fileinput.FileInput"):
		return Action{Kind: ReadArguments}
	case words.Among(name, "__import__ importlib.import_module importlib.__import__ runpy.run_module"):
		return Action{Kind: LoadModule}
	case "getattr":
		return Action{Kind: GetMember}
	case words.Among(name, "globals locals"):
		return Action{}
	case "os.listdir":
		return Action{Kind: ListFolder}
	case "os.scandir":
		return Action{Kind: ListPaths}
	case words.Among(name, "os.walk os.fwalk"):
		return Action{Kind: WalkFolder}
	case words.Among(name, "glob.glob glob.iglob"):
		return Action{Kind: FindPaths}
	case words.Among(name, "random.choice next min max"):
		return Action{Kind: ChooseItem}
	case "shlex.split":
		return Action{Kind: SplitShell}
	}
	return pythonLibraryAction(name)
}

func pythonPrintAction(name string) Action {
	if strings.HasSuffix(name, "write") {
		return Action{Kind: PrintText}
	}
	return Action{Kind: PrintLine}
}

// pythonLibraryAction is the part of pythonAction for functions that work with files, encodings, processes or the
// network.
func pythonLibraryAction(name string) Action {
	switch name {
	case words.Among(name, "os.remove os.unlink os.rmdir removeFile Path.unlink pathlib.Path.unlink Path.rmdir "+
		"pathlib.Path.rmdir"):
		return Action{Kind: RemoveFile}
	case words.Among(name, "shutil.rmtree shutil._rmtree shutil._rmtree_unsafe os.removedirs removeDir "+
		"distutils.dir_util.remove_tree send2trash.send2trash"):
		return Action{Kind: RemoveTree}
	case words.Among(name, "os.rename os.renames os.replace shutil.move"):
		return Action{Kind: MovePath}
	case words.Among(name, "shutil.copy shutil.copy2 shutil.copyfile shutil.copymode"):
		return Action{Kind: CopyPath}
	case words.Among(name, "shutil.copytree distutils.dir_util.copy_tree"):
		return Action{Kind: CopyTree}
	case "shutil.unpack_archive":
		return Action{Kind: UnpackInto, Arg: 1}
	case words.Among(name, "os.symlink os.link"):
		return Action{Kind: LinkPath, Arg: 1}
	case words.Among(name, "os.mkdir os.makedirs os.mknod os.mkfifo"):
		return Action{Kind: WriteFile}
	case "os.truncate":
		return Action{Kind: TruncateFile}
	case words.Among(name, "os.chmod os.lchmod"):
		return Action{Kind: ChangeMode}
	case words.Among(name, "os.chown os.lchown shutil.chown"):
		return Action{Kind: ChangeOwner}
	case words.Among(name, "tempfile.mkdtemp tempfile.mktemp tempfile.mkstemp "+
		"tempfile.TemporaryDirectory tempfile.NamedTemporaryFile"):
		return Action{Kind: TempPath}
	case "tempfile.gettempdir":
		return Action{Kind: TempDir}
	case words.Among(name, "os.getuid os.geteuid"):
		return Action{Kind: UserNumber}
	case words.Among(name, "getpass.getuser os.getlogin"):
		return Action{Kind: UserName}
	case words.Among(name, "urllib.request.urlretrieve urllib.urlretrieve wget.download"):
		return Action{Kind: FetchTo}
	case words.Among(name, "urllib.request.urlopen urllib.urlopen urllib2.urlopen urlopen requests.get "+
		"requests.request httpx.get requests.head httpx.request urllib3.request urllib.request.Request"):
		return Action{Kind: FetchURL}
	case words.Among(name, "requests.delete httpx.delete"):
		return Action{Kind: DeleteURL}
	case words.Among(name, "requests.post requests.put requests.patch httpx.post httpx.put httpx.patch "+
		"requests.Session.post aiohttp.request"):
		return Action{Kind: SendURL}
	case words.Among(name, "urllib.parse.quote urllib.parse.urlencode base64.b64encode binascii.hexlify "+
		"base64.urlsafe_b64encode"):
		return Action{}
	case words.Among(name, "base64.b64decode base64.urlsafe_b64decode base64.decodebytes base64.standard_b64decode "+
		"binascii.a2b_base64 b64decode"):
		return Action{Kind: DecodeBase64}
	case words.Among(name, "bytes.fromhex bytearray.fromhex binascii.unhexlify base64.b16decode binascii.a2b_hex"):
		return Action{Kind: DecodeHex}
	case words.Among(name, "base64.b32decode base64.b85decode base64.a85decode zlib.decompress gzip.decompress "+
		"bz2.decompress lzma.decompress marshal.load"):
		return Action{Kind: DecodeOther}
	case words.Among(name, "codecs.decode codecs.encode"):
		return Action{Kind: DecodeRot13}
	case "reversed":
		return Action{Kind: ReverseOrder}
	case words.Among(name, "chr unichr"):
		return Action{Kind: DecodeCharCodes}
	case "socket.create_connection":
		return Action{Kind: ConnectTo}
	case "socket.socket":
		return Action{Kind: MakeSocket}
	case words.Among(name, "os.dup2 os.dup"):
		return Action{Kind: DuplicateHandle}
	case words.Among(name, "os.kill os.killpg"):
		return Action{Kind: KillProcess}
	case words.Among(name, "os.fork os.forkpty"):
		return Action{Kind: ForkProcess}
	case words.Among(name, "os.wait os.waitpid os._exit sys.exit"):
		return Action{Kind: WaitProcess}
	case words.Among(name, "os.setuid os.setgid os.seteuid os.setreuid os.setresuid"):
		return Action{Kind: SetUser}
	case "map":
		return Action{Kind: MapItems}
	}
	return Action{}
}
