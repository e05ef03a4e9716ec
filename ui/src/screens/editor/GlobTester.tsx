import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client";
import type { PathTest } from "../../api/shapes";
import { Field, inputClass } from "../../parts/Field";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import css from "./Fields.module.css";
import { useSettled } from "./notes";

// GlobTester shows which of the pasted paths match.
export function GlobTester({ patterns }: { patterns: string[] }) {
  const [text, setText] = useState("");
  const paths = useSettled(text).split("\n").map((line) => line.trim()).filter(Boolean).slice(0, 200);
  const tested = useQuery({
    queryKey: ["test-paths", patterns, paths],
    queryFn: () => ask<PathTest>("POST", "/api/guardrails/test-paths", { body: { patterns, paths } }),
    enabled: paths.length > 0,
  });
  return (
    <details className={css.more}>
      <summary>Test the paths</summary>
      <Field label="Paths to test, one on each line">
        {(control) => (
          <textarea {...control} className={`${inputClass} mono`} rows={3} spellCheck={false} value={text} onChange={(e) => setText(e.target.value)} />
        )}
      </Field>
      {tested.error && <Failed error={tested.error} />}
      {paths.length > 0 && tested.data && (
        <ul className={css.tests} aria-label="Tested paths">
          {tested.data.paths.map((row, i) => (
            <li key={i}>
              <span>{row.matched ? "matches" : "no match"}</span>
              <span>
                {row.part ? (
                  <>
                    <Raw text={row.path.slice(0, row.part.start)} />
                    <mark>
                      <Raw text={row.path.slice(row.part.start, row.part.end)} />
                    </mark>
                    <Raw text={row.path.slice(row.part.end)} />
                  </>
                ) : (
                  <Raw text={row.path} />
                )}
                {row.by.length > 0 && <span className="soft"> by {row.by.join(", ")}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
