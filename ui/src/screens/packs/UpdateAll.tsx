import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../../api/client";
import type { Pack, PackCopy, PackUpdate } from "../../api/shapes";
import { count } from "../../model/words";
import { Button } from "../../parts/Button";
import { Failed } from "../../parts/States";
import { Diff } from "../editor/Diff";
import css from "./Packs.module.css";

// UpdateAll shows what an update of all copies would do, and then does it. It does not touch copies that somebody
// changed.
export function UpdateAll({ packs }: { packs: Pack[] }) {
  const client = useQueryClient();
  const send = (dry: boolean) => ask<PackUpdate>("POST", "/api/guardrails/packs", { body: { dry_run: dry } });
  const asked = useMutation({ mutationFn: () => send(true) });
  const done = useMutation({
    mutationFn: () => send(false),
    onSuccess: () => asked.reset(),
    onSettled: () => client.invalidateQueries({ queryKey: ["guidelines"] }),
  });
  const plan = asked.data;
  const error = asked.error ?? done.error;
  return (
    <section className={css.update} aria-label="Update">
      <Button disabled={asked.isPending || done.isPending} onClick={() => asked.mutate()}>
        Update all copies
      </Button>
      {error && <Failed error={error} />}
      <div aria-live="polite">
        {done.data && !plan && <p>{resultOf(done.data)}</p>}
        {plan && changesOf(plan) === 0 && <p>All unchanged copies already have the newest text of their pack. {keptWords(plan)}</p>}
        {plan && changesOf(plan) > 0 && (
          <>
            <p>
              {count(changesOf(plan), "copy", "copies")} would change. {keptWords(plan)}
            </p>
            <ul aria-label="What would change">
              {[...plan.renewed, ...plan.taken].map((id) => (
                <li key={id} className={css.copy}>
                  <code>{id}</code>
                  {copiesOf(packs, id).map((copy) => (
                    <Diff key={copy.project_id ?? ""} changes={copy.fields.map((f) => ({ field: f.field, old: f.yours, new: f.new }))} />
                  ))}
                </li>
              ))}
              {plan.removed.map((id) => (
                <li key={id}>
                  <code>{id}</code> will be removed, because the pack no longer has this guideline.
                </li>
              ))}
            </ul>
            <Button kind="main" disabled={done.isPending} onClick={() => done.mutate()}>
              Update {count(changesOf(plan), "copy", "copies")}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

const changesOf = (update: PackUpdate) => update.renewed.length + update.taken.length + update.removed.length;

function keptWords({ kept }: PackUpdate): string {
  if (kept.length === 0) return "";
  return kept.length === 1 ? "1 changed copy is kept." : `${kept.length} changed copies are kept.`;
}

function resultOf(update: PackUpdate): string {
  return `${count(changesOf(update), "copy was", "copies were")} updated. The history keeps the earlier texts.`;
}

function copiesOf(packs: Pack[], id: string): PackCopy[] {
  return packs.flatMap((pack) => pack.guidelines.filter((row) => row.guideline.id === id).flatMap((row) => row.copies));
}
