package webhook

import (
	"fmt"
	"net/netip"
)

// CheckAddress returns an error if sending to an address is not allowed. The parameter "loopback" says whether the
// URL names this computer itself. The parameter "private" says whether the endpoint may be in a private network.
func CheckAddress(at netip.Addr, loopback, private bool) error {
	at = at.WithZone("").Unmap()
	switch {
	case at.IsUnspecified() || at.IsMulticast():
		return fmt.Errorf("%s is not the address of a receiver", at)
	case loopback && !at.IsLoopback():
		return fmt.Errorf("the URL names this computer, but the name leads to %s, which is another computer; "+
			"use https and the name of that computer", at)
	case loopback || private || isPublic(at):
		return nil
	}
	return fmt.Errorf("%s is in a private or reserved network; set allow_private if the receiver is meant to be there", at)
}

// isPublic reports whether an address is neither private nor reserved. An IPv6 address that contains an IPv4 address
// counts as reserved, because it can lead to a private address.
func isPublic(at netip.Addr) bool {
	if !at.IsGlobalUnicast() || at.IsPrivate() || at.Is6() && !netip.MustParsePrefix(unicastIPv6).Contains(at) {
		return false
	}
	for _, text := range reserved() {
		if netip.MustParsePrefix(text).Contains(at) {
			return false
		}
	}
	return true
}

// unicastIPv6 has all public IPv6 addresses. All other IPv6 addresses are reserved, and some kinds of them contain an
// IPv4 address.
const unicastIPv6 = "2000::/3"

// reserved() returns the networks that are reserved, but that no method of netip recognizes.
func reserved() []string {
	return []string{
		"0.0.0.0/8",       // this network
		"100.64.0.0/10",   // shared by carriers; one cloud has its metadata service here
		"192.0.0.0/24",    // protocols; another cloud has its metadata service here
		"192.0.2.0/24",    // documentation
		"192.88.99.0/24",  // relays to IPv6
		"198.18.0.0/15",   // benchmarks
		"198.51.100.0/24", // documentation
		"203.0.113.0/24",  // documentation
		"240.0.0.0/4",     // reserved
		"2001::/23",       // protocols; tunnels that contain an IPv4 address
		"2001:db8::/32",   // documentation
		"2002::/16",       // contains an IPv4 address
		"3fff::/20",       // documentation
	}
}
