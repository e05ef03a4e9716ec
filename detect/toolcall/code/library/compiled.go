package library

// compiled.go knows the functions of Go, Rust, C, Java, C#, Swift, Kotlin and Zig.

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// compiledAction returns what a function of Go, Rust, C, Java, C#, Swift, Kotlin or Zig does.
func compiledAction(name string) Action {
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
		return Action{Kind: RunCommand}
	case words.Among(name, "exec.Command ProcessBuilder Process.run process.execute process.spawnProcess Process.runSync "+
		"execv execvp execlp execl execvpe posix_spawn posix_spawnp unix.Exec syscall.Exec exec.CommandContext"):
		return startAction(name)
	case "Command.new", "duct.cmd", "Exec.cmd":
		return Action{Kind: BuildCommand}
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
			return Action{Kind: RemoveTree}
		}
		return Action{Kind: RemoveFile}
	}
	return compiledFileAction(name)
}

// startAction returns the action of a function that starts a program with a list of arguments.
func startAction(name string) Action {
	switch {
	case strings.HasPrefix(name, "exec") && !strings.Contains(name, "."), strings.HasSuffix(name, "Exec"):
		return Action{Kind: ExecProgram}
	case strings.HasPrefix(name, "posix"), name == "exec.CommandContext":
		return Action{Kind: StartCommand, Arg: 1}
	}
	return Action{Kind: StartCommand}
}

// compiledFileAction is the part of compiledAction for functions that work with files, paths, texts or environment
// variables.
func compiledFileAction(name string) Action {
	switch name {
	case words.Among(name, "os.WriteFile ioutil.WriteFile fs.write Files.writeString Files.write File.WriteAllText "+
		"File.WriteAllBytes File.WriteAllLines File.AppendAllText file.write"):
		return Action{Kind: SaveFile}
	case words.Among(name, "os.Create os.MkdirAll os.Mkdir File.create File.Create os.Truncate "+
		"fs.create_dir_all fs.create_dir Files.createFile Files.newBufferedWriter FileWriter FileOutputStream "+
		"PrintWriter StreamWriter filesystem.create_directories fs.createFileAbsolute cwd.createFile mkdir "+
		"truncate ofstream std.ofstream default.createFile Files.createDirectories"):
		return Action{Kind: WriteFile}
	case words.Among(name, "fopen open freopen os.OpenFile"):
		return Action{Kind: OpenFile}
	case words.Among(name, "os.ReadFile ioutil.ReadFile fs.read_to_string fs.read File.ReadAllText "+
		"Files.readString os.Open File.open Files.readAllBytes File.ReadAllLines Files.readAllLines ifstream "+
		"FileReader FileInputStream Scanner"):
		return Action{Kind: ReadFile}
	case words.Among(name, "os.Rename fs.rename filesystem.rename rename Files.move File.Move Directory.Move "+
		"default.moveItem"):
		return Action{Kind: MovePath}
	case words.Among(name, "fs.copy filesystem.copy filesystem.copy_file Files.copy File.Copy default.copyItem"):
		return Action{Kind: CopyPath}
	case words.Among(name, "os.Symlink os.Link unix.symlink fs.hard_link symlink link Files.createSymbolicLink"):
		return Action{Kind: LinkPath, Arg: 1}
	case "os.Chmod", "chmod", "fs.set_permissions":
		return Action{Kind: ChangeMode}
	case "os.Chdir", "chdir", "env.set_current_dir", "Directory.SetCurrentDirectory":
		return Action{Kind: ChangeDir}
	case words.Among(name, "os.ReadDir fs.read_dir ioutil.ReadDir Directory.GetFiles Files.list Files.walk filepath.Walk "+
		"filepath.WalkDir WalkDir.new filesystem.recursive_directory_iterator filesystem.directory_iterator fs.WalkDir "+
		"Directory.EnumerateFiles default.contentsOfDirectory Files.newDirectoryStream Files.walkFileTree"):
		return Action{Kind: ListPaths}
	case "filepath.Glob", "glob.glob":
		return Action{Kind: FindPaths}
	case words.Among(name, "filepath.Join path.Join Path.Combine Paths.get Path.of Path.Join File Path.new PathBuf.from "+
		"Directory filesystem.path Path URL"):
		return Action{Kind: MakePath}
	case words.Among(name, "os.UserHomeDir dirs.home_dir env.home_dir home.home_dir NSHomeDirectory System.getProperty"):
		return Action{Kind: HomeDir}
	case words.Among(name, "os.MkdirTemp os.CreateTemp ioutil.TempDir env.temp_dir Files.createTempFile "+
		"os.TempDir t.TempDir Files.createTempDirectory File.createTempFile Path.GetTempFileName Path.GetTempPath "+
		"mkdtemp tmpnam TempDir.new tempfile.tempdir NSTemporaryDirectory"):
		return Action{Kind: TempPath}
	case words.Among(name, "os.Getenv getenv env.var System.getenv Environment.GetEnvironmentVariable"):
		return Action{Kind: LookupEnv}
	case words.Among(name, "List.of Arrays.asList listOf arrayOf vec Arrays.AsList"):
		return Action{Kind: ListArguments}
	case words.Among(name, "http.Get client.Get reqwest.get blocking.get ureq.get requests.getContent"):
		return Action{Kind: FetchURL}
	case words.Among(name, "io.ReadAll ioutil.ReadAll"):
		return Action{Kind: ReturnFirst}
	case words.Among(name, "String.from string byte String strings.TrimSpace filepath.Clean c_str string_view "+
		"str.to_string filepath.Abs filepath.FromSlash"):
		return Action{Kind: ReturnFirst}
	}
	return Action{}
}
