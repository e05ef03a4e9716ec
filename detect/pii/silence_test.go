package pii_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"guardrails/detect/pii"
)

// random() returns a text without personal data, of a kind that developers often see.
func random(r *rand.Rand, kind int) string {
	bytes := make([]byte, 16+r.IntN(49))
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	const year2000 = 946684800
	at := time.Unix(year2000+r.Int64N(1e9), r.Int64N(1e9)).UTC()
	switch kind % 12 {
	case 0:
		return fmt.Sprintf("%x-%x-%x-%x-%x", bytes[:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:16])
	case 1:
		return "sha256:" + hex.EncodeToString(bytes)
	case 2:
		return hex.EncodeToString(bytes)[:7+r.IntN(20)]
	case 3:
		return base64.StdEncoding.EncodeToString(bytes)
	case 4:
		return base64.URLEncoding.EncodeToString(bytes)
	case 5:
		return fmt.Sprintf("v%d.%d.%d-rc.%d+%d", r.IntN(30), r.IntN(100), r.IntN(1000), r.IntN(9), r.IntN(1e9))
	case 6:
		return fmt.Sprintf("localhost:%d, 10.0.%d.%d:%d", r.IntN(65536), r.IntN(256), r.IntN(256), r.IntN(65536))
	case 7:
		return at.Format(time.RFC3339Nano) + " " + at.Format(time.DateTime) + " " + at.Format(time.RFC1123Z)
	case 8:
		return fmt.Sprintf("%d %d %d %d", at.Unix(), at.UnixMilli(), at.UnixMicro(), at.UnixNano())
	case 9:
		return fmt.Sprintf("id=%d user_id: %d", r.Int64(), r.Int64N(1e16))
	case 10:
		return fmt.Sprintf("main.go:%d:%d +%d,%d @@ %d.%d%%", r.IntN(5000), r.IntN(120), r.IntN(900), r.IntN(99), r.IntN(100), r.IntN(1e9))
	}
	return "commit " + hex.EncodeToString(bytes[:10])[:20] + " in " + strconv.Itoa(r.IntN(1e9)) + " ms, build 0x" + strconv.FormatUint(r.Uint64(), 16)
}

func TestIdsHashesVersionsPortsAndTimesAreNotFound(t *testing.T) {
	count := 200_000
	if testing.Short() {
		count = 20_000
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range count {
		text := random(r, i)
		if found := pii.Find(text, everything()); len(found) > 0 {
			t.Errorf("%q has %q", text, described(text, found))
		}
	}
}
