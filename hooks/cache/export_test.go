package cache

// Checksum lets tests build documents with a correct sum.
var Checksum = checksum
