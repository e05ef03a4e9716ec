import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ask, askLines } from "../../api/client";
import { vocabularies } from "../../api/queries";
import type { GuidelineCreate, Lint, ReplayLine } from "../../api/shapes";
import type { ReplaySearch } from "../../model/addresses";
import { created, draftOf } from "../../model/draft";
import { Button } from "../../parts/Button";
import { Field, inputClass } from "../../parts/Field";
import { Page } from "../../parts/Page";
import { Empty, Failed } from "../../parts/States";
import { keptDrafts } from "../../state/drafts";
import { Moment } from "../audit/AuditFilters";
import { sinceTime } from "../audit/since";
import css from "./Replay.module.css";
import { Report } from "./Report";

// The component Replay judges recorded calls again, as if a draft were saved. Nothing runs, and nothing is saved.
export function Replay() {
  const search = useSearch({ from: "/replay" });
  const navigate = useNavigate({ from: "/replay" });
  const put = (change: Partial<ReplaySearch>) => void navigate({ to: ".", search: (s: ReplaySearch) => ({ ...s, ...change }), replace: true });
  const { data: known } = useQuery(vocabularies);
  const [drafts] = useState(() => keptDrafts().filter((d) => d.kept.draft.id));
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [line, setLine] = useState<ReplayLine | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = useMutation({
    mutationFn: async () => {
      running.current = new AbortController();
      setLine(null);
      const { result, actor, session, since = "day", date_to } = search;
      const date_from = search.date_from ?? (date_to ? undefined : sinceTime(since));
      const guidelines = file ? await guidelinesOf(file.text) : chosen(drafts, search.draft);
      await askLines<ReplayLine>(
        "POST",
        "/api/guardrails/replay",
        { query: { result, actor, session, date_from, date_to }, body: { draft: { guidelines } }, signal: running.current.signal },
        setLine,
      );
      return guidelines.length > 0;
    },
  });
  const take = (given: File | undefined) => void given?.text().then((text) => setFile({ name: given.name, text }));
  return (
    <Page title="Replay" about="See which recorded calls would be decided differently. Nothing runs, and nothing is saved.">
      <form
        className={css.stack}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate();
        }}
      >
        <div className={css.row}>
          <Field label="Draft" hint="The unsaved drafts of this browser.">
            {(control) => (
              <select {...control} className={inputClass} disabled={file !== null} value={search.draft ?? ""} onChange={(e) => put({ draft: e.target.value || undefined })}>
                <option value="">none: the saved guidelines</option>
                {drafts.map((draft) => (
                  <option key={keyOf(draft)} value={keyOf(draft)}>
                    {draft.kept.draft.id}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Or a file of guidelines" hint={file ? file.name : "YAML or JSON. You can also drop it here."}>
            {(control) => <input {...control} className={css.file} type="file" accept=".yaml,.yml,.json" onChange={(e) => take(e.target.files?.[0])} />}
          </Field>
          {file && <Button onClick={() => setFile(null)}>Remove the file</Button>}
        </div>
        <div className={css.row}>
          <Field label="Time">
            {(control) => (
              <select {...control} className={inputClass} value={search.date_from || search.date_to ? "" : (search.since ?? "day")}
                onChange={(e) => put({ since: (e.target.value || undefined) as ReplaySearch["since"], date_from: undefined, date_to: undefined })}>
                <option value="" disabled>
                  set by From and To
                </option>
                <option value="hour">the last hour</option>
                <option value="day">the last 24 hours</option>
                <option value="week">the last 7 days</option>
              </select>
            )}
          </Field>
          <Moment label="From" value={search.date_from} onChange={(date_from) => put({ date_from, since: undefined })} />
          <Moment label="To" value={search.date_to} onChange={(date_to) => put({ date_to, since: undefined })} />
          <Field label="Decision">
            {(control) => (
              <select {...control} className={inputClass} value={search.result ?? ""} onChange={(e) => put({ result: e.target.value || undefined })}>
                <option value="">any decision</option>
                {known?.replay_results.map((result) => (
                  <option key={result.name} value={result.name}>
                    {result.about}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Agent">
            {(control) => <input {...control} className={inputClass} value={search.actor ?? ""} onChange={(e) => put({ actor: e.target.value || undefined })} />}
          </Field>
          <Field label="Session">
            {(control) => <input {...control} className={inputClass} value={search.session ?? ""} onChange={(e) => put({ session: e.target.value || undefined })} />}
          </Field>
        </div>
        <div className={css.row}>
          <Button kind="main" type="submit" disabled={run.isPending}>
            Replay
          </Button>
          {run.isPending && <Button onClick={() => running.current?.abort()}>Stop</Button>}
        </div>
      </form>
      <div aria-live="polite">
        {run.isPending && <p>{line ? `${line.read} of ${line.total} entries read, ${line.changed} calls would be decided differently.` : "Reading the recorded calls."}</p>}
        {run.error && run.error.name !== "AbortError" && <Failed error={run.error} retry={() => run.mutate()} />}
        {run.isIdle && (
          <Empty title="Nothing has been replayed yet.">
            <p>Choose a draft or a file, and the recorded calls. Then select "Replay".</p>
          </Empty>
        )}
        {run.error?.name === "AbortError" && <p>You stopped the replay.</p>}
        {line?.type === "result" && !run.isPending && <Report report={line} hasDraft={run.data ?? false} />}
      </div>
    </Page>
  );
}

function chosen(drafts: ReturnType<typeof keptDrafts>, key: string | undefined): GuidelineCreate[] {
  const draft = drafts.find((d) => keyOf(d) === key);
  return draft ? [created(draft.kept.draft)] : [];
}

const keyOf = (draft: { id: string; project: string }) => `${draft.project}/${draft.id}`;

// guidelinesOf reads a file of guidelines. The server parses the file, so that only the server decides what is valid.
async function guidelinesOf(text: string): Promise<GuidelineCreate[]> {
  const read = await ask<Lint>("POST", "/api/guardrails/lint", { body: { text, format: /^\s*[[{]/.test(text) ? "json" : "yaml", alone: true } });
  const [problem] = read.problems;
  if (problem) throw new Error([problem.line && `line ${problem.line}:`, problem.path, problem.message + ";", problem.remedy].filter(Boolean).join(" "));
  return read.guidelines.map((g) => created(draftOf(g)));
}
