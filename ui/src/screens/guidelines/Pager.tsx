import { Link, useSearch } from "@tanstack/react-router";
import { buttonClass } from "../../parts/Button";
import css from "./Pager.module.css";

export function Pager({ total, size, page }: { total: number; size: number; page: number }) {
  const search = useSearch({ from: "/guidelines" });
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1) return null;
  return (
    <nav aria-label="Pages" className={css.pager}>
      {page > 1 && (
        <Link to="." search={{ ...search, page: page > 2 ? page - 1 : undefined }} className={buttonClass}>
          Previous
        </Link>
      )}
      <span>
        Page {page} of {last}
      </span>
      {page < last && (
        <Link to="." search={{ ...search, page: page + 1 }} className={buttonClass}>
          Next
        </Link>
      )}
    </nav>
  );
}
