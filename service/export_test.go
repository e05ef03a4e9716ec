package service

import "time"

// Impatient makes a service wait for a server no longer than that.
func (s *Service) Impatient(d time.Duration) *Service {
	s.patience = d
	return s
}

// ParseSnapshot tries a text as the last known good guidelines of a project.
func ParseSnapshot(root string, text []byte) (guidelines int, err error) {
	last, err := parseSnapshot(root, text)
	if err != nil {
		return 0, err
	}
	return len(last.guidelines), nil
}

// ToolAnswer tries a text as the answer of a server.
func ToolAnswer(text []byte) (guidelines int, err error) {
	answer, err := toolAnswer(text)
	if err != nil {
		return 0, err
	}
	sources, _, err := definitionsIn(answer, "server")
	return len(sources), err
}

// Size counts characters as the client does.
func Size(text string) int { return size(text) }

// Now is the service's clock.
func (s *Service) Now() time.Time { return s.now() }

// Watchful makes a service look at the files with every question.
func (s *Service) Watchful() *Service {
	s.glance = 0
	return s
}
