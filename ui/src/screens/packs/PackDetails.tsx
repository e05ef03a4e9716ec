import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { create } from "../../api/changes";
import { ask } from "../../api/client";
import type { Pack, PackCopy } from "../../api/shapes";
import { created, draftOf } from "../../model/draft";
import { actionSentence, conditionSentence } from "../../model/sentence";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import { Diff } from "../editor/Diff";
import css from "./Packs.module.css";

export type Row = Pack["guidelines"][number];

// PackDetails shows a guideline of a pack, the copies of it in the store, and what can be done with it.
export function PackDetails({ row, mayWrite }: { row: Row; mayWrite: boolean }) {
  const g = row.guideline;
  return (
    <div className={css.details}>
      <p>{g.description}</p>
      <p className="soft">
        <Raw text={`${actionSentence(g.action)} ${conditionSentence(g.condition)}`} />
      </p>
      <p className="small">
        <code>{g.id}</code> · priority {g.priority}
      </p>
      {row.copies.map((copy) => (
        <Copy key={copy.project_id ?? ""} copy={copy} />
      ))}
      {mayWrite && <Actions row={row} />}
    </div>
  );
}

// Copy shows how a copy in the store differs from the installed pack.
function Copy({ copy }: { copy: PackCopy }) {
  return (
    <div className={css.copy}>
      <Link to="/guidelines/$id" params={{ id: copy.id }} search={{ sort: "priority", project: copy.project_id }}>
        The copy in the store{copy.project_id ? ` for ${copy.project_id}` : " for all projects"}
      </Link>
      {copy.behind && <p className="soft">It was made from an older text of the pack.</p>}
      <Diff changes={copy.fields.map((f) => ({ field: f.field, old: f.new, new: f.yours }))} />
    </div>
  );
}

function Actions({ row }: { row: Row }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const id = row.guideline.id;
  const copy = useMutation({
    mutationFn: () => create(created(draftOf(row.guideline))),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["guidelines"] });
      await navigate({ to: "/guidelines/$id", params: { id }, search: { sort: "priority" } });
    },
  });
  const take = useMutation({
    mutationFn: () => ask("POST", "/api/guardrails/packs", { body: { take: [id] } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["guidelines"] }),
  });
  const error = copy.error ?? take.error;
  return (
    <div className={css.actions}>
      {error && <Failed error={error} />}
      {row.state === "installed" && (
        <Button disabled={copy.isPending} onClick={() => copy.mutate()}>
          Copy into the store and edit
        </Button>
      )}
      {(row.state === "changed" || row.state === "off" || row.state === "outdated") && (
        <Button disabled={take.isPending} onClick={() => setAsks(true)}>
          Take the text of the pack
        </Button>
      )}
      <Confirm
        open={asks}
        title="Take the text of the pack?"
        yes="Take it"
        onNo={() => setAsks(false)}
        onYes={() => {
          setAsks(false);
          take.mutate();
        }}
      >
        <p>The installed text replaces yours. The history keeps your text.</p>
      </Confirm>
    </div>
  );
}
