import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { packs, session, settings } from "../../api/queries";
import { permits } from "../../api/session";
import type { Pack } from "../../api/shapes";
import { count } from "../../model/words";
import { Category } from "../../parts/Category";
import { Page } from "../../parts/Page";
import { Raw } from "../../parts/Raw";
import { Failed, Loading } from "../../parts/States";
import { PackDetails } from "./PackDetails";
import type { Row } from "./PackDetails";
import { UpdateAll } from "./UpdateAll";
import css from "./Packs.module.css";

// The component Packs shows the guidelines that come with the program, and their copies in the store.
export function Packs() {
  const found = useQuery(packs);
  const { data: who } = useQuery(session);
  const { data: server } = useQuery(settings);
  const mayWrite = permits(who?.role, "write");
  return (
    <Page
      title="Packs"
      about="Guidelines that come with the program. To change one, copy it into the store. Then your copy applies instead."
    >
      {found.isPending && <Loading label="Reading the packs" />}
      {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
      {found.data && mayWrite && <UpdateAll packs={found.data.packs} />}
      {found.data?.packs.map((pack) => (
        <OnePack key={pack.name} pack={pack} inForce={server?.settings?.packs.includes(pack.name)} mayWrite={mayWrite} />
      ))}
    </Page>
  );
}

interface OneProps {
  pack: Pack;
  inForce: boolean | undefined; // undefined if this caller may not know it
  mayWrite: boolean;
}

function OnePack({ pack, inForce, mayWrite }: OneProps) {
  return (
    <section className={css.pack} aria-labelledby={`pack-${pack.name}`}>
      <h2 id={`pack-${pack.name}`}>
        {pack.name}{" "}
        <span className="soft">
          version {pack.version}
          {inForce !== undefined && (inForce ? ", in force" : ", not in force for the server's own project")}
        </span>
      </h2>
      <p className="soft">
        {pack.description}. {count(pack.guidelines.length, "guideline")}.
      </p>
      <ul className={css.rows}>
        {pack.guidelines.map((row) => (
          <OneRow key={row.guideline.id} row={row} mayWrite={mayWrite} />
        ))}
      </ul>
      {pack.withdrawn.length > 0 && (
        <>
          <h3>Not in the pack any more</h3>
          <ul className={css.rows} aria-label={`Copies of guidelines that ${pack.name} no longer contains`}>
            {pack.withdrawn.map((copy) => (
              <li key={`${copy.project_id ?? ""}/${copy.id}`} className={css.row}>
                <Link to="/guidelines/$id" params={{ id: copy.id }} search={{ sort: "priority", project: copy.project_id }}>
                  {copy.id}
                </Link>{" "}
                <Raw text={`The store still has the copy ${copy.project_id ? `for ${copy.project_id}` : "for all projects"}${copy.off ? ", switched off" : ""}.`} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const states: Record<Row["state"], string> = {
  installed: "as installed",
  same: "copied, same text",
  changed: "changed in the store",
  off: "off in the store",
  outdated: "copied, older than the pack",
};

function OneRow({ row, mayWrite }: { row: Row; mayWrite: boolean }) {
  const { open } = useSearch({ from: "/packs" });
  const navigate = useNavigate({ from: "/packs" });
  const g = row.guideline;
  const isOpen = open === g.id;
  const flip = () => void navigate({ to: ".", search: { open: isOpen ? undefined : g.id }, replace: true });
  return (
    <li className={css.row} data-changed={row.copies.length > 0 || undefined}>
      <div className={css.head}>
        <button type="button" className={css.name} aria-expanded={isOpen} onClick={flip}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {g.name}
        </button>
        <Category name={g.category} />
        <span className={css.state}>{states[row.state]}</span>
      </div>
      {isOpen && <PackDetails row={row} mayWrite={mayWrite} />}
    </li>
  );
}
