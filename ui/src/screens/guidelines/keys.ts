import { useEffect, useState } from "react";
import type { Guideline } from "../../api/shapes";

interface Acts {
  open: (g: Guideline) => void;
  choose: (g: Guideline) => void;
}

// useKeys moves a cursor through the rows with j and k, opens a row with Enter, chooses it with x, and goes to the
// search with a slash.
export function useKeys(rows: Guideline[], { open, choose }: Acts) {
  const [cursor, setCursor] = useState(-1);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const row = rows[cursor];
      if (event.key === "j") setCursor(Math.min(cursor + 1, rows.length - 1));
      else if (event.key === "k") setCursor(Math.max(cursor - 1, 0));
      else if (event.key === "Enter" && row && event.target === document.body) open(row);
      else if (event.key === "x" && row) choose(row);
      else if (event.key === "/") document.querySelector<HTMLInputElement>("#search")?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [rows, cursor, open, choose]);
  return [cursor, setCursor] as const;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
