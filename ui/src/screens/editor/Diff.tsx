import { plain } from "../../model/words";
import { Raw } from "../../parts/Raw";
import css from "./Diff.module.css";

export interface Change {
  field: string;
  old: unknown;
  new: unknown;
}

// The component Diff shows changes by signs and words, not by colour alone.
export function Diff({ changes }: { changes: Change[] }) {
  return (
    <dl className={css.diff}>
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{plain(change.field)}</dt>
          <dd className={css.old}>
            <span className="hidden">before: </span>
            <Value value={change.old} />
          </dd>
          <dd className={css.new}>
            <span className="hidden">after: </span>
            <Value value={change.new} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Value({ value }: { value: unknown }) {
  if (value === undefined || value === null || value === "") return <span className="soft">nothing</span>;
  if (Array.isArray(value) && value.every((v) => typeof v === "string")) return <Raw text={value.join(", ")} />;
  if (typeof value === "object") return <Raw lines text={JSON.stringify(value, null, 2)} />;
  return <Raw text={String(value as string)} />;
}
