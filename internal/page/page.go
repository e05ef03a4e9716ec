// Package page lets the user's other processes find the address of the web page that a server offers.
//
// One process holds the lock named Lock. This process writes a note with Write, and then takes the lock named Shown.
// The system releases locks when the process ends, even after a crash, so Find never returns the address of a process
// that has ended.
package page

import (
	"net"
	"strings"

	"guardrails/internal/document"
	"guardrails/internal/private"
)

// The names of files in the runtime folder:
//
//   - The process that offers the page locks the file named Lock.
//   - The same process locks the file named Shown while its note is valid.
//   - A server that a person has started locks the file named Wanted. Other processes leave the address to that server.
const (
	Lock   = "page.lock"
	Shown  = "page.shown"
	Wanted = "page.wanted"
	note   = "page.json"
)

// Path is the path of the page in its URL.
const Path = "/ui/"

// DefaultAddress is the address of the page if the environment does not name one.
const DefaultAddress = "127.0.0.1:7117"

// Place says where the page is, and what it shows.
type Place struct {
	// Address is HOST:PORT. The host is an address of the loopback interface.
	Address string
	// Store names the store that the page shows. Tenant is the tenant whose guidelines it shows, and Root is the root of
	// the project whose files and settings it shows.
	Store, Tenant, Root string
}

// URL returns the address for a browser.
func (p *Place) URL() string { return "http://" + p.Address + Path }

// Shows reports whether the page shows the audit of a store and a tenant.
func (p *Place) Shows(store, tenant string) bool { return p.Store == store && p.Tenant == tenant }

func (p *Place) fields() [4]struct {
	name  string
	value *string
} {
	return [...]struct {
		name  string
		value *string
	}{{"address", &p.Address}, {"store", &p.Store}, {"tenant", &p.Tenant}, {"root", &p.Root}}
}

// Write writes a note about the page of this process. The note is valid while this process has the lock Shown. The note
// is signed, because people are shown the address in it.
func Write(dir *private.Dir, p Place) error {
	out := []byte{'{'}
	for _, f := range p.fields() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(document.AppendText(out, f.name), ':')
		out = document.AppendText(out, *f.value)
	}
	return dir.Write(note, dir.KeyOf(note).Sign(append(out, '}', '\n')))
}

// Find reads the note and returns where the page is. It returns false if no process offers the page, or if there is no
// note with a valid signature.
func Find(dir *private.Dir) (p Place, found bool) {
	if !isHeld(dir, Shown) {
		return Place{}, false
	}
	const most = 16 << 10
	text, err := dir.ReadSigned(note, most)
	if err != nil {
		return Place{}, false
	}
	members, err := document.Members(text)
	if err != nil {
		return Place{}, false
	}
	for _, m := range members {
		for _, f := range p.fields() {
			if f.name == m.Name {
				*f.value, _ = document.Text(m.Raw)
			}
		}
	}
	return p, IsLocal(p.Address)
}

// IsWanted reports whether a server that a person has started wants the address.
func IsWanted(dir *private.Dir) bool { return isHeld(dir, Wanted) }

// isHeld reports whether a process has a lock. Several processes may ask at the same time, so each of them takes a
// shared lock.
func isHeld(dir *private.Dir, name string) bool {
	if _, seen := dir.Seen(name); !seen {
		return false
	}
	f, _, err := dir.OpenFile(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // closing the file releases the lock
	taken, err := f.TryShare()
	return err == nil && !taken
}

// Reach returns the address at which programs on this computer reach a server that listens at HOST:PORT. It returns
// false if HOST:PORT is the address of another computer. It replaces the name localhost with 127.0.0.1, because another
// program may answer at the second address of localhost.
func Reach(address string) (string, bool) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", false
	}
	ip := net.ParseIP(host)
	if host == "" || host == "localhost" || ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port), true
	}
	return address, ip != nil && ip.IsLoopback()
}

// IsLocal reports whether HOST:PORT is on the loopback interface.
func IsLocal(address string) bool {
	host, port, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && ip != nil && ip.IsLoopback() && port != "" && strings.Trim(port, "0123456789") == ""
}
