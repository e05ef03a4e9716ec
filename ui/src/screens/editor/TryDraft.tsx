import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client";
import type { CallVerdict, EvaluatedContext, GuidelineCreate, Preview } from "../../api/shapes";
import { callOf } from "../../model/call";
import { taskOf } from "../../model/task";
import { Field, inputClass } from "../../parts/Field";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import { Tools } from "../playground/TaskAnswer";
import { CombinedText } from "./CombinedText";
import css from "./TryDraft.module.css";
import { useSettled } from "./notes";

// TryDraft compares the saved guidelines with the draft. It shows what applies to an example task, and how a typed
// call is decided. The draft is null while the server would refuse it.
export function TryDraft({ draft }: { draft: GuidelineCreate | null }) {
  const [text, setText] = useState("");
  const call = callOf(useSettled(text));
  const task = draft && taskOf(draft);
  const previewed = useQuery({
    queryKey: ["guidelines", "preview", draft, call],
    queryFn: ({ signal }) =>
      ask<Preview>("POST", "/api/guardrails/preview", {
        body: { draft: { guidelines: [draft] }, context: task, call: call && { ...call, project_id: draft?.project_id } },
        signal,
      }),
    enabled: draft !== null,
    placeholderData: (before) => before,
    retry: false,
  });
  const [saved, changed] = [previewed.data?.saved, previewed.data?.draft];
  return (
    <div className={css.try}>
      <Field label="Try it: a command, a call such as Write(src/main.go), or the input of a hook">
        {(control) => (
          <textarea
            {...control}
            className={`${inputClass} mono`}
            rows={2}
            spellCheck={false}
            placeholder="git push --force origin main"
            value={text}
            onChange={(e) => setText(e.target.value)}
          />
        )}
      </Field>
      {call && !draft && <p className="soft">The server would refuse this draft. Correct it to try the call.</p>}
      {previewed.error && call && <Failed error={previewed.error} />}
      {call && draft && saved?.call && (
        <div className={css.sides} role="group" aria-label="Decisions">
          <Side title="Now" call={saved.call} />
          <Side title="With this draft" call={changed?.call} />
        </div>
      )}
      {draft && task && !previewed.error && saved?.evaluated && changed?.evaluated && (
        <>
          <details className={css.combined}>
            <summary>What applies to {taskWords(task)}</summary>
            <div className={css.sides} role="group" aria-label="What applies">
              <Applies title="Now" evaluated={saved.evaluated} />
              <Applies title="With this draft" evaluated={changed.evaluated} />
            </div>
          </details>
          <CombinedText id={draft.id} evaluated={changed.evaluated} />
        </>
      )}
    </div>
  );
}

function taskWords(task: ReturnType<typeof taskOf>): string {
  const known = [task.agent && `the agent ${task.agent}`, task.domain && `the domain ${task.domain}`, task.action && `the action ${task.action}`];
  const words = known.filter(Boolean).join(", ");
  return words ? `a task with ${words}` : "a task";
}

function Applies({ title, evaluated }: { title: string; evaluated: EvaluatedContext }) {
  const ids = evaluated.matching_guidelines.map((g) => g.id);
  return (
    <div className={css.side} role="group" aria-label={title}>
      <h3>{title}</h3>
      <p className="small">
        {ids.length === 0 ? "No guideline applies." : <Raw text={`${ids.length === 1 ? "1 guideline applies" : `${ids.length} guidelines apply`}: ${ids.join(", ")}`} />}
      </p>
      <Tools evaluated={evaluated} />
    </div>
  );
}

function Side({ title, call }: { title: string; call: CallVerdict | undefined }) {
  if (!call) return null;
  return (
    <div className={css.side}>
      <h3>{title}</h3>
      <Outcome result={call.decision} />
      {call.guideline && <code>{call.guideline}</code>}
      {call.reason && (
        <p className="small">
          <Raw text={call.reason} />
        </p>
      )}
    </div>
  );
}
