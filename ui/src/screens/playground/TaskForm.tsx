import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ask } from "../../api/client";
import { vocabularies } from "../../api/queries";
import type { Preview, TaskContext } from "../../api/shapes";
import type { PlaygroundSearch } from "../../model/addresses";
import { Button } from "../../parts/Button";
import { Chips } from "../../parts/Chips";
import { Field, inputClass } from "../../parts/Field";
import { Failed, Loading } from "../../parts/States";
import { suggestions } from "../editor/ConditionFields";
import { Agent } from "./Agent";
import { CompareTask } from "./Compare";
import { CompareWith } from "./CompareWith";
import css from "./Playground.module.css";
import { TaskAnswer } from "./TaskAnswer";

type Form = Pick<PlaygroundSearch, "agent" | "domain" | "action" | "event" | "paths" | "prompt" | "against">;

export function TaskForm() {
  const search = useSearch({ from: "/playground" });
  const navigate = useNavigate({ from: "/playground" });
  const [form, setForm] = useState<Form>(search);
  useEffect(() => setForm(search), [search]); // after going back in the browser, the form shows what the address says
  const { data: known } = useQuery(vocabularies);
  const task = taskOf(search);
  const tried = useQuery({
    queryKey: ["guidelines", "task", task],
    queryFn: ({ signal }) => ask<Preview>("POST", "/api/guardrails/preview", { body: { context: task }, signal }),
    enabled: task !== null,
    retry: false,
  });
  const { explained, evaluated } = tried.data?.saved ?? {};
  const put = (change: Partial<Form>) => setForm({ ...form, ...change });
  return (
    <>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          const { agent, domain, action, event: happens, paths, prompt, against } = form;
          void navigate({ to: ".", search: { mode: "task", agent, domain, action, event: happens, paths, prompt, against: against || undefined } as PlaygroundSearch });
        }}
      >
        <div className={css.row}>
          <Agent value={form.agent ?? ""} known={known?.agents ?? []} onChange={(agent) => put({ agent })} />
          <Words label="Action" value={form.action} known={suggestions(known, "actions")} onChange={(action) => put({ action })} />
          <Words label="Domain" value={form.domain} known={suggestions(known, "domains")} onChange={(domain) => put({ domain })} />
          <Words label="Event" value={form.event} known={suggestions(known, "events")} onChange={(event) => put({ event })} />
        </div>
        <Field label="Paths">
          {(control) => <Chips {...control} mono values={form.paths ?? []} placeholder="src/worker.go" onChange={(paths) => put({ paths })} />}
        </Field>
        <Field label="Prompt" hint="If Action and Domain are empty, they are taken from the prompt.">
          {(control) => <input {...control} className={inputClass} value={form.prompt ?? ""} onChange={(e) => put({ prompt: e.target.value })} />}
        </Field>
        <CompareWith value={form.against ?? ""} onChange={(against) => put({ against })} />
        <div>
          <Button kind="main" type="submit">
            Evaluate the task
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        {task && search.against && <CompareTask task={task} against={search.against} />}
        {tried.isFetching && !tried.data && <Loading rows={3} label="Evaluating the task" />}
        {tried.error && <Failed error={tried.error} retry={() => void tried.refetch()} />}
        {explained && evaluated && !tried.error && <TaskAnswer explained={explained} evaluated={evaluated} />}
      </div>
    </>
  );
}

// taskOf returns the task of the address. If the address has no field of a task, there is nothing to evaluate yet, and
// the result is null.
function taskOf(search: PlaygroundSearch): TaskContext | null {
  const { agent, domain, action, event, paths, prompt } = search;
  const given = Object.entries({ agent, domain, action, event, paths, prompt }).filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : (Object.fromEntries(given) as TaskContext);
}

interface WordsProps {
  label: string;
  value: string | undefined;
  known: { name: string }[];
  onChange: (value: string) => void;
}

function Words({ label, value, known, onChange }: WordsProps) {
  return (
    <Field label={label}>
      {(control) => (
        <>
          <input {...control} className={inputClass} list={`list-${label}`} value={value ?? ""} onChange={(e) => onChange(e.target.value)} />
          <datalist id={`list-${label}`}>
            {known.map((word) => (
              <option key={word.name} value={word.name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
