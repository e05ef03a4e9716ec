import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../../api/client";
import type { PackCopy, PackUpdate } from "../../api/shapes";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Failed } from "../../parts/States";
import css from "./Packs.module.css";

// TakeText gives a copy in the store the text of the installed pack. The server also updates outdated copies that
// nobody changed, so the page first lists these copies with a dry run.
export function TakeText({ copy }: { copy: PackCopy }) {
  const client = useQueryClient();
  const update = (dry: boolean) =>
    ask<PackUpdate>("POST", "/api/guardrails/packs", { query: { project_id: copy.project_id }, body: { take: [copy.id], dry_run: dry } });
  const trial = useMutation({ mutationFn: () => update(true) });
  const take = useMutation({
    mutationFn: () => update(false),
    onSettled: () => client.invalidateQueries({ queryKey: ["guidelines"] }),
  });
  const error = trial.error ?? take.error;
  const others = (trial.data?.renewed ?? []).filter((id) => id !== copy.id);
  return (
    <div className={css.actions}>
      {error && <Failed error={error} />}
      <Button disabled={trial.isPending || take.isPending} onClick={() => trial.mutate()}>
        Use the pack's text
      </Button>
      <Confirm
        open={trial.isSuccess}
        title="Use the pack's text?"
        yes="Use it"
        onNo={() => trial.reset()}
        onYes={() => {
          trial.reset();
          take.mutate();
        }}
      >
        <p>The installed text replaces the text of the copy. The history keeps the replaced text.</p>
        {others.length > 0 && <p>Nobody has changed these older copies, so they get the newer text too: {others.join(", ")}.</p>}
      </Confirm>
    </div>
  );
}
