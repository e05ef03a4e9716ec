package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// joinLines writes copies of the library and of Go's own packages, and an overlay that makes "go build" use the
// copies. A copy has only a few lines, so the compiler records few line numbers and the program is 5 % smaller.
func joinLines(to string) error {
	replace := map[string]string{}
	if err := joinFolder(replace, to, filepath.Join(to, "sh"), filepath.Join(to, "lines")); err != nil {
		return err
	}
	standard, err := standardFolder()
	if err != nil {
		return err
	}
	for _, name := range standardPackages() {
		if err := joinFolder(replace, standard, filepath.Join(standard, name), filepath.Join(to, "standard")); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return put(filepath.Join(to, "overlay.json"), text)
}

// standardPackages lists the folders of Go's own packages that hooks link. Their subfolders are copied too, which does
// no harm.
func standardPackages() []string {
	return []string{
		"bytes", "errors", "internal", "io", "math", "os", "path", "runtime", "slices", "sort", "strconv", "strings", "sync",
		"syscall", "time", "unicode",
	}
}

func standardFolder() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	root := strings.TrimSpace(string(out))
	if err != nil || root == "" {
		return "", fmt.Errorf("go env does not name the folder of Go: %w", err)
	}
	return filepath.Join(root, "src"), nil
}

// joinFolder copies the Go files of a folder and of all folders below it, but not test data. It records which files the
// copies replace.
func joinFolder(replace map[string]string, root, dir, to string) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.Name() == "testdata" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		replace[name] = filepath.Join(to, below)
		if text, err = smaller(filepath.ToSlash(below), text); err != nil {
			return err
		}
		return put(replace[name], joinDeclarations(text))
	})
}

// The type "change" describes how to change a file of Go's own packages. The text in the field "from" is replaced with
// the text in the field "to". A change that comes from the function only() keeps the old function in the file under
// another name. The compiler compiles the old function, but the linker leaves it out, because nothing calls it.
type change struct{ file, from, to string }

