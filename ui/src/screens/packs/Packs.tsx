import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { create } from "../../api/changes";
import { ask } from "../../api/client";
import { packs, session } from "../../api/queries";
import { permits } from "../../api/session";
import type { Pack, PackCopy } from "../../api/shapes";
import { created, draftOf } from "../../model/draft";
import { actionSentence, conditionSentence } from "../../model/sentence";
import { count } from "../../model/words";
import { Button } from "../../parts/Button";
import { Category } from "../../parts/Category";
import { Confirm } from "../../parts/Confirm";
import { Page } from "../../parts/Page";
import { Raw } from "../../parts/Raw";
import { Failed, Loading } from "../../parts/States";
import { Diff } from "../editor/Diff";
import css from "./Packs.module.css";

type Row = Pack["guidelines"][number];

// Packs shows the guidelines that come with the program, and what the store has instead of them.
export function Packs() {
  const found = useQuery(packs);
  const { data: who } = useQuery(session);
  return (
    <Page
      title="Packs"
      about="Guidelines that come with the program. A guideline that you change is copied into the store, and your text applies instead."
    >
      {found.isPending && <Loading label="Reading the packs" />}
      {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
      {found.data?.packs.map((pack) => <OnePack key={pack.name} pack={pack} mayWrite={permits(who?.role, "write")} />)}
    </Page>
  );
}

function OnePack({ pack, mayWrite }: { pack: Pack; mayWrite: boolean }) {
  return (
    <section className={css.pack} aria-labelledby={`pack-${pack.name}`}>
      <h2 id={`pack-${pack.name}`}>
        {pack.name} <span className="soft">version {pack.version}</span>
      </h2>
      <p className="soft">
        {pack.description}. {count(pack.guidelines.length, "guideline")}.
      </p>
      <ul className={css.rows}>
        {pack.guidelines.map((row) => (
          <OneRow key={row.guideline.id} row={row} mayWrite={mayWrite} />
        ))}
      </ul>
    </section>
  );
}

const states: Record<Row["state"], string> = {
  installed: "as installed",
  same: "copied, equal",
  changed: "changed in the store",
  off: "off in the store",
  outdated: "copied, older text",
};

function OneRow({ row, mayWrite }: { row: Row; mayWrite: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const g = row.guideline;
  return (
    <li className={css.row} data-changed={row.copies.length > 0 || undefined}>
      <div className={css.head}>
        <button type="button" className={css.name} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {g.name}
        </button>
        <Category name={g.category} />
        <span className={css.state}>{states[row.state]}</span>
      </div>
      {isOpen && (
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
      )}
    </li>
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
