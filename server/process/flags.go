package process

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"

	"guardrails/internal/product"
)

// Flags configure a server.
type Flags struct {
	// Address is HOST:PORT. If it is empty, the environment variable decides.
	Address string
	// Hosts are additional host names of the server.
	Hosts []string
	// If JSON is set, the server prints its addresses as JSON.
	JSON bool
	// A value of Store or Tenant that is not empty overrides the settings.
	Store, Tenant string
	// Policies is the policy file for all callers over HTTP, or "".
	Policies string
	// If Admin is set, the server offers the MCP tools that change guidelines.
	Admin bool
	// LogFormat is text or json.
	LogFormat string
	// Open says what the server does with the page when the server starts: openBrowser, openPrint, or "" for nothing.
	Open string
	// Memory is the largest amount of memory, in MB, for the guidelines of all tenants and projects.
	Memory int64
	// Changes is how many changes and logged decisions each token may make in a second on average. If Changes is 0, a
	// default applies.
	Changes int
}

// maxMemory is the largest value of Flags.Memory, and defaultMemory is its default. maxChanges is the largest value of
// Flags.Changes.
const (
	maxMemory     = 1 << 20
	defaultMemory = 1024
	maxChanges    = 1_000_000
)

// The formats of the log.
const (
	logText = "text"
	logJSON = "json"
)

// parse() reads the flags of the command "mcp" or "serve".
func parse(kind string, args []string) (*Flags, error) {
	f := Flags{LogFormat: logText, Memory: defaultMemory}
	set := flag.NewFlagSet(kind, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.BoolVar(&f.Admin, "admin", false, "")
	if kind == OnPort {
		f.onPort(set)
	}
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	if set.NArg() > 0 {
		return nil, fmt.Errorf("%s takes flags only", kind)
	}
	return &f, nil
}

func (f *Flags) onPort(set *flag.FlagSet) {
	set.StringVar(&f.Address, "addr", "", "")
	set.StringVar(&f.Store, "store", "", "")
	set.StringVar(&f.Tenant, "tenant", "", "")
	set.StringVar(&f.Policies, "policies", "", "")
	set.BoolVar(&f.JSON, "json", false, "")
	set.Func("memory", "", func(text string) (err error) {
		if f.Memory, err = strconv.ParseInt(text, 10, 64); err != nil || f.Memory < 1 || f.Memory > maxMemory {
			return fmt.Errorf("the number of megabytes must be between 1 and %d", maxMemory)
		}
		return nil
	})
	set.Func("changes", "", func(text string) (err error) {
		if f.Changes, err = strconv.Atoi(text); err != nil || f.Changes < 1 || f.Changes > maxChanges {
			return fmt.Errorf("the number of changes must be between 1 and %d", maxChanges)
		}
		return nil
	})
	set.Func("host", "", func(name string) error {
		f.Hosts = append(f.Hosts, name)
		return nil
	})
	set.Func("open", "", func(how string) error {
		if f.Open = how; how != openBrowser && how != openPrint {
			return errors.New("use browser or print")
		}
		return nil
	})
	set.Func("log-format", "", func(name string) error {
		if f.LogFormat = name; name != logText && name != logJSON {
			return errors.New("use text or json")
		}
		return nil
	})
}

// share() returns half of the memory, in bytes. One half is for the guidelines that a store keeps in memory. The other
// half is for the settings and guidelines of projects that the service keeps in memory.
func (f *Flags) share() int64 { return f.Memory << 20 / 2 }

// withFlags returns a copy of the system in which the flags override the settings. The flags do not affect hooks,
// which use the settings of their projects.
func (w *System) withFlags(f *Flags) *System {
	other, env := *w, w.Env
	other.Env = func(name string) string { return cmp.Or(f.setting(name), env(name)) }
	return &other
}

// setting() returns the value of the flag that overrides an environment variable, or "" if there is none.
func (f *Flags) setting(variable string) string {
	switch variable {
	case product.VariableStore:
		return f.Store
	case product.VariableTenant:
		return f.Tenant
	}
	return ""
}
