package cache

import (
	"guardrails/guideline"
	"guardrails/internal/document"
)

// settingsReader reads the settings in the head of a document. Each method reads one value and reports whether it has
// the right type.
type settingsReader struct{ document.Scanner }

func (r *settingsReader) setting(c *Cache, name string) bool {
	switch name {
	case "layers":
		return r.List(func() bool {
			var l layer
			ok := r.Object(func(name string) bool { return r.layer(&l, name) })
			c.layers = append(c.layers, l)
			return ok
		})
	case "source":
		return r.text(&c.Source)
	case "reason":
		return r.text(&c.Reason)
	case "strict":
		value, ok := r.Value()
		if ok {
			c.Strict, ok = value.(bool)
		}
		return ok || r.Fail("has no boolean where one is expected", "ask for the guidelines again")
	}
	return r.unknown(name)
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
	switch name {
	case "agent":
		return r.text(&c.Agent)
	case "domain":
		return r.text(&c.Domain)
	case "action":
		return r.text(&c.Action)
	case "gate_type":
		return r.text(&c.GateType)
	case "tenant_id":
		return r.text(&c.TenantID)
	case "metadata":
		value, ok := r.Value()
		c.Metadata, _ = value.(map[string]any)
		return ok
	}
	return r.unknown(name)
}

func (r *settingsReader) exception(x *Exception, name string) bool {
	switch name {
	case "guideline":
		return r.text(&x.Guideline)
	case "tools":
		return r.texts(&x.Tools)
	case "reason":
		return r.text(&x.Reason)
	case "expires":
		text, ok := r.Text()
		if ok {
			x.Expires, ok = document.ParseTime(text)
		}
		return ok || r.Fail("has no time of expiry", "ask for the guidelines again")
	}
	return r.unknown(name)
}

func (r *settingsReader) texts(into *[]string) bool {
	return r.List(func() bool {
		text, ok := r.Text()
		*into = append(*into, text)
		return ok
	})
}

func (r *settingsReader) text(into *string) (ok bool) {
	*into, ok = r.Text()
	return ok
}

func (r *settingsReader) unknown(name string) bool {
	return r.Fail("has the unknown field "+document.Excerpt(name), "ask for the guidelines again")
}
