package store

import "guardrails/guideline"

const (
	// frameSize is an upper bound for the size that an entry has as JSON if the texts in it are not counted. The rest
	// of the JSON is names, numbers, times and punctuation.
	frameSize = 2 << 10
	// escapedByte is the largest number of bytes that one byte of a text takes in JSON.
	escapedByte = 6
	// valueSize is an upper bound for the size of a number or bool with the punctuation around it.
	valueSize = 32
)

// largest() returns an upper bound for the size of the entry's JSON. The result "known" is false if the entry must be
// encoded to find out its size, or to find out whether it can be encoded at all.
func (e *Entry) largest() (size int, known bool) {
	if e.Changes != nil || e.Pruning != nil {
		return 0, false
	}
	size = frameSize + escapedByte*(len(e.ID)+len(e.Tenant)+len(e.Writer)+len(e.Kind)+len(e.Event)+len(e.Actor)+len(e.Session)+
		len(e.Guideline)+len(e.ProjectID)+len(e.GuidelineName)+len(e.Digest)+len(e.Prev)+len(e.Hash))
	if d := e.Decision; d != nil {
		size += escapedByte * (len(d.Result) + len(d.Reason) + len(d.UserResponse) + len(d.Tool) + len(d.Effects) + len(d.Fallback))
	}
	if e.Context == nil {
		return size, true
	}
	more, known := largestContext(e.Context)
	return size + more, known
}

func largestContext(c *guideline.Context) (size int, known bool) {
	size = escapedByte * (len(c.Agent) + len(c.Domain) + len(c.Action) + len(c.Event) + len(c.GateType) + len(c.TenantID) +
		len(c.SessionID))
	for _, path := range c.Paths {
		size += valueSize + escapedByte*len(path)
	}
	more, known := largestValue(c.Metadata)
	return size + more, known
}

func largestValue(v any) (size int, known bool) {
	switch v := v.(type) {
	case nil, bool, int, int64:
	case string:
		size = escapedByte * len(v)
	case []any:
		for _, item := range v {
			more, known := largestValue(item)
			if !known {
				return 0, false
			}
			size += more
		}
	case map[string]any:
		for name, item := range v {
			more, known := largestValue(item)
			if !known {
				return 0, false
			}
			size += more + valueSize + escapedByte*len(name)
		}
	default:
		return 0, false
	}
	return size + valueSize, true
}
