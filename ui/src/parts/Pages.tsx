import { Link } from "@tanstack/react-router";
import { buttonClass } from "./Button";
import css from "./Pages.module.css";

// The component Pages shows the links to the first and the next page of a list whose pages have cursors. The properties
// "first" and "next" are the search parameters that the links change.
export function Pages({ first, next }: { first: object | undefined; next: object | undefined }) {
  return (
    <nav className={css.pages} aria-label="Pages">
      {first && <To change={first}>Newest</To>}
      {next && <To change={next}>Older</To>}
    </nav>
  );
}

function To({ change, children }: { change: object; children: string }) {
  return (
    <Link to="." search={(search) => ({ ...search, ...change }) as never} className={buttonClass}>
      {children}
    </Link>
  );
}
