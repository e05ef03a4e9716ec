package private

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strconv"

	"guardrails/internal/product"
)

// The key is in a file of its own. Tool calls may not read this file. The first program that needs the key creates the
// file. If a program cannot read the key, the program uses a new key. With a new key, no signature on an existing file
// is valid. So permissions no longer apply, and the user is asked again.

// keySize is the size of the key file: two hexadecimal numbers and a line end.
const keySize = 2*SumSize + 1

// SumSize is the number of hexadecimal digits of a signature.
const SumSize = 16

// ErrKey means that the key file does not contain a key.
var ErrKey = errors.New("it does not contain a key")

// Key returns the key that signs the files of the folder. If there is an error, it returns a new key that no other
// program has.
func (d *Dir) Key() (Key, error) {
	d.once.Do(func() {
		if d.key, d.keyError = d.keys().loadKey(); d.keyError != nil {
			d.key = Key{rand.Uint64(), rand.Uint64()}
		}
	})
	return d.key, d.keyError
}

// KeyIn makes the folder d use the key in another folder instead of a key in d itself. The argument "state" is the path
// of the other folder.
func (d *Dir) KeyIn(state string) *Dir {
	d.state = &Dir{path: state, uid: d.uid}
	return d
}

// keys() returns the folder that contains the key file.
func (d *Dir) keys() *Dir {
	if d.state != nil {
		return d.state
	}
	return d
}

func (d *Dir) loadKey() (Key, error) {
	k, err := d.readKey()
	if !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	if _, err = OpenMovable(d.path, ""); err != nil {
		return k, err
	}
	return d.makeKey()
}

func (d *Dir) readKey() (Key, error) {
	text, err := d.Read(product.KeyFile, keySize)
	if err != nil {
		return Key{}, err
	}
	var k Key
	if len(text) == keySize {
		k.k0, err = strconv.ParseUint(string(text[:SumSize]), 16, 64)
		if err == nil {
			k.k1, err = strconv.ParseUint(string(text[SumSize:keySize-1]), 16, 64)
		}
	}
	if err != nil || k == (Key{}) {
		return k, &Failed{"cannot be read", d.Path(product.KeyFile), ErrKey, "remove it"}
	}
	return k, nil
}

// makeKey creates the key, unless another program has created it at the same time.
func (d *Dir) makeKey() (Key, error) {
	unlock, err := d.lock()
	if err != nil {
		return Key{}, err
	}
	defer unlock()
	if k, err := d.readKey(); !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	made := randomKey()
	return made, d.Write(product.KeyFile, made.text())
}

func (k Key) text() []byte { return []byte(string(digits(k.k0)) + string(digits(k.k1)) + "\n") }

// KeyOf returns the key that signs the file with the given name.
func (d *Dir) KeyOf(name string) Key {
	k, _ := d.Key() // if there is an error, no other program accepts signatures of this key
	return k.For(name)
}

// Sign returns the text followed by its signature.
func (k Key) Sign(text []byte) []byte {
	return []byte(string(text) + string(k.Sum(text)))
}

// Signed checks a text that Sign returned, and removes the signature. It returns nil and false if the signature is not
// valid.
func (k Key) Signed(signed []byte) ([]byte, bool) {
	at := len(signed) - SumSize
	if at < 0 || !k.Fits(signed[:at], signed[at:]) {
		return nil, false
	}
	return signed[:at], true
}

// ErrUnsigned means that a file has no valid signature. Either guardrails has not written the file, or the key has
// changed since then.
var ErrUnsigned = errors.New("it has no valid signature of guardrails")

// ReadSigned returns the content of a signed file. If the signature is not valid, the error wraps ErrUnsigned.
func (d *Dir) ReadSigned(name string, limit int64) ([]byte, error) {
	signed, err := d.Read(name, limit+SumSize)
	if err != nil {
		return nil, err
	}
	if text, ok := d.KeyOf(name).Signed(signed); ok {
		return text, nil
	}
	return nil, &Failed{"cannot be used", d.Path(name), ErrUnsigned, "remove it"}
}

// Sum returns the signature of a text, in hexadecimal digits.
func (k Key) Sum(text []byte) []byte { return digits(k.hash(text)) }

// Fits reports whether a signature is the signature of a text. It always compares all digits, so the time that it takes
// says nothing about the signature.
func (k Key) Fits(text, signature []byte) bool {
	if len(signature) != SumSize {
		return false
	}
	differences := byte(0)
	for i, digit := range k.Sum(text) {
		differences |= digit ^ signature[i]
	}
	return differences == 0
}

func digits(n uint64) []byte {
	out := make([]byte, SumSize)
	for i := range out {
		out[SumSize-1-i] = "0123456789abcdef"[n&15]
		n >>= 4
	}
	return out
}
