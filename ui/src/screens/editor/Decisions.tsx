import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { audit } from "../../api/queries";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import css from "./Decisions.module.css";

const newest = 10;

// The component Decisions shows the newest decisions of a guideline. It reads them only when a person opens it.
export function Decisions({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={css.decisions} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Decisions of this guideline</summary>
      {isOpen && <Newest id={id} />}
    </details>
  );
}

function Newest({ id }: { id: string }) {
  const found = useQuery(audit({ guideline_id: id, kind: "decision", page_size: newest } as Parameters<typeof audit>[0]));
  if (found.error) return <Failed error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loading rows={3} label="Reading the decisions" />;
  if (found.data.entries.length === 0) return <Empty title="This guideline has not decided anything yet." />;
  return (
    <>
      <ul className={css.rows} aria-label="Newest decisions">
        {found.data.entries.map((entry) => (
          <li key={entry.id}>
            <Outcome result={entry.decision?.result ?? ""} />
            <Link to="/audit" search={{ guideline_id: id, entry: entry.id }}>
              <Time at={entry.timestamp} />
            </Link>
            <Raw text={entry.decision?.reason ?? ""} className="soft" />
          </li>
        ))}
      </ul>
      <Link to="/audit" search={{ guideline_id: id }}>
        All entries of this guideline
      </Link>
    </>
  );
}
