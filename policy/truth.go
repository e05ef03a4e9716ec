package policy

import "slices"

// The type "truth" is the value of a condition. If a fact is absent, conditions about this fact are unknown. A rule
// applies only if its condition is true.
type truth uint8

const (
	no truth = iota
	unknown
	yes
)

// String returns the value as a trace shows it.
func (t truth) String() string { return [...]string{"false", "unknown", "true"}[t] }

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (c every) holds(m *moment) truth {
	least := yes
	for i := range c {
		if least = min(least, m.value(&c[i])); least == no && !m.traced() {
			break
		}
	}
	return least
}

func (c some) holds(m *moment) truth {
	most := no
	for i := range c {
		if most = max(most, m.value(&c[i])); most == yes && !m.traced() {
			break
		}
	}
	return most
}

func (c negation) holds(m *moment) truth { return yes - m.value(&c.inner) }

func (c contains) holds(m *moment) truth {
	if m.facts.Message == nil {
		return unknown
	}
	return truthOf(slices.ContainsFunc(c, m.folded.contains))
}

func (c matches) holds(m *moment) truth {
	if m.facts.Message == nil {
		return unknown
	}
	return truthOf(c.pattern.MatchString(*m.facts.Message))
}

func (c number) holds(m *moment) truth {
	value := m.facts.number(c.field)
	if value == nil {
		return unknown
	}
	return truthOf(c.of(*value))
}

func (c oneOf) holds(m *moment) truth {
	have, known := m.names(c.field)
	if !known {
		return unknown
	}
	return truthOf(slices.ContainsFunc(c.names, func(name string) bool { return slices.Contains(have, name) }))
}
