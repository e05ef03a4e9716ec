import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { sessionEntries } from "../../api/queries";
import type { AuditEntry } from "../../api/shapes";
import { decisions } from "../../model/outcome";
import { agentOf, turns } from "../../model/timeline";
import type { Step } from "../../model/timeline";
import { count, plain } from "../../model/words";
import { Button, buttonClass } from "../../parts/Button";
import { Outcome } from "../../parts/Outcome";
import { Page } from "../../parts/Page";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import css from "./Sessions.module.css";

// The component Session shows the timeline of one session: the calls, and what a person was asked and answered.
export function Session() {
  const { id } = useParams({ from: "/sessions/$id" });
  const found = useInfiniteQuery(sessionEntries(id));
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? [];
  const total = found.data?.pages[0]?.total ?? 0;
  return (
    <Page
      title="Session"
      about={<Raw text={id} className="mono" />}
      actions={
        <>
          <Link to="/sessions" className={buttonClass}>
            All sessions
          </Link>
          <Link to="/audit" search={{ session: id }} className={buttonClass}>
            Its entries in the audit
          </Link>
        </>
      }
    >
      {found.isPending && <Loading label="Reading the session" />}
      {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
      {found.data && entries.length === 0 && (
        <Empty title="The audit has nothing about this session.">
          <p>It may belong to another tenant, or its entries were removed because of their age.</p>
        </Empty>
      )}
      {entries.length > 0 && <Facts entries={entries} total={total} />}
      {found.hasNextPage && (
        <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Read earlier entries
        </Button>
      )}
      <ol className={css.rows} aria-label="Timeline">
        {turns(entries).map((turn, i) => (
          <li key={i} className={css.row}>
            <h2 className={css.agent}>
              <Raw text={turn.agent || "without an agent"} />
            </h2>
            <ol className={css.steps}>
              {turn.steps.map((step) => (
                <OneStep key={step.entry.id} step={step} />
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </Page>
  );
}

function Facts({ entries, total }: { entries: AuditEntry[]; total: number }) {
  const distinct = (values: (string | undefined)[]) => [...new Set(values.filter((value) => value !== undefined && value !== ""))].join(", ");
  const results = (result: string) => entries.filter((entry) => entry.event_type === "decision" && entry.decision?.result === result).length;
  const projects = distinct(entries.map((entry) => entry.project_id));
  const shown = entries.length < total ? `${entries.length.toLocaleString("en")} of ${count(total, "entry", "entries")}` : count(total, "entry", "entries");
  return (
    <div className={css.head}>
      <span>{shown}</span>
      {projects && <Raw text={`Project: ${projects}`} />}
      <Raw text={`Agents: ${distinct(entries.map(agentOf))}`} />
      <span className={css.results}>
        {decisions
          .filter((tone) => results(tone) > 0)
          .map((tone) => (
            <span key={tone}>
              {results(tone)} <Outcome result={tone} />
            </span>
          ))}
      </span>
    </div>
  );
}

function OneStep({ step: { entry, answers } }: { step: Step }) {
  return (
    <li className={css.step}>
      <Link to="/audit" search={{ session: entry.session_id, entry: entry.id }} className={css.at}>
        <Time at={entry.timestamp} />
      </Link>
      {entry.decision && <Outcome result={entry.event_type === "unchecked" ? "unchecked" : entry.decision.result} />}
      <div>
        {entry.event_type !== "decision" && <span>{plain(entry.event_type)} </span>}
        {entry.decision?.tool && <strong>{entry.decision.tool} </strong>}
        <Raw text={[entry.guideline_name || entry.guideline_id, ...(entry.context?.paths ?? [])].filter(Boolean).join(" ")} />
        {entry.decision?.reason && (
          <div className="soft">
            <Raw text={entry.decision.reason} />
          </div>
        )}
        {answers.map((answer) => (
          <div key={answer.id} className={css.answer}>
            {answer.event_type === "remember" ? "remembered: " : "answered: "}
            {answer.decision && <Outcome result={answer.decision.result} />}
            {answer.decision?.user_response && <Raw text={answer.decision.user_response} />}
          </div>
        ))}
      </div>
    </li>
  );
}
