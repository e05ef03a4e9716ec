import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../../api/client";
import { deliveries } from "../../api/queries";
import type { Delivery } from "../../api/shapes";
import { Button } from "../../parts/Button";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import css from "./Safety.module.css";
import { at } from "./Webhooks";

// The component Deliveries shows what was sent to a webhook, with every try. A person can send each delivery again.
export function Deliveries({ id }: { id: string }) {
  const found = useInfiniteQuery(deliveries(id));
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: (delivery: string) => ask<Delivery>("POST", at(id, `/deliveries/${encodeURIComponent(delivery)}/replay`)),
    onSettled: () => client.invalidateQueries({ queryKey: ["webhooks"] }),
  });
  if (found.isPending) return <Loading rows={2} label="Reading the deliveries" />;
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const sent = found.data.pages.flatMap((page) => page.deliveries);
  if (sent.length === 0) return <Empty title="Nothing was sent yet." />;
  return (
    <div className={css.inner}>
      {replay.error && <Failed error={replay.error} />}
      <ul className={css.rows} aria-label="Deliveries">
        {sent.map((delivery) => (
          <li key={delivery.id}>
            <div className={css.head}>
              <Outcome result={delivery.state} />
              <span>{delivery.event}</span>
              <Time at={delivery.created_at} />
              {delivery.replay_of && <span className="soft">sent again</span>}
              <Button disabled={replay.isPending} aria-label={`Send ${delivery.event} again`} onClick={() => replay.mutate(delivery.id)}>
                Send again
              </Button>
            </div>
            {delivery.tries.map((each) => (
              <span key={each.attempt} className="soft">
                Try {each.attempt} at <Time at={each.at} />: {each.status ?? <Raw text={each.error ?? "no answer"} />} after {each.duration_ms} ms
              </span>
            ))}
            {delivery.next_at && (
              <span className="soft">
                Next try at <Time at={delivery.next_at} />
              </span>
            )}
            <details>
              <summary>What was sent</summary>
              <Raw lines text={delivery.body} />
            </details>
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show older deliveries
        </Button>
      )}
    </div>
  );
}
