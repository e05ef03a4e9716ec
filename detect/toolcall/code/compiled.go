package code

// compiled.go analyzes programs in compiled languages if the same call compiles and runs them, as in "go run x.go",
// "gcc x.c && ./a.out" and "java X.java".

import (
	"slices"
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// compilers has the programs that compile a source file. starters has the programs that also run the result. A name
// such as go:run means the subcommand "run" of "go".
const (
	compilers = "gcc cc clang g++ c++ clang++ tinycc rustc javac kotlinc swiftc ghc dmd ldc2 gdc mcs csc make " +
		"gmake cmake ninja go cargo zig nim tinygo odin"
	starters = "java tcc swift dart crystal scala rdmd kotlin jbang cling go:run cargo:run zig:run dotnet:run " +
		"dotnet:script v:run scala-cli:run odin:run nim:r tinygo:run kotlinc:-script crystal:run dart:run cargo:r " +
		"dub:run swift:run"
)

// CompiledSources analyzes the source files that a command compiles and runs. If the command only compiles them, they
// are analyzed as soon as the call runs a program by its path.
func CompiledSources(t *trace.Trace, c *trace.Command) {
	if c.Name == "java" {
		javaOptions(t, c)
	}
	if t.Content != nil {
		runDownload(t, c)
	}
	switch {
	case isStarter(c):
		sources := sourceOperands(c)
		for _, v := range sources {
			runSource(t, c, v)
		}
		if len(sources) == 0 {
			runWritten(t, c, sourcesOf(c.Name))
			runNamed(t, c)
		}
	case c.Name == words.Among(c.Name, compilers):
		t.Compiles = true
		noteSources(t, c)
		if c.In.Known && c.In.Text != "" && hasOperand(c, "-") {
			t.Remember("a.c", c.In)
		}
	case t.Compiles && strings.Contains(c.Argv[0].Text, "/"):
		t.Compiles = false
		runWritten(t, c, "")
		runNamed(t, c)
	}
}

// noteSources remembers the source files that a compiler reads. "make x" compiles x.c if no Makefile says otherwise.
func noteSources(t *trace.Trace, c *trace.Command) {
	for _, v := range c.Args() {
		if strings.HasSuffix(c.Name, "make") {
			v.Text += ".c"
		}
		if _, ok := languageOf(v.Text); !ok || v.Text[0] == '-' || len(t.Sources) == trace.MaxScripts {
			continue
		}
		if p := t.Place(v, c.Scope); !p.Partial && !p.Glob {
			t.Sources = append(t.Sources, p.Name)
		}
	}
}

// runNamed analyzes the source files on disk that the call has compiled.
func runNamed(t *trace.Trace, c *trace.Command) {
	for _, name := range t.Sources {
		t.InputScript(c, name, func(inner *trace.Command, text string) { runCompiled(t, inner, name, text) })
	}
}

// runDownload analyzes calls of java, papermill and "jupyter nbconvert". They run a .jar file or a notebook, which the
// call may have downloaded.
func runDownload(t *trace.Trace, c *trace.Command) {
	ending := ".ipynb"
	if c.Name == "java" {
		ending = ".jar"
	} else if c.Name != "papermill" && (c.Name != "jupyter" || trace.ArgAt(c.Argv, 1) == "nbconvert") {
		return
	}
	for i := range c.Argv {
		v := c.Argv[i]
		if agent, isAgent := strings.CutPrefix(v.Text, "-javaagent:"); isAgent {
			v.Text, _, _ = strings.Cut(agent, "=")
		} else {
			v.Text = strings.TrimPrefix(v.Text, "-agentpath:")
		}
		if strings.HasSuffix(v.Text, ending) || strings.HasPrefix(c.Argv[i].Text, "-agentpath:") {
			t.RunForeign(c, t.Content[t.Place(v, c.Scope).Name])
		}
	}
}

// javaOptions analyzes the commands that java runs after an error.
func javaOptions(t *trace.Trace, c *trace.Command) {
	for _, v := range c.Args() {
		option, command, _ := strings.Cut(v.Text, "=")
		if v.Text = command; words.OneOf(option, "-XX:OnError -XX:OnOutOfMemoryError") {
			t.RunText(c, v)
		}
	}
}

// isStarter reports whether a command compiles and runs a program. It returns true for java, although java may also run
// a program that is already compiled.
func isStarter(c *trace.Command) bool {
	if len(c.Argv) < 2 {
		return false
	}
	order := c.Name + ":" + c.Argv[1].Text
	return c.Name == words.Among(c.Name, starters) || order == words.Among(order, starters)
}

func hasOperand(c *trace.Command, text string) bool {
	return slices.ContainsFunc(c.Args(), func(v trace.Value) bool { return v.Text == text })
}

func sourceOperands(c *trace.Command) []trace.Value {
	var out []trace.Value
	for _, v := range c.Args() {
		if _, ok := languageOf(v.Text); ok && !strings.HasPrefix(v.Text, "-") && len(out) < trace.MaxScripts {
			out = append(out, v)
		}
	}
	return out
}

// runSource analyzes a source file that the call has written, or that is on disk.
func runSource(t *trace.Trace, c *trace.Command, v trace.Value) {
	place := t.Place(v, c.Scope)
	if f, ok := t.Content[place.Name]; ok {
		t.RunForeign(c, f)
		if f.Known {
			runCompiled(t, c, place.Name, f.Text)
		}
		return
	}
	t.FromDisk(c, &place, func(inner *trace.Command, text string) { runCompiled(t, inner, place.Name, text) })
}

// runWritten analyzes every source file that the call has written and whose name has one of the endings. If endings is
// empty, it analyzes all of them.
func runWritten(t *trace.Trace, c *trace.Command, endings string) {
	for _, name := range t.Written() {
		f := t.Content[name]
		_, ok := languageOf(name)
		ending := "." + words.AfterLast(name, ".") + " "
		if !ok || endings != "" && !strings.Contains(endings, ending) {
			continue
		}
		if t.RunForeign(c, f); f.Known {
			runCompiled(t, c, name, f.Text)
		}
	}
}

// sourcesOf returns the endings of the source files that a command such as "go run ." uses without naming them.
func sourcesOf(program string) string {
	switch program {
	case "go", "tinygo":
		return ".go "
	case "cargo":
		return ".rs "
	case "java", "kotlin":
		return ".java .kt "
	case "dotnet":
		return ".cs "
	case "swift":
		return ".swift "
	}
	return ".zig .dart .nim .cr .d .scala .v "
}

// languageOf returns the language of a source file, judging by the ending of the file's name.
func languageOf(name string) (trace.Language, bool) {
	ending := name[strings.LastIndexByte(name, '.')+1:]
	switch ending {
	case words.Among(ending, "go rs c h cc cpp cxx hpp m java kt kts swift cs csx zig scala sc d v odin"):
		return trace.Compiled, len(ending) < len(name)
	case "dart":
		return trace.Script, true
	case "nim":
		return trace.Python, true
	case "cr":
		return trace.Ruby, true
	}
	return trace.Other, false
}

func runCompiled(t *trace.Trace, c *trace.Command, name, text string) {
	if strings.HasSuffix(name, "_test.go") {
		return
	}
	lang, _ := languageOf(name)
	Run(t, c, lang, trace.Value{Text: text})
}

// compiledAction returns what a function of Go, Rust, C, Java, C#, Swift, Kotlin or Zig does.
func compiledAction(name string) action {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "std."), "tokio.")
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if j := strings.LastIndexByte(name[:i], '.'); j > 0 && name[:j] != "Runtime" {
			name = name[j+1:] // the last two names: java.io.File, std::filesystem::remove
		}
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 && name[:i] == words.Among(name[:i], "io nio util Diagnostics lang") {
		name = name[i+1:]
	}
	switch name {
	case words.Among(name, "system popen _popen execShellCmd NSTask.launchedProcess getRuntime.exec exec.exec "+
		"Process.Start process.executeShell shell executeShell"):
		return action{kind: runCommand}
	case words.Among(name, "exec.Command ProcessBuilder Process.run process.execute process.spawnProcess Process.runSync "+
		"execv execvp execlp execl execvpe posix_spawn posix_spawnp unix.Exec syscall.Exec exec.CommandContext"):
		return startAction(name)
	case "Command.new", "duct.cmd", "Exec.cmd":
		return action{kind: buildCommand}
	case words.Among(name, "os.Remove os.RemoveAll fs.remove_dir_all fs.remove_dir fs.remove_file "+
		"filesystem.remove filesystem.remove_all fs.remove fs.remove_all unlink remove rmdir unlinkat "+
		"Files.delete Files.deleteIfExists FileUtils.deleteDirectory File.Delete Directory.Delete "+
		"default.removeItem default.trashItem fs.deleteTreeAbsolute fs.deleteFileAbsolute cwd.deleteTree "+
		"cwd.deleteFile fs.deleteDirAbsolute file.remove file.rmdirRecurse os.RemoveDir os.rmdir_all os.rm "+
		"os.rmdir removeFile removeDir syscall.Unlink syscall.Rmdir unix.Unlink FileUtils.forceDelete "+
		"FileUtils.cleanDirectory"):
		if name == words.Among(name, "os.RemoveAll fs.remove_dir_all filesystem.remove_all fs.remove_all "+
			"FileUtils.deleteDirectory Directory.Delete default.removeItem fs.deleteTreeAbsolute cwd.deleteTree "+
			"file.rmdirRecurse os.rmdir_all FileUtils.cleanDirectory FileUtils.forceDelete") {
			return action{kind: removeTree}
		}
		return action{kind: removeFile}
	}
	return compiledFileAction(name)
}

