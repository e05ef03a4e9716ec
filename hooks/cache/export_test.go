package cache

// Checksum lets tests build documents with a right sum.
var Checksum = checksum