// changes() returns all changes to Go's own packages. The changes replace functions that do more than hooks need.
//
// Times are printed only in the format of RFC 3339. Hooks use no other format. Without this change, a hook would
// contain the code for all formats, because any package can print a time. The environment variable GODEBUG is ignored,
// and Go does not count how often its settings are used. Hooks are never traced or profiled, and the code for tracing
// and profiling would be 2 % of the program. Hooks rarely convert decimal fractions to or from text, so the fast
// conversion with its tables is left out. The slow conversion has the same results. The time zone is not read from a
// zip archive. A crash shows its message, but no stack, because the stack would have neither real names nor lines. When
// a program starts, Go's runtime normally checks itself and the order of all functions. The check of the order loads
// the table of functions into memory. Hooks leave out both checks, and also the code that lets a debugger call
// functions. Before a program starts another program, such as git, Go normally starts a test process. The test shows
// whether the system supports a newer way to wait for processes. Hooks always use the older way, without the test.
//
// A hook uses one processor and does not read the limits of its container. A hook does one thing after the other, so
// with more processors, it would only start more threads. The use of one processor saves a sixth of the hook's CPU
// time.
//
// Most hooks end within a millisecond and use two threads. Go's runtime normally starts one or two more threads,
// because its start waits for two helpers of the garbage collector, and because it assumes that other work is waiting
// while the hook is in a system call. In hooks, its observer thread looks for such work after 1 ms at the earliest, not
// after 0.02 ms. Hooks install no handlers for two kinds of signals: SIGTERM and similar signals, because these end a
// program without a handler too, and real-time signals, because nothing sends them to a hook. Together, this saves a
// fifth of the hook's CPU time.
//
// A hook gives no memory back to the system, because it ends soon. For the same reason, files that the garbage
// collector finds are not closed, nothing notes when memory is freed, and a hook that needs more memory does not look
// for free pages first. A hook takes no work from other processors, because it has only one, and never makes a system
// call on all its threads. It never lowers its number of processors, which is 1 from the beginning. The messages about
// an index that is out of range, about a value of another type and about a method of a nil pointer do not name these
// things, and messages about damaged memory do not show it. Nothing measures how long the start of each package takes,
// or how much time the garbage collector takes.
//
// Nothing else runs during a garbage collection, so nothing helps with it. For the same reason, the compiler can leave
// out the code that tells a running collection about each changed pointer (-wb=false in scripts/hooks.sh). Without this
// code, the largest hook is 2 % smaller. Most hooks end before the first collection. GOGC and GOMEMLIMIT are ignored,
// because they could make a hook too slow to decide in time.
func changes() []change {
	return []change{
		{"runtime/mgc.go", "mode := gcBackgroundMode\n", "mode := gcForceBlockMode\n"},
		{"runtime/mgc.go", "\tc := make(chan int, 2)\n\tgo bgsweep(c)\n\tgo bgscavenge(c)\n\t<-c\n\t<-c\n", ""},
		only("runtime/mgcpacer.go", "func readGOGC() int32 {", "return 100"),
		only("runtime/mgcpacer.go", "func readGOMEMLIMIT() int64 {", "return math.MaxInt64"),
		{"runtime/proc.go", "procs = defaultGOMAXPROCS(numCPUStartup)", "procs, sched.customGOMAXPROCS = 1, true"},
		only("runtime/proc.go", "func stealWork(now int64) (gp *g, inheritTime bool, rnow, pollUntil int64, newWork bool) {",
			"return nil, false, now, 0, false"),
		{"runtime/proc.go", "if runqempty(pp) && sched.nmspinning.Load()+sched.npidle.Load() > 0 && pd", "if runqempty(pp) && pd"},
		{"runtime/proc.go", "\t\t\tdelay = 20\n\t\t} else", "\t\t\tdelay = 1000\n\t\t} else"},
		{
			"runtime/signal_unix.go", "if t.flags == 0 || t.flags&_SigDefault != 0 {",
			"if t.flags == 0 || t.flags&(_SigDefault|_SigKill) != 0 || i >= 32 {",
		},
		{"internal/strconv/atof.go", "var optimize = true", "const optimize = false"},
		only("runtime/proc.go", "func defaultGOMAXPROCSUpdateEnable() {", ""),
		only("runtime/cgroup_linux.go", "func defaultGOMAXPROCSInit() {", ""),
		only("runtime/cgroup_linux.go", "func adjustCgroupGOMAXPROCS(procs int32, cpu cgroup.CPU) int32 {", "return procs"),
		only("runtime/print.go", "func printcomplex128(c complex128) {", ""),
		only("runtime/mfinal.go", "func SetFinalizer(obj any, finalizer any) {", ""),
		only("runtime/mgcmark.go", "func gcAssistAlloc(gp *g) {", ""),
		only("runtime/mheap.go", "func freeSpecial(s *special, p unsafe.Pointer, size uintptr) {", ""),
		only("runtime/traceback.go", "func tracebackPCs(u *unwinder, skip int, pcBuf []uintptr) int {", "return 0"),
		only("runtime/mgcscavenge.go", "func (p *pageAlloc) scavenge(nbytes uintptr, shouldStop func() bool, force bool) uintptr {",
			"return 0"),
		only("runtime/os_linux.go", "func runPerThreadSyscall() {", ""),
		only("os/file_unix.go", "func (d *unixDirent) String() string {", `return ""`),
		only("runtime/traceruntime.go", "func traceEnabled() bool {", "return false"),
		only("runtime/traceruntime.go", "func traceAllocFreeEnabled() bool {", "return false"),
		only("runtime/proc.go", "func sigprof(pc, sp, lr uintptr, gp *g, mp *m) {", ""),
		only("runtime/proc.go", "func schedtrace(detailed bool) {", ""),
		only("runtime/os_linux.go", "func setThreadCPUProfiler(hz int32) {", ""),
		only("runtime/malloc.go", "func profilealloc(mp *m, x unsafe.Pointer, size uintptr) {", ""),
		only("runtime/mprof.go", "func (prof *mLockProfile) captureStack() {", ""),
		only("runtime/mprof.go", "func (prof *mLockProfile) storeSlow() {", ""),
		only("runtime/mprof.go", "func mProf_FlushLocked(index uint32) {", ""),
		only("runtime/mprof.go", "func blockevent(cycles int64, skip int) {", ""),
		only("runtime/mprof.go", "func mutexevent(cycles int64, skip int) {", ""),
		only("runtime/hexdump.go", "func hexdumpWords(p, len uintptr, mark func(uintptr, hexdumpMarker)) {", ""),
		only("runtime/mcheckmark.go", "func checkFinalizersAndCleanups() {", ""),
		only("runtime/symtab.go", "func moduledataverify1(datap *moduledata) {", ""),
		only("runtime/type.go", "func typelinksinit() {", ""),
		{"runtime/mgc.go", "\n\tif debug.gctrace > 0 {", "\n\tif false {"},
		only("runtime/traceevent.go", "func (tl traceLocker) eventWriter(goStatus tracev2.GoStatus, procStatus "+
			"tracev2.ProcStatus) traceEventWriter {",
			"return traceEventWriter{}"),
		only("runtime/traceevent.go", "func (e traceEventWriter) event(ev tracev2.EventType, args ...traceArg) {", ""),
		only("runtime/mgcscavenge.go", "func printScavTrace(releasedBg, releasedEager uintptr, forced bool) {", ""),
		only("runtime/traceback.go",
			"func printOneCgoTraceback(pc uintptr, commitFrame func() (pr, stop bool), arg *cgoSymbolizerArg) bool {", "return false"),
		only("runtime/runtime1.go", "func check() {", ""),
		only("runtime/runtime1.go", "func parsegodebug(godebug string, seen map[string]bool) {", ""),
		only("runtime/debugcall.go", "func debugCallCheck(pc uintptr) string {", `return "hook"`),
		only("runtime/debugcall.go", "func debugCallWrap(dispatch uintptr) {", ""),
		only("runtime/error.go", "func printanycustomtype(i any) {", ""),
		only("runtime/mgcmark.go", "func gcDumpObject(label string, obj, off uintptr) {", ""),
		only("runtime/signal_amd64.go", "func dumpregs(c *sigctxt) {", ""),
		only("runtime/traceback.go", "func traceback1(pc, sp, lr uintptr, gp *g, flags unwindFlags) {", ""),
		only("runtime/traceback.go", "func tracebackothers(me *g) {", ""),
		only("runtime/traceback.go", "func tracebackHexdump(stk stack, frame *stkframe, bad uintptr) {", ""),
		only("runtime/traceback.go", "func printcreatedby(gp *g) {", ""),
		only("runtime/traceback.go", "func goroutineheader(gp *g) {", ""),
		only("runtime/traceback.go", "func printArgs(f funcInfo, argp unsafe.Pointer, pc uintptr) {", ""),
		only("runtime/traceback.go", "func printAncestorTraceback(ancestor ancestorInfo) {", ""),
		only("runtime/proc.go", "func saveAncestors(callergp *g) *[]ancestorInfo {", "return nil"),
		only("runtime/mprof.go", "func doRecordGoroutineProfile(gp1 *g, pcbuf []uintptr) {", ""),
		only("runtime/synctest.go", "func (bubble *synctestBubble) changegstatus(gp *g, oldval, newval uint32) {", ""),
		only("runtime/mcheckmark.go", "func setCheckmark(obj, base, off uintptr, mbits markBits) bool {", "return false"),
		only("runtime/mgcsweep.go", "func (s *mspan) reportZombies() {", `throw("found pointer to free object")`),
		only("runtime/mbitmap.go", "func badPointer(s *mspan, p, refBase, refOff uintptr) {", `throw("found bad pointer in Go heap")`),
		only("runtime/mgcscavenge.go", "func gcPaceScavenger(memoryLimit int64, heapGoal, lastHeapGoal uint64) {", ""),
		only("runtime/mheap.go", "func (h *mheap) reclaim(npage uintptr) {", ""),
		only("runtime/error.go", "func (e boundsError) Error() string {", `return "index out of range"`),
		only("runtime/mcleanup.go", "func (q *cleanupQueue) flush() {", ""),
		only("runtime/mcleanup.go", "func (q *cleanupQueue) wake() {", ""),
		only("runtime/proc.go", "func (pp *p) destroy() {", ""),
		{"runtime/proc.go", "\t\tif inittrace.active {\n\t\t\tstart", "\t\tif false {\n\t\t\tstart"},
		{"runtime/proc.go", "\t\tif inittrace.active {\n\t\t\tend", "\t\tif false {\n\t\t\tend"},
		only("runtime/error.go", "func (e *TypeAssertionError) Error() string {", `return "value has another type"`),
		only("runtime/error.go", "func panicwrap() {", `panic(plainError("method called with a nil pointer"))`),
		only("runtime/error.go", "func printpanicval(v any) {", "if s, ok := v.(string); ok {\n\t\tprint(s)\n\t}"),
		only("runtime/mgclimit.go", "func (l *gcCPULimiterState) updateLocked(now int64) {", ""),
		only("internal/cpu/cpu.go", "func processOptions(env string) {", ""),
		only("internal/strconv/ftoa.go", "func fmtX(dst []byte, prec int, fmt byte, neg bool, mant uint64, exp int, "+
			"flt *floatInfo) []byte {",
			"return dst"),
		only("os/pidfd_linux.go", "func checkPidfd() error {", "return syscall.ENOSYS"),
		only("time/format.go", "func (t Time) appendFormat(b []byte, layout string) []byte {", "return t.appendFormatRFC3339(b, true)"),
		only("time/zoneinfo_read.go", "func loadTzinfoFromZip(zipfile, name string) ([]byte, error) {", "return nil, errBad"),
		only("internal/godebug/godebug.go", "func (s *Setting) Value() string {", `return ""`),
		only("internal/godebug/godebug.go", "func (s *Setting) IncNonDefault() {", ""),
		{"internal/godebug/godebug.go", "func init() {\n", "func listen() {\n"},
	}
}

