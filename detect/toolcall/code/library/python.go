package library

// python.go lists the functions of Python that have effects or compute texts.

// pythonFunctions lists what functions of Python do.
var pythonFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{RunCommand, 0, "os.system os.popen subprocess.run subprocess.call subprocess.check_call " +
		"subprocess.check_output subprocess.Popen subprocess.getoutput subprocess.getstatusoutput " +
		"commands.getoutput commands.getstatusoutput pty.spawn os.popen2 os.popen3 " +
		"asyncio.create_subprocess_shell posix.system nt.system pexpect.spawn pexpect.run sh.bash invoke.run " +
		"get_ipython.system execShellCmd execCmd execProcess"},
	{StartCommand, 0, "asyncio.create_subprocess_exec os.startfile"},
	{ExecProgram, 0, "os.execv os.execvp os.execve os.execvpe os.execl os.execlp os.execle os.execlpe " +
		"os.posix_spawn os.posix_spawnp"},
	{ExecProgram, 1, "os.spawnv os.spawnvp os.spawnl os.spawnlp os.spawnle os.spawnve"},
	{EvalCode, 0, "exec eval marshal.loads pickle.loads code.runcode code.runsource code.push timeit.timeit " +
		"timeit.repeat timeit.Timer cProfile.run profile.run"},
	{LoadObjects, 0, "pickle.load dill.load cloudpickle.load cPickle.load _pickle.load pickle.Unpickler " +
		"dill.Unpickler joblib.load pandas.read_pickle compress_pickle.load shelve.open yaml.unsafe_load " +
		"yaml.unsafe_load_all sklearn.externals.joblib.load"},
	{LoadTensor, 0, "torch.load"},
	{LoadArray, 0, "numpy.load"},
	{LoadByType, 0, "yaml.load yaml.load_all"},
	{RunScript, 0, "execfile runpy.run_path"},
	{RunScript, 1, "importlib.machinery.SourceFileLoader importlib.util.spec_from_file_location imp.load_source"},
	{ReturnFirst, 0, "compile str bytes bytearray repr list tuple sorted set json.dumps json.loads json.load dict " +
		"text sqlalchemy.text enumerate zip io.BytesIO io.StringIO shlex.quote os.fspath iter vars " +
		"os.path.abspath os.path.realpath os.path.normpath"},
	{ReturnFirst, 1, "filter"},
	{OpenFile, 0, "open io.open codecs.open os.fdopen os.open gzip.open bz2.open lzma.open aiofiles.open"},
	{MakePath, 0, "Path pathlib.Path PosixPath pathlib.PosixPath pathlib.PurePath anyio.Path"},
	{JoinPaths, 0, "os.path.join posixpath.join"},
	{ExpandHome, 0, "os.path.expanduser os.path.expandvars"},
	// The folder for packages of the user is in the home folder.
	{HomeDir, 0, "Path.home pathlib.Path.home site.getusersitepackages site.getuserbase"},
	{CurrentDir, 0, "Path.cwd pathlib.Path.cwd os.getcwd os.getcwdb"},
	{LookupEnv, 0, "os.getenv os.environ.get os.environ.setdefault os.environ.pop decouple.config"},
	{LookupEnv, 1, "dotenv.get_key"},
	{EnvironmentReader, 0, "environs.Env environ.Env"},
	{WholeEnv, 0, "os.environ.copy os.environ.items os.environ.values"},
	{EnvironmentObject, 0, "dotenv_values dotenv.dotenv_values dotenv.main.dotenv_values"},
	{SetEnv, 0, "os.putenv"},
	{ChangeDir, 0, "os.chdir monkeypatch.chdir"},
	{ReadInput, 0, "input raw_input sys.stdin.read sys.stdin.readline sys.stdin.readlines sys.stdin.buffer.read"},
	{ReadArguments, 0, "fileinput.input fileinput.FileInput"},
	{LoadModule, 0, "__import__ importlib.import_module importlib.__import__ runpy.run_module"},
	{GetMember, 0, "getattr"},
	{ListFolder, 0, "os.listdir"},
	{ListPaths, 0, "os.scandir"},
	{WalkFolder, 0, "os.walk os.fwalk"},
	{FindPaths, 0, "glob.glob glob.iglob"},
	{ChooseItem, 0, "random.choice next min max"},
	{SplitShell, 0, "shlex.split"},
	{PrintText, 0, "sys.stdout.write sys.stdout.buffer.write"},
	{PrintLine, 0, "print pprint.pprint"},
	{ReadFile, 2, "shutil.make_archive"},
	{RemoveFile, 0, "os.remove os.unlink os.rmdir removeFile Path.unlink pathlib.Path.unlink Path.rmdir " +
		"pathlib.Path.rmdir"},
	{RemoveTree, 0, "shutil.rmtree shutil._rmtree shutil._rmtree_unsafe os.removedirs removeDir " +
		"distutils.dir_util.remove_tree send2trash.send2trash"},
	{MovePath, 0, "os.rename os.renames os.replace shutil.move"},
	{CopyPath, 0, "shutil.copy shutil.copy2 shutil.copyfile shutil.copymode"},
	{CopyTree, 0, "shutil.copytree distutils.dir_util.copy_tree"},
	{UnpackInto, 1, "shutil.unpack_archive"},
	{LinkPath, 1, "os.symlink os.link"},
	{WriteFile, 0, "os.mkdir os.makedirs os.mknod os.mkfifo logging.basicConfig logging.FileHandler"},
	{TruncateFile, 0, "os.truncate"},
	{ChangeMode, 0, "os.chmod os.lchmod"},
	{ChangeOwner, 0, "os.chown os.lchown shutil.chown"},
	{TempPath, 0, "tempfile.mkdtemp tempfile.mktemp tempfile.mkstemp tempfile.TemporaryDirectory " +
		"tempfile.NamedTemporaryFile"},
	{TempDir, 0, "tempfile.gettempdir"},
	{UserNumber, 0, "os.getuid os.geteuid"},
	{UserName, 0, "getpass.getuser os.getlogin"},
	{FetchTo, 0, "urllib.request.urlretrieve urllib.urlretrieve wget.download"},
	{FetchURL, 0, "urllib.request.urlopen urllib.urlopen urllib2.urlopen urlopen requests.get requests.request " +
		"httpx.get requests.head httpx.request urllib3.request urllib.request.Request"},
	{DeleteURL, 0, "requests.delete httpx.delete"},
	{SendURL, 0, "requests.post requests.put requests.patch httpx.post httpx.put httpx.patch " +
		"requests.Session.post aiohttp.request"},
	{DecodeBase64, 0, "base64.b64decode base64.urlsafe_b64decode base64.decodebytes base64.standard_b64decode " +
		"binascii.a2b_base64 b64decode"},
	{DecodeHex, 0, "bytes.fromhex bytearray.fromhex binascii.unhexlify base64.b16decode binascii.a2b_hex"},
	{DecodeOther, 0, "base64.b32decode base64.b85decode base64.a85decode zlib.decompress gzip.decompress " +
		"bz2.decompress lzma.decompress marshal.load"},
	{DecodeRot13, 0, "codecs.decode codecs.encode"},
	{ReverseOrder, 0, "reversed"},
	{DecodeCharCodes, 0, "chr unichr"},
	{ConnectTo, 0, "socket.create_connection"},
	{MakeSocket, 0, "socket.socket"},
	{DuplicateHandle, 0, "os.dup2 os.dup"},
	{KillProcess, 0, "os.kill os.killpg"},
	{ForkProcess, 0, "os.fork os.forkpty"},
	{WaitProcess, 0, "os.wait os.waitpid os._exit sys.exit"},
	{SetUser, 0, "os.setuid os.setgid os.seteuid os.setreuid os.setresuid"},
	{MapItems, 0, "map"},
}
