import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client";
import { vocabularies } from "../../api/queries";
import type { WebhookSecret } from "../../api/shapes";
import { Button } from "../../parts/Button";
import { Chips } from "../../parts/Chips";
import { Field, inputClass } from "../../parts/Field";
import { Failed } from "../../parts/States";
import css from "./Safety.module.css";

const empty = { url: "", events: [] as string[], format: "", description: "", allow_private: false };

export function NewWebhook({ onMade }: { onMade: (made: WebhookSecret) => void }) {
  const client = useQueryClient();
  const { data: known } = useQuery(vocabularies);
  const [form, setForm] = useState(empty);
  const put = (change: Partial<typeof empty>) => setForm((now) => ({ ...now, ...change }));
  const made = useMutation({
    mutationFn: ({ events, format, ...rest }: typeof empty) =>
      ask<WebhookSecret>("POST", "/api/guardrails/webhooks", {
        body: { ...rest, ...(events.length > 0 ? { events } : {}), ...(format ? { format } : {}) },
      }),
    onSuccess: (hook, sent) => {
      setForm((now) => (now === sent ? empty : now)); // what a person has typed since then stays
      onMade(hook);
      void client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        made.mutate(form);
      }}
    >
      <h3>New webhook</h3>
      <div className={css.row}>
        <Field label="URL" hint="https, or http to the server's own computer.">
          {(control) => <input {...control} className={inputClass} type="url" required value={form.url} onChange={(e) => put({ url: e.target.value })} />}
        </Field>
        <Field label="Description" hint="For example: alerts for the people on duty.">
          {(control) => <input {...control} className={inputClass} value={form.description} onChange={(e) => put({ description: e.target.value })} />}
        </Field>
        <Field label="Format">
          {(control) => (
            <select {...control} className={inputClass} value={form.format} onChange={(e) => put({ format: e.target.value })}>
              <option value="">automatic (from the URL)</option>
              {known?.webhook_formats.map((format) => (
                <option key={format.name} value={format.name}>
                  {format.about}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field label="Events to send" hint="Events of decisions and detectors are sent only if you list them here.">
        {(control) => <Chips {...control} values={form.events} suggestions={known?.webhook_filters ?? []} placeholder="*" onChange={(events) => put({ events })} />}
      </Field>
      <label className={css.check}>
        <input type="checkbox" checked={form.allow_private} onChange={(e) => put({ allow_private: e.target.checked })} />
        Allow an address in a private network
      </label>
      {made.error && <Failed error={made.error} />}
      <div>
        <Button kind="main" type="submit" disabled={!form.url || made.isPending}>
          Add the webhook
        </Button>
      </div>
    </form>
  );
}
