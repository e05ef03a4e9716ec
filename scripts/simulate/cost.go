package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
)

// processes() returns the processes whose ids are in a comma-separated list.
func processes(list string) (out []*os.Process, err error) {
	for id := range strings.SplitSeq(list, ",") {
		pid, err := strconv.Atoi(id)
		if err != nil {
			return nil, fmt.Errorf("-nodes: %s is not the id of a process", id)
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// The type "cost" has the CPU time that each process has used so far, in seconds, and the memory that it uses now, in
// MB. The servers come first.
type cost struct {
	cpu, memory []float64
	// The field "disk" is the size of all indices with their copies, in bytes.
	disk float64
}

func (s *site) costs(nodes []*os.Process) (cost, error) {
	var out cost
	var all []*os.Process
	for _, server := range s.servers {
		all = append(all, server.Process)
	}
	for _, p := range append(all, nodes...) {
		cpu, memory := usage(p.Pid)
		out.cpu, out.memory = append(out.cpu, cpu), append(out.memory, memory)
	}
	var err error
	for at := range strings.SplitSeq(s.cluster, ",") {
		if out.disk, err = size(at); err == nil {
			return out, nil
		}
	}
	return out, err
}

// usage() returns the CPU time in seconds and the memory in MB that a process uses. If the process does not run, both
// are 0.
func usage(pid int) (cpu, memory float64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	number := func(i int) float64 { v, _ := strconv.ParseFloat(fields[i], 64); return v }
	const ticks, pages = 100, 256 // the number of ticks in a second, and of pages in a MB
	return (number(11) + number(12)) / ticks, number(21) / pages
}

// size() returns the size of all indices of a cluster.
func size(at string) (float64, error) {
	answer, err := http.Get(at + "/_stats/store") //nolint:gosec,noctx // the address is an option
	if err != nil {
		return 0, err
	}
	var stats struct {
		All struct {
			Total struct {
				Store struct {
					Bytes float64 `json:"size_in_bytes"`
				} `json:"store"`
			} `json:"total"`
		} `json:"_all"`
	}
	err = json.NewDecoder(answer.Body).Decode(&stats)
	return stats.All.Total.Store.Bytes, errors.Join(err, answer.Body.Close())
}

func (s *site) report(c *company, before, after cost) {
	for kind, name := range kindNames() {
		took := slices.Sorted(slices.Values(c.took[kind]))
		if len(took) > 0 {
			at := func(q float64) float64 { return took[int(float64(len(took)-1)*q)] }
			fmt.Printf("%s: %d, half within %.1f ms, 99 of 100 within %.0f ms, slowest %.0f ms\n",
				name, len(took), at(0.5), at(0.99), at(1))
		}
	}
	fmt.Printf("requests repeated because a server refused them: %d, because the connection broke: %d; requests without a good "+
		"answer: %d; longest time without a good answer: %.1f s\n", c.refused, c.broken, c.failed, c.pause.Seconds())
	decisions := float64(len(c.took[logging]))
	names := []string{"server one", "server two", "node one", "node two", "node three (killed)"}
	sum, disk := 0.0, after.disk-before.disk
	for i := range before.cpu {
		used := max(0, after.cpu[i]-before.cpu[i])
		sum += used
		fmt.Printf("%s: %.1f s of CPU time, %.0f MB of memory\n", names[min(i, len(names)-1)], used, after.memory[i])
	}
	fmt.Printf("of all: %.1f s of CPU time and %.1f MB of disk, for %.0f decisions with their questions\n",
		sum, disk/1e6, decisions)
	fmt.Printf("for a million decisions: %.0f s of CPU time, %.2f GB of disk\n",
		sum/decisions*1e6, disk/decisions*1e6/1e9)
}
