package cache

import (
	"guardrails/guideline"
	"guardrails/internal/document"
)

// settingsReader reads the settings in the head of a document. Each method reads one value and reports whether it has
// the right type.
type settingsReader struct{ document.Scanner }

func (r *settingsReader) setting(c *Cache, name string) bool {
	var into *string
	switch name {
	case "layers":
		return r.List(func() bool {
			var l layer
			ok := r.Object(func(name string) bool { return r.layer(&l, name) })
			c.layers = append(c.layers, l)
			return ok
		})
	case "strict":
		return r.flag(&c.Strict)
	case "no_calls":
		return r.flag(&c.NoCalls)
	case "source":
		into = &c.Source
	case "reason":
		into = &c.Reason
	case "page":
		into = &c.Page
	}
	return r.text(into, name)
}

func (r *settingsReader) layer(l *layer, name string) bool {
	switch name {
	case "from":
		text, ok := r.Raw()
		l.start = int64(number([]byte(text)))
		return ok
	case "context":
		return r.Object(func(name string) bool { return r.context(&l.Context, name) })
	case "exceptions":
		return r.List(func() bool {
			var x Exception
			ok := r.Object(func(name string) bool { return r.exception(&x, name) })
			l.Exceptions = append(l.Exceptions, x)
			return ok
		})
	case "tests":
		return r.texts(&l.TestCommands)
	}
	return r.unknown(name)
}

func (r *settingsReader) context(c *guideline.Context, name string) bool {
	var into *string
	switch name {
	case "agent":
		into = &c.Agent
	case "domain":
		into = &c.Domain
	case "action":
		into = &c.Action
	case "gate_type":
		into = &c.GateType
	case "tenant_id":
		into = &c.TenantID
	case "metadata":
		value, ok := r.Value()
		c.Metadata, _ = value.(map[string]any)
		return ok
	}
	return r.text(into, name)
}

func (r *settingsReader) exception(x *Exception, name string) bool {
	var into *string
	switch name {
	case "guideline":
		into = &x.Guideline
	case "tools":
		return r.texts(&x.Tools)
	case "reason":
		into = &x.Reason
	case "expires":
		text, ok := r.Text()
		if ok {
			x.Expires, ok = document.ParseTime(text)
		}
		return ok || r.Fail("has no time of expiry", "ask for the guidelines again")
	}
	return r.text(into, name)
}

func (r *settingsReader) texts(into *[]string) bool {
	return r.List(func() bool {
		text, ok := r.Text()
		*into = append(*into, text)
		return ok
	})
}

func (r *settingsReader) flag(into *bool) bool {
	value, ok := r.Value()
	if ok {
		*into, ok = value.(bool)
	}
	return ok || r.Fail("must be true or false", "ask for the guidelines again")
}

// text() reads the text of a field into *into. If the parameter "into" is nil, the document must not have a field with
// this name. In that case, the method fails.
func (r *settingsReader) text(into *string, name string) (ok bool) {
	if into == nil {
		return r.unknown(name)
	}
	*into, ok = r.Text()
	return ok
}

func (r *settingsReader) unknown(name string) bool {
	return r.Fail("has the unknown field "+document.Excerpt(name), "ask for the guidelines again")
}
