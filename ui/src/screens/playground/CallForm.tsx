import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ask } from "../../api/client";
import { vocabularies } from "../../api/queries";
import type { CallVerdict, ToolCall } from "../../api/shapes";
import type { PlaygroundSearch } from "../../model/addresses";
import { callOf } from "../../model/call";
import { Button } from "../../parts/Button";
import { Field, inputClass } from "../../parts/Field";
import { Failed, Loading } from "../../parts/States";
import { Agent } from "./Agent";
import { Compare } from "./Compare";
import { CompareWith } from "./CompareWith";
import css from "./Playground.module.css";
import { Verdict } from "./Verdict";

export function CallForm() {
  const search = useSearch({ from: "/playground" });
  const navigate = useNavigate({ from: "/playground" });
  const [text, setText] = useState(search.command ?? "");
  const [agent, setAgent] = useState(search.agent ?? "");
  const [against, setAgainst] = useState(search.against ?? "");
  // When the person goes back in the browser, the form shows what the address says.
  useEffect(() => {
    setText(search.command ?? "");
    setAgent(search.agent ?? "");
    setAgainst(search.against ?? "");
  }, [search.command, search.agent, search.against]);
  const { data: known } = useQuery(vocabularies);
  const call = asked(search);
  const judged = useQuery({
    queryKey: ["guidelines", "explain-call", call],
    queryFn: () => ask<CallVerdict>("POST", "/api/guardrails/explain-call", { body: call }),
    enabled: call !== null,
    retry: false,
  });
  return (
    <>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: ".", search: { command: text || undefined, agent: agent || undefined, against: against || undefined } as PlaygroundSearch });
          if (call) void judged.refetch();
        }}
      >
        <Field label="A command, a call such as Write(src/main.go), or the input of a hook">
          {(control) => (
            <textarea
              {...control}
              className={`${inputClass} mono`}
              rows={4}
              spellCheck={false}
              placeholder="git push --force origin main"
              value={text}
              onChange={(e) => setText(e.target.value)}
              onKeyDown={(e) => {
                if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) e.currentTarget.form?.requestSubmit();
              }}
            />
          )}
        </Field>
        <div className={css.row}>
          <Agent value={agent} known={known?.agents ?? []} onChange={setAgent} />
          <CompareWith value={against} onChange={setAgainst} />
        </div>
        <div>
          <Button kind="main" type="submit" disabled={!text.trim()}>
            Judge the call
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        {call && search.against && <Compare call={call} against={search.against} />}
        {judged.isFetching && !judged.data && <Loading rows={3} label="Judging the call" />}
        {judged.error && <Failed error={judged.error} retry={() => void judged.refetch()} />}
        {judged.data && call && !judged.error && <Verdict verdict={judged.data} call={call} />}
      </div>
    </>
  );
}

function asked(search: PlaygroundSearch): ToolCall | null {
  const call = callOf(search.command ?? "");
  return call && search.agent ? { ...call, agent: search.agent } : call;
}