// startAction returns the action of a function that starts a program with a list of arguments.
func startAction(name string) action {
	switch {
	case strings.HasPrefix(name, "exec") && !strings.Contains(name, "."), strings.HasSuffix(name, "Exec"):
		return action{kind: execProgram}
	case strings.HasPrefix(name, "posix"), name == "exec.CommandContext":
		return action{kind: startCommand, arg: 1}
	}
	return action{kind: startCommand}
}

// compiledFileAction is the part of compiledAction for functions that work with files, paths, texts or environment
// variables.
func compiledFileAction(name string) action {
	switch name {
	case words.Among(name, "os.WriteFile ioutil.WriteFile fs.write Files.writeString Files.write File.WriteAllText "+
		"File.WriteAllBytes File.WriteAllLines File.AppendAllText file.write"):
		return action{kind: saveFile}
	case words.Among(name, "os.Create os.MkdirAll os.Mkdir File.create File.Create os.Truncate "+
		"fs.create_dir_all fs.create_dir Files.createFile Files.newBufferedWriter FileWriter FileOutputStream "+
		"PrintWriter StreamWriter filesystem.create_directories fs.createFileAbsolute cwd.createFile mkdir "+
		"truncate ofstream std.ofstream default.createFile Files.createDirectories"):
		return action{kind: writeFile}
	case words.Among(name, "fopen open freopen os.OpenFile"):
		return action{kind: openFile}
	case words.Among(name, "os.ReadFile ioutil.ReadFile fs.read_to_string fs.read File.ReadAllText "+
		"Files.readString os.Open File.open Files.readAllBytes File.ReadAllLines Files.readAllLines ifstream "+
		"FileReader FileInputStream Scanner"):
		return action{kind: readFile}
	case words.Among(name, "os.Rename fs.rename filesystem.rename rename Files.move File.Move Directory.Move "+
		"default.moveItem"):
		return action{kind: movePath}
	case words.Among(name, "fs.copy filesystem.copy filesystem.copy_file Files.copy File.Copy default.copyItem"):
		return action{kind: copyPath}
	case words.Among(name, "os.Symlink os.Link unix.symlink fs.hard_link symlink link Files.createSymbolicLink"):
		return action{kind: linkPath, arg: 1}
	case "os.Chmod", "chmod", "fs.set_permissions":
		return action{kind: changeMode}
	case "os.Chdir", "chdir", "env.set_current_dir", "Directory.SetCurrentDirectory":
		return action{kind: changeDir}
	case words.Among(name, "os.ReadDir fs.read_dir ioutil.ReadDir Directory.GetFiles Files.list Files.walk filepath.Walk "+
		"filepath.WalkDir WalkDir.new filesystem.recursive_directory_iterator filesystem.directory_iterator fs.WalkDir "+
		"Directory.EnumerateFiles default.contentsOfDirectory Files.newDirectoryStream Files.walkFileTree"):
		return action{kind: listPaths}
	case "filepath.Glob", "glob.glob":
		return action{kind: findPaths}
	case words.Among(name, "filepath.Join path.Join Path.Combine Paths.get Path.of Path.Join File Path.new PathBuf.from "+
		"Directory filesystem.path Path URL"):
		return action{kind: makePath}
	case words.Among(name, "os.UserHomeDir dirs.home_dir env.home_dir home.home_dir NSHomeDirectory System.getProperty"):
		return action{kind: homeDir}
	case words.Among(name, "os.MkdirTemp os.CreateTemp ioutil.TempDir env.temp_dir Files.createTempFile "+
		"os.TempDir t.TempDir Files.createTempDirectory File.createTempFile Path.GetTempFileName Path.GetTempPath "+
		"mkdtemp tmpnam TempDir.new tempfile.tempdir NSTemporaryDirectory"):
		return action{kind: tempPath}
	case words.Among(name, "os.Getenv getenv env.var System.getenv Environment.GetEnvironmentVariable"):
		return action{kind: lookupEnv}
	case words.Among(name, "List.of Arrays.asList listOf arrayOf vec Arrays.AsList"):
		return action{kind: listArguments}
	case words.Among(name, "String.from string byte String strings.TrimSpace filepath.Clean c_str string_view "+
		"str.to_string filepath.Abs filepath.FromSlash"):
		return action{kind: returnFirst}
	}
	return action{}
}

