import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client";
import type { ToolTest } from "../../api/shapes";
import { callOf } from "../../model/call";
import { Field, inputClass } from "../../parts/Field";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import css from "./Fields.module.css";
import { useSettled } from "./notes";

const most = 100;

// ToolTester shows which of the pasted commands and calls the tool patterns match.
export function ToolTester({ patterns }: { patterns: string[] }) {
  const [text, setText] = useState("");
  const lines = useSettled(text).split("\n").filter((line) => line.trim()).slice(0, most);
  const tested = useQuery({
    queryKey: ["test-tools", patterns, lines],
    queryFn: () => ask<ToolTest>("POST", "/api/guardrails/test-tools", { body: { patterns, calls: lines.map(callOf) } }),
    enabled: lines.length > 0,
    retry: false,
  });
  return (
    <details className={css.more}>
      <summary>Test the patterns</summary>
      <Field label="Commands or calls to test, one on each line">
        {(control) => (
          <textarea {...control} className={`${inputClass} mono`} rows={3} spellCheck={false} value={text} onChange={(e) => setText(e.target.value)} />
        )}
      </Field>
      {tested.error && <Failed error={tested.error} />}
      {lines.length > 0 && tested.data && (
        <ul className={css.tests} aria-label="Tested calls">
          {tested.data.calls.map((call, i) => (
            <li key={i}>
              <span>{call.matched ? "matches" : "no match"}</span>
              <span>
                <Raw text={lines[i] ?? ""} />
                {call.by.length > 0 && <span className="soft"> by {call.by.join(", ")}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