// The function only() returns a change that replaces the body of a function. The old body becomes the body of a
// function with another name, which nothing calls. The parameter "begin" is the first line of the function to change.
func only(file, begin, body string) change {
	at := len("func ")
	if begin[at] == '(' { // a receiver
		at += strings.Index(begin[at:], ") ") + 2
	}
	at += strings.IndexByte(begin[at:], '(')
	return change{file, begin + "\n", begin + "\n\t" + body + "\n}\n\n" + begin[:at] + "Unused" + begin[at:] + "\n"}
}

// smaller() changes a file of Go's own packages. It applies the changes that changes() returns.
func smaller(name string, text []byte) ([]byte, error) {
	for _, c := range changes() {
		if c.file != name {
			continue
		}
		if !bytes.Contains(text, []byte(c.from)) {
			return nil, fmt.Errorf("%s of Go has changed; find out what %q is called now", name, strings.TrimSpace(c.from))
		}
		text = bytes.Replace(text, []byte(c.from), []byte(c.to), 1)
	}
	return text, nil
}

// narrow() returns a Go file without the spaces that align columns. It is for files with tables of programs. In these
// tables, one space separates words as well as several spaces do.
func narrow(text []byte) []byte {
	for bytes.Contains(text, []byte("  ")) {
		text = bytes.ReplaceAll(text, []byte("  "), []byte(" "))
	}
	return text
}

