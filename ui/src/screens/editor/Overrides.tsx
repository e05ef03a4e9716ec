import { Link, useSearch } from "@tanstack/react-router";
import type { Lint } from "../../api/shapes";
import { Raw } from "../../parts/Raw";
import css from "./Fields.module.css";

// The component Overrides lists the parts of other guidelines that the draft overrides, and the parts of the draft that
// other guidelines override.
export function Overrides({ id, overrides }: { id: string; overrides: Lint["overrides"] }) {
  const search = useSearch({ from: "/guidelines" });
  if (overrides.length === 0) return null;
  return (
    <ul className={css.overrides} aria-label="Overrides">
      {overrides.map((o, i) => {
        const other = o.by === id ? o.id : o.by;
        return (
          <li key={i}>
            {o.by === id ? "Overrides " : "Is overridden by "}
            <Link to="/guidelines/$id" params={{ id: other }} search={{ ...search, project: undefined, tab: undefined }}>
              {other}
            </Link>
            <Raw text={`: ${o.what}. ${o.by === id ? "This" : "That"} guideline decides: ${o.reason}.`} />
          </li>
        );
      })}
    </ul>
  );
}
