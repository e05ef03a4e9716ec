package library

// compiled.go lists the functions of Go, Rust, C, Java, C#, Swift, Kotlin and Zig.

import (
	"strings"

	"guardrails/detect/toolcall/words"
)

// compiledName returns the name under which the table lists a function. It leaves out most module names:
// java.io.File.delete becomes File.delete.
func compiledName(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "std."), "tokio.")
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		if j := strings.LastIndexByte(name[:i], '.'); j > 0 && name[:j] != "Runtime" {
			name = name[j+1:] // keep the last two names, as in java.io.File and std::filesystem::remove
		}
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 && name[:i] == words.Among(name[:i], "io nio util Diagnostics lang") {
		name = name[i+1:]
	}
	return name
}

// compiledFunctions lists what functions of compiled languages do.
var compiledFunctions = []function{ //nolint:gochecknoglobals // a constant table
	{RunCommand, 0, "system popen _popen execShellCmd NSTask.launchedProcess getRuntime.exec exec.exec " +
		"Process.Start process.executeShell shell executeShell"},
	{ExecProgram, 0, "execv execvp execlp execl execvpe unix.Exec syscall.Exec"},
	{StartCommand, 1, "posix_spawn posix_spawnp exec.CommandContext"},
	{StartCommand, 0, "exec.Command ProcessBuilder Process.run process.execute process.spawnProcess Process.runSync"},
	{BuildCommand, 0, "Command.new duct.cmd Exec.cmd"},
	{RemoveTree, 0, "os.RemoveAll fs.remove_dir_all filesystem.remove_all fs.remove_all FileUtils.deleteDirectory " +
		"Directory.Delete default.removeItem fs.deleteTreeAbsolute cwd.deleteTree file.rmdirRecurse os.rmdir_all " +
		"FileUtils.cleanDirectory FileUtils.forceDelete"},
	{RemoveFile, 0, "os.Remove os.RemoveAll fs.remove_dir_all fs.remove_dir fs.remove_file filesystem.remove " +
		"filesystem.remove_all fs.remove fs.remove_all unlink remove rmdir unlinkat Files.delete " +
		"Files.deleteIfExists FileUtils.deleteDirectory File.Delete Directory.Delete default.removeItem " +
		"default.trashItem fs.deleteTreeAbsolute fs.deleteFileAbsolute cwd.deleteTree cwd.deleteFile " +
		"fs.deleteDirAbsolute file.remove file.rmdirRecurse os.RemoveDir os.rmdir_all os.rm os.rmdir removeFile " +
		"removeDir syscall.Unlink syscall.Rmdir unix.Unlink FileUtils.forceDelete FileUtils.cleanDirectory"},
	{SaveFile, 0, "os.WriteFile ioutil.WriteFile fs.write Files.writeString Files.write File.WriteAllText " +
		"File.WriteAllBytes File.WriteAllLines File.AppendAllText file.write"},
	{WriteFile, 0, "os.Create os.MkdirAll os.Mkdir File.create File.Create os.Truncate fs.create_dir_all " +
		"fs.create_dir Files.createFile Files.newBufferedWriter FileWriter FileOutputStream PrintWriter " +
		"StreamWriter filesystem.create_directories fs.createFileAbsolute cwd.createFile mkdir truncate ofstream " +
		"std.ofstream default.createFile Files.createDirectories"},
	{OpenFile, 0, "fopen open freopen os.OpenFile"},
	{ReadFile, 0, "os.ReadFile ioutil.ReadFile fs.read_to_string fs.read File.ReadAllText Files.readString " +
		"os.Open File.open Files.readAllBytes File.ReadAllLines Files.readAllLines ifstream FileReader " +
		"FileInputStream Scanner"},
	{MovePath, 0, "os.Rename fs.rename filesystem.rename rename Files.move File.Move Directory.Move " +
		"default.moveItem"},
	{CopyPath, 0, "fs.copy filesystem.copy filesystem.copy_file Files.copy File.Copy default.copyItem"},
	{LinkPath, 1, "os.Symlink os.Link unix.symlink fs.hard_link symlink link Files.createSymbolicLink"},
	{ChangeMode, 0, "os.Chmod chmod fs.set_permissions"},
	{ChangeDir, 0, "os.Chdir t.Chdir chdir env.set_current_dir Directory.SetCurrentDirectory"},
	{ListPaths, 0, "os.ReadDir fs.read_dir ioutil.ReadDir Directory.GetFiles Files.list Files.walk filepath.Walk " +
		"filepath.WalkDir WalkDir.new filesystem.recursive_directory_iterator filesystem.directory_iterator " +
		"fs.WalkDir Directory.EnumerateFiles default.contentsOfDirectory Files.newDirectoryStream " +
		"Files.walkFileTree"},
	{FindPaths, 0, "filepath.Glob glob.glob"},
	{MakePath, 0, "filepath.Join path.Join Path.Combine Paths.get Path.of Path.Join File Path.new PathBuf.from " +
		"Directory filesystem.path Path URL"},
	{HomeDir, 0, "os.UserHomeDir dirs.home_dir env.home_dir home.home_dir NSHomeDirectory System.getProperty"},
	{TempPath, 0, "os.MkdirTemp os.CreateTemp ioutil.TempDir env.temp_dir Files.createTempFile os.TempDir " +
		"t.TempDir b.TempDir tb.TempDir Files.createTempDirectory File.createTempFile Path.GetTempFileName Path.GetTempPath mkdtemp " +
		"tmpnam TempDir.new tempfile.tempdir NSTemporaryDirectory"},
	{LookupEnv, 0, "os.Getenv getenv env.var System.getenv Environment.GetEnvironmentVariable"},
	{ListArguments, 0, "List.of Arrays.asList listOf arrayOf vec Arrays.AsList"},
	{FetchURL, 0, "http.Get client.Get reqwest.get blocking.get ureq.get requests.getContent"},
	{FormatText, 0, "fmt.Sprintf String.format"},
	{ReturnFirst, 0, "io.ReadAll ioutil.ReadAll"},
	{ReturnFirst, 0, "String.from string byte String strings.TrimSpace filepath.Clean c_str string_view " +
		"str.to_string filepath.Abs filepath.FromSlash"},
}