// joinDeclarations returns a Go file without comments, with each declaration on one line. Comments for the compiler
// keep lines of their own. Two declarations never share a line. Otherwise, if calls in both declarations were inlined,
// the compiler would think that a function calls itself.
func joinDeclarations(text []byte) []byte {
	return rewrite(text, nil, "\n")
}

// rewrite() returns a Go file without comments. Imports and identifiers get new names: the map "names" has the old
// names as keys and the new names as values. After each declaration, rewrite() writes the text in the parameter "end".
func rewrite(text []byte, names map[string]string, end string) []byte {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", -1, len(text)), text, nil, scanner.ScanComments)
	var out bytes.Buffer
	depth, imports, before := 0, true, token.ILLEGAL
	for {
		_, kind, literal := s.Scan()
		named := before == token.IDENT // the import has a name already
		before = kind
		switch kind {
		case token.CONST, token.VAR, token.TYPE, token.FUNC:
			imports = false
		case token.LBRACE, token.LPAREN, token.LBRACK:
			depth++
		case token.RBRACE, token.RPAREN, token.RBRACK:
			depth--
		}
		switch {
		case kind == token.EOF:
			return out.Bytes()
		case kind == token.COMMENT && !strings.HasPrefix(literal, "//go:"):
			continue
		case kind == token.COMMENT:
			literal = "\n" + literal + "\n"
		case kind == token.SEMICOLON:
			// The scanner returns this token at the end of a line if Go needs a semicolon there.
			literal = ";"
			if depth == 0 {
				literal += end
			}
		case literal == "":
			literal = kind.String()
		case kind == token.IDENT && names[literal] != "":
			literal = names[literal]
		case kind == token.STRING && imports && names[literal] != "":
			literal = names[literal]
			if named {
				literal = literal[strings.IndexByte(literal, '"'):]
			}
		}
		out.WriteString(literal)
		out.WriteByte(' ')
	}
}
