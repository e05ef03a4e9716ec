package hooks

import (
	"guardrails/decide/rejudge"
	"guardrails/detect/effect"
	"guardrails/hooks/cache"
)

// noted returns a note of the task of a call, to which rejudge.Noted.Watch adds the facts. It is empty if there are no
// guidelines.
func noted(c *cache.Cache) *rejudge.Noted {
	n := &rejudge.Noted{}
	if c == nil {
		return n
	}
	for _, task := range c.Contexts() {
		environment, _ := task.Metadata["environment"].(string)
		n.Layers = append(n.Layers, []string{task.Agent, task.Domain, task.Action, environment})
	}
	return n
}

// judged returns the text with which a call can be judged again, without secrets. It is empty if there are no
// guidelines, because then nobody knows the task nor whether the settings allow the record.
func judged(c *cache.Cache, call *effect.Analysis, n *rejudge.Noted) string {
	if c == nil {
		return ""
	}
	if c.NoCalls {
		return rejudge.Off
	}
	return n.Append(call, masked)
}
