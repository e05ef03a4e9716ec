import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { create } from "../../api/changes";
import type { Pack, PackCopy } from "../../api/shapes";
import { created, draftOf } from "../../model/draft";
import { actionSentence, conditionSentence } from "../../model/sentence";
import { Button } from "../../parts/Button";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import { Diff } from "../editor/Diff";
import css from "./Packs.module.css";
import { TakeText } from "./TakeText";

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
        <Copy key={copy.project_id ?? ""} copy={copy} mayWrite={mayWrite} />
      ))}
      {mayWrite && row.state === "installed" && <CopyAndEdit row={row} />}
    </div>
  );
}

// The component Copy shows how a copy in the store differs from the installed pack.
function Copy({ copy, mayWrite }: { copy: PackCopy; mayWrite: boolean }) {
  return (
    <div className={css.copy}>
      <Link to="/guidelines/$id" params={{ id: copy.id }} search={{ sort: "priority", project: copy.project_id }}>
        The copy in the store{copy.project_id ? ` for ${copy.project_id}` : " for all projects"}
      </Link>
      {copy.behind && <p className="soft">This copy was made from an older text of the pack.</p>}
      <Diff changes={copy.fields.map((f) => ({ field: f.field, old: f.new, new: f.yours }))} />
      {mayWrite && <TakeText copy={copy} />}
    </div>
  );
}

function CopyAndEdit({ row }: { row: Row }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const id = row.guideline.id;
  const copy = useMutation({
    mutationFn: () => create(created(draftOf(row.guideline))),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["guidelines"] });
      await navigate({ to: "/guidelines/$id", params: { id }, search: { sort: "priority" } });
    },
  });
  return (
    <div className={css.actions}>
      {copy.error && <Failed error={copy.error} />}
      <Button disabled={copy.isPending} onClick={() => copy.mutate()}>
        Copy into the store and edit
      </Button>
    </div>
  );
}
