package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// infraHandler knows containers, clusters, clouds, the tools that build them, and stores of secrets.
func infraHandler(name string) handler {
	for _, group := range [...]func(string) handler{containerHandler, clusterHandler, planHandler, cloudHandler, platformHandler, vaultHandler, forgeHandler} {
		if h := group(name); h != nil {
			return h
		}
	}
	return nil
}

// outcome is what an order to infrastructure comes to.
type outcome uint8

const (
	looks    outcome = iota // it only shows something
	changes                 // running infrastructure is changed
	releases                // something new is running afterwards
	destroys                // something is gone afterwards
	reveals                 // a secret is printed
	grants                  // someone may do more than before
	opens                   // something is open to everyone
	issues                  // something is published
)

// judge adds the events of an outcome; what names the order for the reason.
func (a *analyzer) judge(c *command, o outcome, what string) flow {
	switch o {
	case changes:
		a.mark(c, "changes infrastructure: "+what, effect.DevopsInvoked)
	case releases:
		a.mark(c, "releases to a running environment: "+what, effect.Deploy, effect.DevopsInvoked)
	case destroys:
		a.mark(c, "deletes infrastructure or its data: "+what, effect.DestructiveOp, effect.DevopsInvoked)
	case reveals:
		a.mark(c, "prints a secret: "+what, effect.SecretAccess)
		return flow{taint: fromSecret}
	case grants:
		a.mark(c, "gives someone lasting rights: "+what, effect.PrivilegeGain, effect.DevopsInvoked)
	case opens:
		a.mark(c, "opens something to everyone: "+what, effect.PermissionOpen, effect.DevopsInvoked)
	case issues:
		a.mark(c, "publishes: "+what, effect.Publish)
	}
	return flow{taint: fromProgram}
}

// order is the start of a command's operands, for a reason.
func (o *options) order() string {
	return shorten(joinAll(o.operands[:min(4, len(o.operands))]))
}

// leadingOptions parses the flags that stand before the first operand and returns them with what follows.
func leadingOptions(args []value, withValue string) (options, []value) {
	i := 0
	for i < len(args) {
		text := args[i].text
		if text == "--" {
			return parseOptions(args[:i], withValue), args[i+1:]
		}
		if len(text) < 2 || text[0] != '-' {
			break
		}
		i += 1 + btoi(takesNext(text, withValue))
	}
	i = min(i, len(args))
	return parseOptions(args[:i], withValue), args[i:]
}

// takesNext reports whether a flag's value is the next argument: in a cluster, the first letter that takes one decides.
func takesNext(text, withValue string) bool {
	if strings.HasPrefix(text, "--") {
		return !strings.Contains(text, "=") && takesValue(withValue, text[2:])
	}
	for i := 1; i < len(text); i++ {
		if takesValue(withValue, text[i:i+1]) {
			return i+1 == len(text)
		}
	}
	return false
}

// oneOf reports whether a word is among others.
func oneOf(word string, words ...string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// afterDashes is what follows the argument --, which is how an inner command is set apart.
func afterDashes(args []value) ([]value, bool) {
	for i, v := range args {
		if v.text == "--" {
			return args[i+1:], true
		}
	}
	return nil, false
}
