import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { create, update } from "../../api/changes";
import { Failure, ask, pathOf } from "../../api/client";
import type { Guideline } from "../../api/shapes";
import { changedFields, created, draftOf } from "../../model/draft";
import type { Draft } from "../../model/draft";
import { merge } from "../../model/merge";
import type { Merge } from "../../model/merge";

export interface FoundConflict extends Merge {
  theirs: Guideline;
}

interface Request {
  draft: Draft;
  base: Guideline | null;
}

// useSave saves a draft. If somebody else saved first, it merges the changes in different fields and saves the result.
// If both people changed the same field differently, the person chooses, and nothing is lost.
export function useSave(base: Guideline | null, onSaved: (saved: Guideline, sent: Draft) => void) {
  const [conflict, setConflict] = useState<FoundConflict | null>(null);
  const saving = useMutation({
    mutationFn: async ({ draft, base: from }: Request): Promise<Guideline | FoundConflict> => {
      try {
        return await put(draft, from);
      } catch (error) {
        if (!from || !(error instanceof Failure) || error.status !== 409) throw error;
        return resolve(draft, from);
      }
    },
    onSuccess: (answer, { draft }) => {
      if ("conflicts" in answer) setConflict(answer);
      else onSaved(answer, draft);
    },
  });
  return {
    save: (draft: Draft, from: Guideline | null = base) => {
      setConflict(null);
      saving.mutate({ draft, base: from });
    },
    isSaving: saving.isPending,
    error: saving.error,
    conflict,
    dismiss: () => setConflict(null),
  };
}

async function put(draft: Draft, base: Guideline | null): Promise<Guideline> {
  if (!base) return create(created(draft));
  const { id, project_id: project, ...rest } = created(draft);
  const groups = new Set(changedFields(draftOf(base), draft).map((field) => field.split(".")[0]));
  const change = Object.fromEntries(Object.entries({ ...rest, locked: draft.locked }).filter(([name]) => groups.has(name)));
  return update(id, project ?? undefined, { ...change, version: base.version });
}

async function resolve(draft: Draft, base: Guideline): Promise<Guideline | FoundConflict> {
  const theirs = await ask<Guideline>("GET", pathOf(base.id), { query: { project_id: base.project_id } });
  const merged = merge(draftOf(base), draft, draftOf(theirs));
  if (merged.conflicts.length > 0) return { ...merged, theirs };
  return put(merged.merged, theirs);
}
