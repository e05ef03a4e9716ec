import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ask } from "../../api/client";
import type { Condition, ConditionTest } from "../../api/shapes";
import { filled } from "../../model/draft";
import { Raw } from "../../parts/Raw";
import { Time } from "../../parts/Time";
import css from "./Fields.module.css";
import { useSettled } from "./notes";

// RecordedContexts says how many of the recorded contexts the condition matches.
export function RecordedContexts({ condition }: { condition: Condition }) {
  const settled = useSettled(condition);
  const tested = useQuery({
    queryKey: ["audit", "test-condition", settled],
    queryFn: ({ signal }) => ask<ConditionTest>("POST", "/api/guardrails/test-condition", { body: { condition: filled(settled) }, signal }),
    placeholderData: (before) => before,
    retry: false,
  });
  if (!tested.data) return null;
  const { examples } = tested.data;
  return (
    <div className={css.recorded}>
      <p role="status" aria-label="Recorded contexts" className="small">
        {sentence(tested.data)}
      </p>
      {examples.length > 0 && (
        <details className={css.more}>
          <summary>The newest of these contexts</summary>
          <ul className={css.tests} aria-label="Matching contexts">
            {examples.map((example) => (
              <li key={example.entry_id}>
                <Link to="/audit" search={{ entry: example.entry_id }}>
                  <Time at={example.timestamp} />
                </Link>
                <Raw text={[example.agent, example.tool, ...example.events, ...example.paths].filter(Boolean).join(" ")} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function sentence({ tried, matched, open }: ConditionTest): string {
  if (tried === 0) return "No decision is recorded yet, so there is nothing to try the condition on.";
  const of = tried === 1 ? "1 recorded context" : `the last ${tried} contexts`;
  if (open > 0) return `Matches ${open} of ${of} if the custom facts match. Records do not contain these facts.`;
  return `Matches ${matched} of ${of}.`;
}
