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
// copies. A copy has only a few lines, so the compiler records few line numbers and the program is 5 % smaller. The
// stack of a panic still names the functions.
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

// standardPackages lists the folders of Go's own packages that hooks link. The folders below them are copied too,
// which does no harm.
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
		if strings.HasSuffix(name, "orders.go") {
			text = narrow(text)
		}
		if text, err = smaller(filepath.ToSlash(below), text); err != nil {
			return err
		}
		return put(replace[name], joinDeclarations(text, nil))
	})
}

// change replaces a text in a file of Go's own packages. If it is the beginning of a function, the old function is
// still compiled, but nothing calls it, so it is not linked.
type change struct{ file, from, to string }

// changes returns changes of functions that do more than hooks need.
//
// A time has only the format of RFC 3339. Hooks write no other format, but they would link the code for all formats,
// because any package may print a time. The changed packages ignore the variable GODEBUG, and do not count its uses.
// Hooks are never traced or profiled, and the code of Go's runtime for tracing and profiling would be 2 % of the
// program. Hooks read and write few fractions, so the fast way with its tables is left out; the other way gives the same
// numbers. The time zone is not read from a zip archive. A crash shows the stack, but no memory. At the start, the
// runtime would check the order of all functions, which loads their table into memory.
//
// A hook has one processor and does not read the limits of its container. It does one thing after the other, so more
// processors would only start more threads. This saves a sixth of the hook's CPU time.
func changes() []change {
	const format, value, counts = "func (t Time) appendFormat(b []byte, ", "func (s *Setting) Value() string {\n",
		"func (s *Setting) IncNonDefault() {\n"
	const traced, allocations = "func traceEnabled() bool {\n", "func traceAllocFreeEnabled() bool {\n"
	const profiled = "func sigprof(pc, sp, lr uintptr, gp *g, mp *m) {\n"
	const archive, dump = "func loadTzinfoFromZip(zipfile, name string) ([]byte, error) {\n",
		"func hexdumpWords(p, len uintptr, mark func(uintptr, hexdumpMarker)) {\n"
	const allocated = "func profilealloc(mp *m, x unsafe.Pointer, size uintptr) {\n"
	const verified, linked = "func moduledataverify1(datap *moduledata) {\n", "func typelinksinit() {\n"
	const timed = "func setThreadCPUProfiler(hz int32) {\n"
	const captured, stored = "func (prof *mLockProfile) captureStack() {\n", "func (prof *mLockProfile) storeSlow() {\n"
	const flushed = "func mProf_FlushLocked(index uint32) {\n"
	const blocked, locked = "func blockevent(cycles int64, skip int) {\n", "func mutexevent(cycles int64, skip int) {\n"
	const scheduled, finalizers = "func schedtrace(detailed bool) {\n", "func checkFinalizersAndCleanups() {\n"
	const limit, watch = "func defaultGOMAXPROCSInit() {\n", "func defaultGOMAXPROCSUpdateEnable() {\n"
	return []change{
		{"runtime/proc.go", "procs = defaultGOMAXPROCS(numCPUStartup)", "procs, sched.customGOMAXPROCS = 1, true"},
		{"runtime/proc.go", watch, watch + "}\n\nfunc watchGOMAXPROCS() {\n"},
		{"runtime/cgroup_linux.go", limit, limit + "}\n\nfunc readGOMAXPROCS() {\n"},
		{"runtime/traceruntime.go", traced, traced + "\treturn false\n}\n\nfunc traceWanted() bool {\n"},
		{"runtime/traceruntime.go", allocations, allocations + "\treturn false\n}\n\nfunc traceAllocFreeWanted() bool {\n"},
		{"runtime/proc.go", profiled, profiled + "}\n\nfunc sigprofOf(pc, sp, lr uintptr, gp *g, mp *m) {\n"},
		{"internal/strconv/atof.go", "var optimize = true", "const optimize = false"},
		{"time/zoneinfo_read.go", archive, archive + "\treturn nil, errBad\n}\n\nfunc loadFromArchive(zipfile, name string) ([]byte, error) {\n"},
		{"runtime/hexdump.go", dump, dump + "}\n\nfunc dumpWords(p, len uintptr, mark func(uintptr, hexdumpMarker)) {\n"},
		{"runtime/symtab.go", verified, verified + "}\n\nfunc verifyFunctions(datap *moduledata) {\n"},
		{"runtime/type.go", linked, linked + "}\n\nfunc linkTypes() {\n"},
		{"runtime/os_linux.go", timed, timed + "}\n\nfunc profileThread(hz int32) {\n"},
		{"runtime/malloc.go", allocated, allocated + "}\n\nfunc profileAllocation(mp *m, x unsafe.Pointer, size uintptr) {\n"},
		{"runtime/mprof.go", captured, captured + "}\n\nfunc (prof *mLockProfile) captureOwnStack() {\n"},
		{"runtime/mprof.go", flushed, flushed + "}\n\nfunc flushProfile(index uint32) {\n"},
		{"runtime/mprof.go", stored, stored + "}\n\nfunc (prof *mLockProfile) storeProfile() {\n"},
		{"runtime/mprof.go", blocked, blocked + "}\n\nfunc profileBlocking(cycles int64, skip int) {\n"},
		{"runtime/mprof.go", locked, locked + "}\n\nfunc profileLock(cycles int64, skip int) {\n"},
		{"runtime/proc.go", scheduled, scheduled + "}\n\nfunc traceScheduler(detailed bool) {\n"},
		{"runtime/mcheckmark.go", finalizers, finalizers + "}\n\nfunc checkAllFinalizers() {\n"},
		{"time/format.go", format, format + "_ string) []byte { return t.appendFormatRFC3339(b, true) }\n\nfunc (t " +
			"Time) appendAnyFormat(b []byte, "},
		{"internal/godebug/godebug.go", value, value + "\treturn \"\"\n}\n\nfunc (s *Setting) ofVariable() string {\n"},
		{"internal/godebug/godebug.go", counts, counts + "}\n\nfunc (s *Setting) count() {\n"},
		{"internal/godebug/godebug.go", "func init() {\n", "func listen() {\n"},
	}
}

// smaller makes the changes to a file of Go's own packages.
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

// narrow returns a Go file without the spaces that align columns. It is for the files that have tables of programs:
// in these tables, one space separates words as well as several spaces do.
func narrow(text []byte) []byte {
	for bytes.Contains(text, []byte("  ")) {
		text = bytes.ReplaceAll(text, []byte("  "), []byte(" "))
	}
	return text
}

// joinDeclarations returns a Go file without comments, with each declaration on one line. Comments for the compiler
// keep lines of their own. Two declarations never share a line: if calls in both were inlined, the compiler would
// think that a function calls itself. If names has a new name for an import, the import gets this name.
func joinDeclarations(text []byte, names map[string]string) []byte {
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
				literal = ";\n"
			}
		case literal == "":
			literal = kind.String()
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