// builderMethod evaluates a method of an object that builds a command, such as Command in Rust. If it does not know the
// method, it returns the object. It always returns true.
func (s *system) builderMethod(self value, name string, args value) (value, bool) {
	switch name {
	case words.Among(name, "arg args arg0 env envs"):
		if strings.HasPrefix(name, "env") {
			return self, true
		}
		out := self.clone()
		for _, v := range args.items {
			out.items = append(out.items[:len(out.items):len(out.items)], v.asList()...)
		}
		return out, true
	case "current_dir":
		out := self.clone()
		out.addEntry("cwd", argument(args, 0))
		return out, true
	case words.Among(name, "status output spawn exec run"):
		return s.performRun(action{kind: startCommand}, &data{list: true, items: self.items, pairs: self.pairs}), true
	}
	return self, true
}

// compiledMethod evaluates a method by its name, because the type of the object is unknown. It reports whether it knows
// the method.
func (in *interpreter) compiledMethod(self value, name string, args value) (value, bool) {
	switch name {
	case "exec":
		return in.perform(action{kind: runCommand}, args), true
	case words.Among(name, "to_string to_owned into unwrap unwrap_or_default expect as_str as_ref clone iter "+
		"into_iter toFile toPath toString getBytes as_bytes to_path_buf c_str Bytes String collect filter_map"):
		return self, true
	case words.Among(name, "removeItem deleteTree deleteFile remove_dir_all remove_file deleteTreeAbsolute "+
		"deleteFileAbsolute"):
		return in.perform(action{kind: removeTree}, args), true
	case "delete", "deleteRecursively", "deleteOnExit":
		if self.known && !self.list {
			in.removePaths(self, name == "deleteRecursively")
		}
		return &data{}, true
	}
	return &data{}, false
}
