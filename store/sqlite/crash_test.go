package sqlite_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/sqlite"
)

// The test starts two processes that write to the same file, and kills them while they write. The test does this many
// times.
func TestNothingAcknowledgedIsLostWhenProcessesAreKilled(t *testing.T) {
	t.Parallel()
	const rounds = 20
	path, acknowledged, imports := newPath(t), map[string][]string{}, 0
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for round := range rounds {
		// Imports take longest. In every other round, each process is killed only after it has finished an import.
		since := [...]string{"import", ""}[round%2]
		for _, line := range killWriters(t, path, since, random) {
			kind, id, _ := strings.Cut(line, " ")
			acknowledged[kind] = append(acknowledged[kind], id)
		}
		s := open(t, path)
		imports = checkRecovered(t, s, acknowledged)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf(
		"acknowledged: %d entries, %d changes, %d imports; %d imports found", len(acknowledged["entry"]),
		len(acknowledged["version"]), len(acknowledged["import"]), imports,
	)
	if len(acknowledged["entry"]) == 0 || len(acknowledged["import"]) == 0 {
		t.Error("the processes were killed before they did anything")
	}
}

// killWriters starts two processes, kills each process at a random moment, and returns the lines that the processes
// printed.
func killWriters(t *testing.T, path, since string, random *rand.Rand) (lines []string) {
	var lock sync.Mutex
	var all sync.WaitGroup
	for range 2 {
		pause := time.Duration(random.IntN(60_000)) * time.Microsecond
		all.Go(func() {
			got, err := killWriter(path, since, pause)
			if err != nil {
				t.Error(err)
			}
			lock.Lock()
			defer lock.Unlock()
			lines = append(lines, got...)
		})
	}
	all.Wait()
	return lines
}

// killWriter starts a process and kills it some time after an acknowledged write. The parameter "since" is the kind of
// this write. If "since" is empty, killWriter waits for the first write of any kind.
func killWriter(path, since string, pause time.Duration) (lines []string, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashPath+"="+path)
	words := new(strings.Builder)
	cmd.Stderr = words
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	scanner, counting := bufio.NewScanner(out), false
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
		if !counting && strings.HasPrefix(scanner.Text(), since) {
			counting = true
			defer time.AfterFunc(pause, func() { _ = cmd.Process.Kill() }).Stop()
		}
	}
	exit := new(exec.ExitError)
	if err := cmd.Wait(); !errors.As(err, &exit) || words.Len() > 0 {
		return nil, fmt.Errorf("the writing process was not killed: %w, %s", err, words)
	}
	return lines, nil
}

// checkRecovered checks that a file still has everything that was acknowledged before the processes were killed.
func checkRecovered(t *testing.T, s *sqlite.Store, acknowledged map[string][]string) (imports int) {
	t.Helper()
	wholeAudit(t, s, "pruned")
	entries := wholeAudit(t, s, "a")
	for _, id := range acknowledged["entry"] {
		if !entries[id] {
			t.Errorf("the acknowledged entry %s is lost", id)
		}
	}
	return checkGuidelines(t, s, acknowledged)
}

// wholeAudit checks that the audit of a tenant passes verification and that its total is right. It returns the ids of
// the entries.
func wholeAudit(t *testing.T, s *sqlite.Store, tenant string) map[string]bool {
	t.Helper()
	verdicts, err := s.Verify(t.Context(), tenant, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		if v.Fault != nil {
			t.Errorf("%s: the chain %+v: %+v", tenant, v.Head, *v.Fault)
		}
	}
	ids := map[string]bool{}
	for e, err := range s.Export(t.Context(), tenant, store.AuditFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids[e.ID] = true
	}
	if page, err := s.Query(t.Context(), tenant, store.AuditQuery{}); err != nil || page.Total != len(ids) {
		t.Errorf("%s: the total is %d, but there are %d entries (%v)", tenant, page.Total, len(ids), err)
	}
	return ids
}

func checkGuidelines(t *testing.T, s *sqlite.Store, acknowledged map[string][]string) int {
	t.Helper()
	set, err := s.All(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	versions, imports := map[string]int{}, map[string]int{}
	for i := range set.Guidelines {
		g := &set.Guidelines[i]
		versions[g.ID] = g.Version
		if strings.HasPrefix(g.ID, "import-") {
			imports[g.ID[:strings.LastIndex(g.ID, "-")]]++
		}
	}
	for _, id := range acknowledged["version"] {
		if versions[id] != 2 {
			t.Errorf("%s was acknowledged with version 2, but has version %d", id, versions[id])
		}
	}
	for prefix, count := range imports {
		if count != importSize {
			t.Errorf("%s was imported partly: %d of %d", prefix, count, importSize)
		}
	}
	for _, prefix := range acknowledged["import"] {
		if imports[prefix] != importSize {
			t.Errorf("the acknowledged import %s is lost", prefix)
		}
	}
	return len(imports)
}
