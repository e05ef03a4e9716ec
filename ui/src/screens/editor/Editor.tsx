import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useBlocker, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { remove } from "../../api/changes";
import { session } from "../../api/queries";
import type { Guideline } from "../../api/shapes";
import { changedFields, draftOf } from "../../model/draft";
import type { Draft } from "../../model/draft";
import { merge } from "../../model/merge";
import { actionSentence, conditionSentence } from "../../model/sentence";
import { Button, buttonClass } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Notes } from "../../parts/Field";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import { keepDraft, keptDraft } from "../../state/drafts";
import { useSaved } from "../../state/saved";
import { ActionFields } from "./ActionFields";
import { BasicFields } from "./BasicFields";
import { ConditionFields } from "./ConditionFields";
import { ConflictDialog } from "./ConflictDialog";
import css from "./Editor.module.css";
import { DraftJson } from "./DraftJson";
import { TryDraft } from "./TryDraft";
import { withText } from "./unfinished";
import type { Texts, Unfinished } from "./unfinished";
import { useNotes } from "./notes";
import { useSave } from "./save";

interface Props {
  base: Guideline | null; // what the store has; null for a new guideline
  start: Draft;
  readOnly: boolean;
  asJson?: boolean; // the draft is shown as JSON and not in fields
  isGone?: boolean; // somebody has deleted the guideline in the meantime
}

// The constant "whole" is the name under which unfinished JSON of the whole draft is kept.
const whole = "json";

