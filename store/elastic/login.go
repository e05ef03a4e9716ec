package elastic

import (
	"net/url"
	"slices"
)

// login is how the servers are told who asks.
type login int

const (
	byNothing login = iota
	byPassword
	byKey
)

// loginOf finds out what options, or one of the addresses, log in with.
func loginOf(o *Options, addresses []*url.URL) login {
	switch {
	case o.APIKey != "":
		return byKey
	case o.Username != "" || slices.ContainsFunc(addresses, func(u *url.URL) bool { return u.User != nil }):
		return byPassword
	default:
		return byNothing
	}
}

// name is what messages call who asks.
func (l login) name() string {
	return [...]string{"callers without a name", "the user", "the API key"}[l]
}

// unknown is the end of a message that the servers do not know who asks.
func (l login) unknown() string {
	return [...]string{
		"wants to know who asks; give a user name and a password, or an API key",
		"does not know the user; check the user name and the password",
		"does not take the API key; give one that is valid, in the encoded form",
	}[l]
}
