// Unsaved drafts are kept in the browser, so that nothing is lost when a tab is closed or a session ends.
import type { Guideline } from "../api/shapes";
import type { Draft } from "../model/draft";

export interface Kept {
  draft: Draft;
  base: Guideline | null; // what the draft was made from
  unfinished?: Readonly<Record<string, string>>; // JSON that is not an object yet, by field
}

const keyOf = (id: string, project: string) => `guardrails.draft.${project}/${id}`;

export function keptDraft(id: string, project: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(id, project)) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

// keptDrafts returns all drafts of this browser. The id of a new guideline's draft is empty.
export function keptDrafts(): { id: string; project: string; kept: Kept }[] {
  const prefix = keyOf("", "").slice(0, -1);
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .sort()
    .flatMap((key) => {
      const place = key.slice(prefix.length);
      const [project, id] = [place.slice(0, place.lastIndexOf("/")), place.slice(place.lastIndexOf("/") + 1)];
      const kept = keptDraft(id, project);
      return kept ? [{ id, project, kept }] : [];
    });
}

export function keepDraft(id: string, project: string, kept: Kept | null) {
  if (kept) localStorage.setItem(keyOf(id, project), JSON.stringify(kept));
  else localStorage.removeItem(keyOf(id, project));
}
