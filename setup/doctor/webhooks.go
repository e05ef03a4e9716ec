package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"guardrails/store/live"
	"guardrails/webhook/registry"
)

const linkWebhooks = "webhooks"

// checkWebhooks reports whether the last deliveries to the webhooks succeeded, and which webhooks are switched off. If
// there are no webhooks, it adds no check.
func (x *Examination) checkWebhooks(ctx context.Context, from *live.Store, owner live.Caller) {
	r := registry.Registry{Store: from.For(owner).Webhooks(), Now: x.Now}
	list, err := r.List(ctx)
	if err != nil || len(list) == 0 {
		return // checkStore reports a store that does not answer
	}
	var fine []string
	for i := range list {
		v := &list[i]
		switch {
		case !v.Enabled:
			x.add(linkWebhooks, Warning, v.ID+" ("+v.URL+") is off: "+v.DisabledReason,
				"to switch it on, run: guardrails webhooks enable "+v.ID)
		case v.Failures > 0:
			x.add(linkWebhooks, Warning, fmt.Sprintf("%s (%s): %s failed in a row, the last one at %s", v.ID, v.URL,
				tries(v.Failures), v.LastTry.At.UTC().Format(time.RFC3339)), "to see why, run: guardrails webhooks deliveries "+v.ID)
		case v.LastTry == nil:
			fine = append(fine, v.ID+" has sent nothing yet")
		default:
			fine = append(fine, v.ID+" delivered an event at "+v.LastTry.At.UTC().Format(time.RFC3339))
		}
	}
	if len(fine) > 0 {
		x.add(linkWebhooks, OK, strings.Join(fine, ", "), "")
	}
}

func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}
