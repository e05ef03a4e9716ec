// merge() joins a draft with what somebody else has saved in the meantime. If only one side changed a field, merge()
// uses this change. If both sides changed the same field differently, the person chooses.
import { changedFields, fields, withField } from "./draft";
import type { Draft } from "./draft";

export interface Conflict {
  field: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

export interface Merge {
  merged: Draft; // the other person's version with my changes; a field in conflict has my value
  conflicts: Conflict[];
  fromThem: string[]; // fields that only the other person changed
}

export function merge(base: Draft, mine: Draft, theirs: Draft): Merge {
  const [before, my, their] = [fields(base), fields(mine), fields(theirs)];
  const byMe = changedFields(base, mine);
  const byThem = new Set(changedFields(base, theirs));
  const differ = new Set(changedFields(mine, theirs));
  const merged = byMe.reduce((draft, field) => withField(draft, field, my.get(field)), theirs);
  const conflicts = byMe
    .filter((field) => byThem.has(field) && differ.has(field))
    .map((field) => ({ field, base: before.get(field), mine: my.get(field), theirs: their.get(field) }));
  return { merged, conflicts, fromThem: [...byThem].filter((field) => !byMe.includes(field)) };
}
