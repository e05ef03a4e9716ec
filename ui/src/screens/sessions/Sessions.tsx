import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { sessions, vocabularies } from "../../api/queries";
import type { SessionRow } from "../../api/shapes";
import { decisions } from "../../model/outcome";
import { count } from "../../model/words";
import { Outcome } from "../../parts/Outcome";
import { inputClass } from "../../parts/Field";
import { Page } from "../../parts/Page";
import { Pages } from "../../parts/Pages";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { Words } from "../audit/AuditFilters";
import { sinceTime } from "../audit/since";
import css from "./Sessions.module.css";

const pageSize = 50;

// The component Sessions lists the sessions with their agents and decisions. For each session, it also shows which
// guidelines asked a person, and how often. With this information, a person can change a guideline that asks too often.
export function Sessions() {
  const { since = "day", project, cursor } = useSearch({ from: "/sessions" });
  const navigate = useNavigate({ from: "/sessions" });
  const found = useQuery(sessions({ date_from: sinceTime(since), project, page_size: pageSize, cursor }));
  const { data: known } = useQuery(vocabularies);
  const rows = found.data?.sessions ?? [];
  return (
    <Page title="Sessions" about={found.data && count(found.data.total, "session")}>
      <div className={css.filters} role="search">
      <label>
        <span className="hidden">Time</span>
        <select
          className={inputClass}
          value={since}
          onChange={(e) => void navigate({ to: ".", search: (s) => ({ ...s, since: e.target.value as typeof since, cursor: undefined }) })}
        >
          <option value="now">last 15 minutes</option>
          <option value="hour">last hour</option>
          <option value="day">last 24 hours</option>
          <option value="week">last 7 days</option>
        </select>
      </label>
      <Words
        label="Project"
        value={project}
        suggestions={known?.projects.map((each) => each.name)}
        onChange={(next) => void navigate({ to: ".", search: (s) => ({ ...s, project: next, cursor: undefined }) })}
      />
      </div>
      {found.isPending && <Loading label="Reading the sessions" />}
      {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
      {found.data && rows.length === 0 && <Empty title={project ? "No session of this project in this period." : "No session in this period."} />}
      {found.data && !found.data.complete && (
        <p className="soft">
          This page counts {cursor ? "" : "the newest "}
          {count(found.data.counted, "entry", "entries")}, from <Time at={found.data.from} long />.
        </p>
      )}
      <ul className={css.rows}>
        {rows.map((row) => (
          <OneSession key={row.session} row={row} />
        ))}
      </ul>
      <Pages
        first={cursor ? { cursor: undefined } : undefined}
        next={found.data?.next_cursor ? { cursor: found.data.next_cursor } : undefined}
      />
    </Page>
  );
}

function answers(results: Record<string, number>): string {
  const given = (["approved", "rejected"] as const).filter((answer) => results[answer]);
  return given.length === 0 ? "" : `: ${given.map((answer) => `${results[answer]} ${answer}`).join(", ")}`;
}

function OneSession({ row }: { row: SessionRow }) {
  return (
    <li className={css.row}>
      <div className={css.head}>
        <Link to="/sessions/$id" params={{ id: row.session }}>
          <Raw text={row.session} className="mono" />
        </Link>
        <span className="soft">
          <Time at={row.first} /> to <Time at={row.last} />
        </span>
        {row.project_id && <Raw text={row.project_id} className="soft" />}
        <Raw text={row.agents.join(", ")} className="soft" />
      </div>
      <div className={css.results}>
        {decisions
          .filter((tone) => row.results[tone])
          .map((tone) => (
            <span key={tone}>
              {row.results[tone]} <Outcome result={tone} />
            </span>
          ))}
      </div>
      {row.asked.length > 0 && (
        <ul className={css.asked} aria-label="Asked">
          {row.asked.map((asked) => (
            <li key={asked.id}>
              <Link to="/guidelines/$id" params={{ id: asked.id }} search={{ sort: "priority", decided: row.project_id }}>
                <Raw text={asked.name || asked.id} />
              </Link>{" "}
              asked {count(asked.total, "time")}
              {answers(asked.results)}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
