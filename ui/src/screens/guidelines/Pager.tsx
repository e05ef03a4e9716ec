import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { GuidelineList } from "../../api/shapes";
import { buttonClass } from "../../parts/Button";
import css from "./Pager.module.css";

// Only this number of guidelines at the beginning of the list can be read by page number.
const numbered = 10_000;

// Pager shows which page of the list is open, and the links to other pages. The next page begins where this page ends,
// so its link contains a cursor. The previous page is read by its number. If the previous page cannot be read by its
// number, there is a link to the first page instead.
export function Pager({ list }: { list: GuidelineList | undefined }) {
  const { cursor } = useSearch({ from: "/guidelines" });
  if (!list) return cursor ? <nav className={css.pager} aria-label="Pages"><To>First</To></nav> : null;
  const { page, page_size: size, total, next_cursor: next } = list;
  if (page === 1 && !next) return null;
  const before = page - 1;
  return (
    <nav aria-label="Pages" className={css.pager}>
      {before > 0 && (before * size <= numbered ? <To page={before > 1 ? before : undefined}>Previous</To> : <To>First</To>)}
      <span>
        Page {page} of {Math.max(page, Math.ceil(total / size))}
      </span>
      {next && <To cursor={next}>Next</To>}
    </nav>
  );
}

function To({ page, cursor, children }: { page?: number | undefined; cursor?: string; children: ReactNode }) {
  return (
    <Link to="." search={(search) => ({ ...search, page, cursor }) as never} className={buttonClass}>
      {children}
    </Link>
  );
}
