import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { audit } from "../../api/queries";
import type { AuditEntry } from "../../api/shapes";
import type { safetySearch } from "../../model/addresses";
import { waits } from "../../model/waiting";
import { inputClass } from "../../parts/Field";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { sinceTime } from "../audit/since";
import css from "./Safety.module.css";

type Search = ReturnType<typeof safetySearch>;

const shown = 100;
const mostAnswers = 1000;
const results = ["hold", "block"] as const;

// The component Verdicts lists the messages and answers that the gate held or blocked, so that a person can look at
// them.
export function Verdicts() {
  const search = useSearch({ from: "/safety" });
  const navigate = useNavigate({ from: "/safety" });
  const since = search.since ?? "week";
  const put = (change: Partial<Search>) => void navigate({ to: ".", search: (s: Search) => ({ ...s, ...change }), replace: true });
  const query = (result: string) =>
    audit({ result, mode: search.mode, date_from: sinceTime(since), page_size: shown } as Parameters<typeof audit>[0]);
  const held = useQuery({ ...query("hold"), enabled: search.result !== "block" });
  const blocked = useQuery({ ...query("block"), enabled: search.result !== "hold" });
  const answers = useQuery(audit({ event_type: "gate", date_from: sinceTime(since), page_size: mostAnswers }));
  const asked = [...(search.result === "block" ? [] : [held]), ...(search.result === "hold" ? [] : [blocked])];
  const error = asked.find((each) => each.error)?.error;
  const rows = asked
    .flatMap((each) => each.data?.entries ?? [])
    .sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
  const isPending = asked.some((each) => each.isPending);
  return (
    <section aria-labelledby="verdicts" className={css.section}>
      <h2 id="verdicts">Held and blocked</h2>
      <div className={css.filters} role="search">
        <Choice label="Time" value={since} onChange={(value) => put({ since: value as Search["since"] })}>
          <option value="hour">last hour</option>
          <option value="day">last 24 hours</option>
          <option value="week">last 7 days</option>
        </Choice>
        <Choice label="Verdict" value={search.result ?? ""} onChange={(value) => put({ result: (value || undefined) as Search["result"] })}>
          <option value="">held and blocked</option>
          {results.map((result) => (
            <option key={result} value={result}>
              only {result === "hold" ? "held" : "blocked"}
            </option>
          ))}
        </Choice>
        <Choice label="Mode" value={search.mode ?? ""} onChange={(value) => put({ mode: (value || undefined) as Search["mode"] })}>
          <option value="">in any mode</option>
          <option value="enforce">enforced</option>
          <option value="observe">only observed</option>
          <option value="off">asked by a program</option>
        </Choice>
      </div>
      {error && <Failed error={error} retry={() => void Promise.all(asked.map((each) => each.refetch()))} />}
      {isPending && !error && <Loading rows={3} label="Reading the audit" />}
      {!isPending && !error && rows.length === 0 && <Empty title="Nothing was held or blocked in this period." />}
      <ul className={css.rows} aria-label="Held and blocked">
        {rows.map((entry) => (
          <Row key={entry.id} entry={entry} isWaiting={answers.data !== undefined && waits(entry, answers.data.entries)} />
        ))}
      </ul>
      {asked.some((each) => (each.data?.total ?? 0) > shown) && <p className="soft">Only the newest entries are shown. The audit contains all entries.</p>}
    </section>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <select aria-label={label} className={inputClass} value={value} onChange={(e) => onChange(e.target.value)}>
      {children}
    </select>
  );
}

// The type Details is what the gate records with a verdict.
interface Details {
  mode?: string;
  flags?: string[];
  gate?: string;
  policies?: string[];
  override?: { name: string; from: string; to: string };
}

function detailsOf(entry: AuditEntry): Details {
  const metadata = entry.context?.metadata as { details?: Details } | undefined;
  return metadata?.details ?? {};
}

function Row({ entry, isWaiting }: { entry: AuditEntry; isWaiting: boolean }) {
  const { mode, policies = [], override } = detailsOf(entry);
  return (
    <li>
      <div className={css.head}>
        <Outcome result={entry.decision?.result ?? ""} />
        {isWaiting && <strong>waits for a person</strong>}
        <span>{entry.event_type === "safety_output" ? "an answer of the model" : "a message"}</span>
        <Time at={entry.timestamp} />
        <Link to="/audit" search={{ entry: entry.id, result: entry.decision?.result, event_type: entry.event_type }}>
          Open in the audit
        </Link>
      </div>
      <Raw text={entry.decision?.reason ?? ""} />
      <span className="soft">
        {effectOf(mode, entry)}
        {override && ` The policy ${override.name} changed ${override.from} to ${override.to}.`}
        {!override && policies.length > 0 && ` Policies that applied: ${policies.join(", ")}.`}
      </span>
    </li>
  );
}

// effectOf says what happened because of a verdict. If the gate only observes, it says what would have happened.
function effectOf(mode: string | undefined, entry: AuditEntry): string {
  if (mode === "off" || mode === undefined) return "A program asked for this verdict. guardrails did not enforce it.";
  const isBlock = entry.decision?.result === "block";
  const isOutput = entry.event_type === "safety_output";
  if (mode === "enforce") {
    if (!isBlock) return `The ${isOutput ? "answer" : "message"} passed, but a person should look at it.`;
    return isOutput ? "The model was asked for another answer." : "The message was stopped before the model read it.";
  }
  if (!isBlock) return `Only observed. The ${isOutput ? "answer" : "message"} would have passed, but a person should look at it.`;
  return isOutput ? "Only observed. The model would have been asked for another answer." : "Only observed. The message would have been stopped.";
}
