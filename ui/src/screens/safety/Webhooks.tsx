import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ask } from "../../api/client";
import { webhooks } from "../../api/queries";
import type { Delivery, Webhook, WebhookSecret } from "../../api/shapes";
import { count } from "../../model/words";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { CopyButton } from "../../parts/CopyButton";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { Toggle } from "../../parts/Toggle";
import { Deliveries } from "./Deliveries";
import { NewWebhook } from "./NewWebhook";
import css from "./Safety.module.css";

export const at = (id: string, rest = "") => `/api/guardrails/webhooks/${encodeURIComponent(id)}${rest}`;

export function Webhooks() {
  const found = useQuery(webhooks);
  const [secret, setSecret] = useState<WebhookSecret | null>(null);
  return (
    <>
      {found.isPending && <Loading rows={2} label="Reading the webhooks" />}
      {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
      {found.data?.webhooks.length === 0 && <Empty title="There are no webhooks yet." />}
      <ul className={css.rows} aria-label="Webhooks">
        {found.data?.webhooks.map((hook) => (
          <OneWebhook key={hook.id} hook={hook} onSecret={setSecret} />
        ))}
      </ul>
      <div aria-live="polite">
        {secret?.secret && (
          <div className={css.secret}>
            <p>
              The secret of {secret.url} is shown only now. <CopyButton name="Copy the secret" text={secret.secret} />
            </p>
            <code>{secret.secret}</code>
          </div>
        )}
      </div>
      <NewWebhook onMade={setSecret} />
    </>
  );
}

function OneWebhook({ hook, onSecret }: { hook: Webhook; onSecret: (made: WebhookSecret) => void }) {
  const client = useQueryClient();
  const { webhook: open } = useSearch({ from: "/safety" });
  const search = useSearch({ from: "/safety" });
  const [asks, setAsks] = useState<"remove" | "rotate" | null>(null);
  const renew = () => client.invalidateQueries({ queryKey: ["webhooks"] });
  const change = useMutation({
    mutationFn: (enabled: boolean) => ask<Webhook>("PUT", at(hook.id), { body: { version: hook.version, enabled } }),
    onSettled: renew,
  });
  const test = useMutation({ mutationFn: () => ask<Delivery>("POST", at(hook.id, "/test")), onSettled: renew });
  const rotate = useMutation({ mutationFn: () => ask<WebhookSecret>("POST", at(hook.id, "/rotate")), onSuccess: onSecret, onSettled: renew });
  const remove = useMutation({
    mutationFn: () => ask("DELETE", at(hook.id), { query: { version: hook.version } }),
    onSettled: renew,
  });
  const isBusy = [change, test, rotate, remove].some((each) => each.isPending);
  const error = change.error ?? test.error ?? rotate.error ?? remove.error;
  const isOpen = open === hook.id;
  return (
    <li>
      <div className={css.head}>
        <Toggle label={`${hook.url} is on`} checked={hook.enabled} disabled={isBusy} onChange={(on) => change.mutate(on)} />
        <Raw text={hook.url} className="mono" />
        <span className="soft">
          {hook.events.join(", ") || "*"} · {hook.format}
        </span>
        <Raw text={hook.description} className="soft" />
      </div>
      {hook.disabled_reason && <Raw text={hook.disabled_reason} />}
      {hook.last_try && (
        <span className="soft">
          Last try <Time at={hook.last_try.at} />: {hook.last_try.status ?? <Raw text={hook.last_try.error ?? ""} />}
          {hook.failures > 0 && `, ${count(hook.failures, "failure")} since the last success`}
        </span>
      )}
      <div className={css.buttons}>
        <Button disabled={isBusy} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <Link to="." search={{ ...search, webhook: isOpen ? undefined : hook.id }} resetScroll={false}>
          {isOpen ? "Hide the deliveries" : "Show the deliveries"}
        </Link>
        {hook.format === "json" && (
          <Button disabled={isBusy} onClick={() => setAsks("rotate")}>
            New secret
          </Button>
        )}
        <Button kind="danger" disabled={isBusy} onClick={() => setAsks("remove")}>
          Remove
        </Button>
        <span role="status">{test.data && <>Test: <Outcome result={test.data.state} /></>}</span>
      </div>
      {error && <Failed error={error} />}
      {isOpen && <Deliveries id={hook.id} />}
      <Confirm
        open={asks === "remove"}
        danger
        title="Remove this webhook?"
        yes="Remove"
        onNo={() => setAsks(null)}
        onYes={() => {
          setAsks(null);
          remove.mutate();
        }}
      >
        <p>Events will no longer be sent to {hook.url}.</p>
      </Confirm>
      <Confirm
        open={asks === "rotate"}
        title="Make a new secret?"
        yes="Make it"
        onNo={() => setAsks(null)}
        onYes={() => {
          setAsks(null);
          rotate.mutate();
        }}
      >
        <p>For 24 hours, requests are signed with the old secret too.</p>
      </Confirm>
    </li>
  );
}
