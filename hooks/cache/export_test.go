package cache

// Checksum is for tests that make documents whose sums fit.
var Checksum = checksum
