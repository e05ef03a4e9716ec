import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client";
import type { CallVerdict, GuidelineCreate, Preview } from "../../api/shapes";
import { callOf } from "../../model/call";
import { Field, inputClass } from "../../parts/Field";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import css from "./TryDraft.module.css";
import { useSettled } from "./notes";

// TryDraft shows what a call would get now, and with the draft.
export function TryDraft({ draft }: { draft: GuidelineCreate }) {
  const [text, setText] = useState("");
  const [typed, tried] = useSettled2(text, draft);
  const call = callOf(typed);
  const previewed = useQuery({
    queryKey: ["guidelines", "preview", tried, call],
    queryFn: ({ signal }) =>
      ask<Preview>("POST", "/api/guardrails/preview", {
        body: { draft: { guidelines: [tried] }, call: { ...call, project_id: tried.project_id } },
        signal,
      }),
    enabled: call !== null,
    retry: false,
  });
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
      {previewed.error && <Failed error={previewed.error} />}
      {previewed.data && call && (
        <div className={css.sides} role="group" aria-label="Decisions">
          <Side title="Now" call={previewed.data.saved.call} />
          <Side title="With this draft" call={previewed.data.draft?.call} />
        </div>
      )}
    </div>
  );
}

function useSettled2(text: string, draft: GuidelineCreate) {
  const settled = useSettled(JSON.stringify([text, draft]));
  return JSON.parse(settled) as [string, GuidelineCreate];
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
