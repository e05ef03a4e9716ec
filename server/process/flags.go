package process

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"guardrails/internal/product"
)

// Flags say what a server is like.
type Flags struct {
	// Address is HOST:PORT; empty leaves it to the environment.
	Address string
	// Hosts are further names by which the server may be asked.
	Hosts []string
	// JSON announces the server to programs.
	JSON bool
	// Store and Tenant go before what the settings say; empty leaves it to those.
	Store, Tenant string
	// Admin offers the MCP tools that change guidelines.
	Admin bool
	// LogFormat is text or json.
	LogFormat string
}

// The forms of the log.
const (
	logText = "text"
	logJSON = "json"
)

// parse reads the flags of one of the two kinds of servers.
func parse(kind string, args []string) (*Flags, error) {
	f := Flags{LogFormat: logText}
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
	set.BoolVar(&f.JSON, "json", false, "")
	set.Func("host", "", func(name string) error {
		f.Hosts = append(f.Hosts, name)
		return nil
	})
	set.Func("log-format", "", func(name string) error {
		if f.LogFormat = name; name != logText && name != logJSON {
			return errors.New("use text or json")
		}
		return nil
	})
}

// under is the world as the flags make it. Hooks go by the settings of their projects, whatever the flags say.
func (w *World) under(f *Flags) *World {
	other, env := *w, w.Env
	other.Env = func(name string) string {
		switch {
		case name == product.VariableStore && f.Store != "":
			return f.Store
		case name == product.VariableTenant && f.Tenant != "":
			return f.Tenant
		}
		return env(name)
	}
	return &other
}
