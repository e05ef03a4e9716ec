package pii

// SampleIBANs and SampleCards are the published samples.
const (
	SampleIBANs = sampleIBANs
	SampleCards = sampleCards
)

// IsIBAN reports whether an account number has the right length and checksum.
func IsIBAN(account string) bool {
	return len(account) == ibanLength(account[:2]) && mod97(account) == 1
}