export function Editor({ base: stored, start, readOnly, asJson = false, isGone = false }: Props) {
  const [kept] = useState(() => (readOnly ? null : keptDraft(stored?.id ?? "", stored?.project_id ?? "")));
  const [base, setBase] = useState(kept ? kept.base : stored);
  const [draft, setDraft] = useState(kept ? kept.draft : start);
  const [texts, setTexts] = useState<Texts>(kept?.unfinished ?? {});
  const from = base ? draftOf(base) : start;
  const isUnfinished = Object.keys(texts).length > 0;
  const isDirty = isUnfinished || changedFields(from, draft).length > 0;
  const navigate = useNavigate();
  const search = useSearch({ from: "/guidelines" });
  const client = useQueryClient();
  const { data: who } = useQuery(session);

  // If the person has no unsaved changes, the editor shows the newer version that somebody else has saved.
  if (stored && base && stored.version > base.version && !isDirty) {
    setBase(stored);
    setDraft(draftOf(stored));
  }
  const keep = useCallback(
    (next: Draft | null) => keepDraft(stored?.id ?? "", stored?.project_id ?? "", next && { draft: next, base, unfinished: texts }),
    [stored?.id, stored?.project_id, base, texts],
  );
  useEffect(() => {
    if (!readOnly) keep(isDirty ? draft : null);
  }, [draft, isDirty, keep, readOnly]);

  const save = useSave(base, (saved, sent) => {
    keep(null);
    useSaved.setState({ id: saved.id, version: saved.version });
    setBase(saved);
    // Keep what was typed while the answer was on its way.
    setDraft((now) => (changedFields(sent, now).length === 0 ? draftOf(saved) : merge(sent, now, draftOf(saved)).merged));
    void client.invalidateQueries({ queryKey: ["guidelines"] });
    void navigate({
      to: "/guidelines/$id",
      params: { id: saved.id },
      search: { ...search, project: saved.project_id, from: undefined },
      ignoreBlocker: true,
    });
  });
  const wasSaved = useSaved((last) => last.id === base?.id && last.version === base.version);
  const [asksDelete, setAsksDelete] = useState(false);
  const [deleteError, setDeleteError] = useState<Error | null>(null);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const notes = useNotes(draft, isDirty, save.error);
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }));
  const unfinished: Unfinished = (field) => ({
    unfinished: texts[field],
    onUnfinished: (text) => setTexts((now) => withText(now, field, text)),
  });
  const discard = () => {
    setDraft(from);
    setTexts({});
  };
  const isCopy = base === null && start.id !== "";
  const maySave = !readOnly && !save.isSaving && !isUnfinished && (isDirty || isGone || isCopy);
  const send = () => save.save(draft, isGone ? null : base);

  const drop = async () => {
    setAsksDelete(false);
    try {
      if (base) await remove(base);
    } catch (error) {
      setDeleteError(error as Error);
      return;
    }
    keep(null);
    await navigate({ to: "/guidelines", search: { ...search, project: undefined, tab: undefined }, ignoreBlocker: true });
    client.removeQueries({ queryKey: ["guidelines", "one", base?.id] });
    await client.invalidateQueries({ queryKey: ["guidelines", "list"] });
  };

  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (maySave) send();
      }}
      onKeyDown={(event) => {
        if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          if (maySave) send();
        }
      }}
    >
      {readOnly && who && <p className={css.readOnly}>You have the role "{who.role}". You can see every field but not change it.</p>}
      {kept && isDirty && (
        <p className={css.kept}>
          You have not saved these changes yet. This browser has kept them for you.{" "}
          <Button kind="quiet" onClick={discard}>
            Discard them
          </Button>
        </p>
      )}
      {isGone && (
        <p className={css.kept}>Somebody deleted this guideline. Your copy is still here. You can create the guideline again from it.</p>
      )}
      {stored && base && stored.version > base.version && isDirty && (
        <p className={css.kept}>Somebody else saved version {stored.version}. When you save, you can merge both versions.</p>
      )}
      <p className={css.sentence}>
        <Raw text={`${actionSentence(draft.action)} ${conditionSentence(draft.condition)}`} />
      </p>
      {asJson ? (
        <DraftJson
          draft={draft}
          saved={base && draftOf(base)}
          readOnly={readOnly}
          notes={notes.all}
          {...unfinished(whole)}
          onChange={setDraft}
        />
      ) : (
        <fieldset disabled={readOnly || texts[whole] !== undefined} className={css.fields}>
          <BasicFields draft={draft} readOnly={readOnly} isNew={base === null} notes={notes.of} overrides={notes.overrides} set={set} unfinished={unfinished} />
          <ConditionFields draft={draft} readOnly={readOnly} notes={notes.of} set={set} unfinished={unfinished} />
          <ActionFields draft={draft} readOnly={readOnly} notes={notes.of} set={set} unfinished={unfinished} />
        </fieldset>
      )}
      {!asJson && texts[whole] !== undefined && (
        <p className={css.kept}>The text in the view "JSON" is not a guideline yet. Finish it there, or discard the changes.</p>
      )}
      <TryDraft draft={notes.valid} />
      {!asJson && notes.rest.length > 0 && <Notes notes={notes.rest} />}
      {save.error && !save.conflict && <Failed error={save.error} />}
      {deleteError && <Failed error={deleteError} />}
      {!readOnly && (
        <div className={css.buttons}>
          <Button kind="main" type="submit" disabled={!maySave}>
            {isGone ? "Create it again" : base ? "Save" : "Create"}
          </Button>
          <Button disabled={!isDirty} onClick={discard}>
            Discard changes
          </Button>
          {isDirty && !isUnfinished && draft.id !== "" && (
            <Link className={buttonClass} to="/replay" search={{ draft: `${stored?.project_id ?? ""}/${stored?.id ?? ""}` }} ignoreBlocker>
              Replay this draft
            </Link>
          )}
          <span className={css.space} />
          {base && (
            <Link className={buttonClass} to="/guidelines/~new" search={{ ...search, project: base.project_id, from: base.id, tab: undefined }}>
              Copy
            </Link>
          )}
          {base && !isGone && (
            <Button kind="danger" onClick={() => setAsksDelete(true)}>
              Delete
            </Button>
          )}
        </div>
      )}
      <p role="status" className={css.status}>
        {save.isSaving ? "Saving" : base && wasSaved && !isDirty ? `Saved as version ${base.version}.` : ""}
      </p>
      <Confirm open={asksDelete} danger title="Delete this guideline?" yes="Delete" onNo={() => setAsksDelete(false)} onYes={() => void drop()}>
        <p>The guideline stops applying within two seconds. You can restore it from its history.</p>
      </Confirm>
      <Confirm
        open={blocker.status === "blocked"}
        title="Leave without saving?"
        yes="Leave"
        no="Stay"
        onYes={() => blocker.proceed?.()}
        onNo={() => blocker.reset?.()}
      >
        <p>Your changes stay in this browser. They will be here when you come back.</p>
      </Confirm>
      {save.conflict && (
        <ConflictDialog
          conflict={save.conflict}
          onCancel={save.dismiss}
          onResolve={(resolved, theirs) => {
            setBase(theirs);
            setDraft(resolved);
            save.save(resolved, theirs);
          }}
        />
      )}
    </form>
  );
}
