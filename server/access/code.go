package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"
)

// CodeTime is how long a code for the page can be used.
const CodeTime = 2 * time.Minute

// The purposes of signatures with the owner's token. The signed text contains the purpose, so a signature for one
// purpose is not valid for another.
const (
	forCode  = "guardrails code for the page"
	forProof = "guardrails server"
)

// nonceSize is the number of random bytes in a code, and timeSize is the number of bytes for the time at which the code
// expires.
const (
	nonceSize = 16
	timeSize  = 8
)

// NewCode returns a code with which a browser can begin a session as the owner. The code is valid for the server on the
// given port of this computer. The code is signed with the owner's token. So the token itself is not sent to the port,
// where another program could receive it.
func NewCode(token, port string, now time.Time) string {
	text := make([]byte, nonceSize, nonceSize+timeSize+sha256.Size)
	_, _ = rand.Read(text) // never returns an error: if it fails, the program ends
	text = binary.BigEndian.AppendUint64(text, uint64(now.Add(CodeTime).UnixMilli()))
	return base64.RawURLEncoding.EncodeToString(append(text, sign(sha256.Sum256([]byte(token)), forCode, port, string(text))...))
}

// checkCode returns the time at which a code expires, and whether the owner made the code for the given port.
func checkCode(owner [sha256.Size]byte, port, code string) (expires time.Time, fits bool) {
	text, err := base64.RawURLEncoding.DecodeString(code)
	if err != nil || len(text) != nonceSize+timeSize+sha256.Size || base64.RawURLEncoding.EncodeToString(text) != code {
		return time.Time{}, false
	}
	text, signature := text[:nonceSize+timeSize], text[nonceSize+timeSize:]
	expires = time.UnixMilli(int64(binary.BigEndian.Uint64(text[nonceSize:])))
	return expires, hmac.Equal(signature, sign(owner, forCode, port, string(text)))
}

// NewNonce returns a random text for IsProof.
func NewNonce() string { return random() }

// IsProof reports whether an answer proves that the server on a port has the owner's token. If the answer proves
// nothing, the port may belong to another program that wants to get a code or a token.
func IsProof(token, port, nonce, answer string) bool {
	return hmac.Equal([]byte(answer), []byte(proof(sha256.Sum256([]byte(token)), port, nonce)))
}

func proof(owner [sha256.Size]byte, port, nonce string) string {
	return base64.RawURLEncoding.EncodeToString(sign(owner, forProof, port, nonce))
}

func sign(owner [sha256.Size]byte, parts ...string) []byte {
	h := hmac.New(sha256.New, owner[:])
	_, _ = h.Write([]byte(strings.Join(parts, "\n"))) // never returns an error
	return h.Sum(nil)
}

// PageAddress returns the address of the page at HOST:PORT with a new code. The code is in the fragment of the address
// (the part after #), which a browser does not send to a server.
func PageAddress(address, token string, now time.Time) string {
	_, port, _ := strings.Cut(address[strings.LastIndex(address, ":"):], ":")
	return "http://" + address + "/ui/#code=" + NewCode(token, port, now)
}
