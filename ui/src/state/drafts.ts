// Unsaved drafts are kept in the browser, so that a closed tab or an ended session loses nothing.
import type { Guideline } from "../api/shapes";
import type { Draft } from "../model/draft";

export interface Kept {
  draft: Draft;
  base: Guideline | null; // what the draft was made from
}

const keyOf = (id: string, project: string) => `guardrails.draft.${project}/${id}`;

export function keptDraft(id: string, project: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(id, project)) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

export function keepDraft(id: string, project: string, kept: Kept | null) {
  if (kept) localStorage.setItem(keyOf(id, project), JSON.stringify(kept));
  else localStorage.removeItem(keyOf(id, project));
}
