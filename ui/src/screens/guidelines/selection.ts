import { useState } from "react";
import type { Guideline } from "../../api/shapes";

export const keyOf = (g: Guideline) => `${g.project_id ?? ""}/${g.id}`;

export interface Selection {
  chosen: Guideline[];
  has: (g: Guideline) => boolean;
  isAll: boolean;
  flip: (g: Guideline) => void;
  drop: (g: Guideline) => void;
  all: (on: boolean) => void;
}

// useSelection remembers which of the shown guidelines are chosen. A guideline that is no longer shown counts as not
// chosen.
export function useSelection(rows: Guideline[]): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter((g) => keys.has(keyOf(g)));
  return {
    chosen,
    has: (g) => keys.has(keyOf(g)),
    isAll: rows.length > 0 && chosen.length === rows.length,
    flip: (g) => setKeys(flipped(keys, keyOf(g))),
    drop: (g) => setKeys((now) => new Set([...now].filter((key) => key !== keyOf(g)))),
    all: (on) => setKeys(new Set(on ? rows.map(keyOf) : [])),
  };
}

function flipped(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
