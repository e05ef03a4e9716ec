import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { packs, session } from "../../api/queries";
import { permits } from "../../api/session";
import type { Pack } from "../../api/shapes";
import { count } from "../../model/words";
import { Category } from "../../parts/Category";
import { Page } from "../../parts/Page";
import { Failed, Loading } from "../../parts/States";
import { PackDetails } from "./PackDetails";
import type { Row } from "./PackDetails";
import css from "./Packs.module.css";

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
  same: "copied, same text",
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
      {isOpen && <PackDetails row={row} mayWrite={mayWrite} />}
    </li>
  );
}
