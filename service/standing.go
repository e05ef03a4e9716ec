package service

import "context"

// Standing says where the guidelines of the project come from that the service runs in, and whether that is in place of a
// store, server or file that cannot be read or reached.
func (s *Service) Standing(ctx context.Context) (source string, away bool) {
	_, h, err := s.all(ctx, "")
	if err != nil {
		return "", true
	}
	return h.source, h.fallback != nil
}
