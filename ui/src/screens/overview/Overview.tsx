import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sessions, stats, summary } from "../../api/queries";
import type { Stats, Summary } from "../../api/shapes";
import { decisions, wordOf } from "../../model/outcome";
import type { Tone } from "../../model/outcome";
import { count } from "../../model/words";
import { Outcome, ToneIcon } from "../../parts/Outcome";
import { Page } from "../../parts/Page";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { Chart } from "./Chart";
import { sinceTime } from "../audit/since";
import css from "./Overview.module.css";

export function Overview() {
  const counted = useQuery(summary({ bucket: "hour" }));
  const kept = useQuery(stats);
  const error = counted.error ?? kept.error;
  return (
    <Page title="Overview" about="Decisions about tool calls in the last 24 hours.">
      {(counted.isPending || kept.isPending) && !error && <Loading label="Counting the decisions" />}
      {error && <Failed error={error} retry={() => void Promise.all([counted.refetch(), kept.refetch()])} />}
      {counted.data && kept.data && <Numbers counted={counted.data} kept={kept.data} />}
    </Page>
  );
}

function Numbers({ counted, kept }: { counted: Summary; kept: Stats }) {
  if (counted.counted === 0) return <Nothing kept={kept} />;
  return (
    <div className={css.overview}>
      {unguarded.map(({ event, one, many }) => {
        const n = counted.events[event] ?? 0;
        if (n === 0) return null;
        return (
          <p key={event} className={css.unchecked}>
            <ToneIcon tone="unchecked" />
            {count(n, one, many)}.{" "}
            <Link to="/audit" search={{ since: "day", event_type: event }}>
              See which
            </Link>
          </p>
        );
      })}
      <ul className={css.totals} aria-label="Decisions by outcome">
        {decisions.map((tone) => (
          <li key={tone}>
            <Link to="/audit" search={{ since: "day", result: tone }} className={css.total}>
              <span className={css.number}>{(counted.results[tone] ?? 0).toLocaleString("en")}</span>
              <Outcome result={tone} />
            </Link>
          </li>
        ))}
      </ul>
      <Now />
      <Chart buckets={counted.buckets} />
      {!counted.complete && (
        <p className="soft">
          Only the newest {count(counted.counted, "entry", "entries")} are counted, from <Time at={counted.from} long />.
        </p>
      )}
      <Most counted={counted} />
      <p className="soft">
        {count(kept.guidelines.enabled, "guideline")} of {kept.guidelines.total} in the store {kept.guidelines.enabled === 1 ? "is" : "are"} on. The audit has{" "}
        {count(kept.audit.entries, "entry", "entries")}. The store is {kept.store.place}; the server is version {kept.server_version}.
      </p>
    </div>
  );
}

// The events of calls that were not checked. Each number leads to exactly the entries that it counts.
const unguarded = [
  { event: "unchecked", one: "call could not be checked", many: "calls could not be checked" },
  { event: "fail_open", one: "call ran without a check, because the settings allow it", many: "calls ran without a check, because the settings allow it" },
] as const;

// The component Now shows the number of sessions with decisions in the last 15 minutes.
function Now() {
  const found = useQuery(sessions({ date_from: sinceTime("now") }));
  if (!found.data) return null;
  return (
    <p>
      {!found.data.complete && "At least "}
      <Link to="/sessions" search={{ since: "now" }}>
        {count(found.data.total, "session")}
      </Link>{" "}
      in the last 15 minutes.
    </p>
  );
}

function Most({ counted }: { counted: Summary }) {
  const rows = counted.guidelines.slice(0, 10);
  if (rows.length === 0) return null;
  return (
    <section className={css.most}>
      <h2>Guidelines that decided most often</h2>
      <table>
        <thead>
          <tr>
            <th>Guideline</th>
            {(["deny", "ask", "warn"] as Tone[]).map((tone) => (
              <th key={tone} className={css.figure}>
                {wordOf(tone)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Link to="/audit" search={{ since: "day", guideline_id: row.id }}>
                  <Raw text={row.name || row.id} />
                </Link>
              </td>
              {(["deny", "ask", "warn"] as Tone[]).map((tone) => (
                <td key={tone} className={css.figure}>
                  {row.results[tone] ?? <span className="soft">0</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Nothing({ kept }: { kept: Stats }) {
  return (
    <Empty title="No decision in the last 24 hours.">
      <p>
        Run <code>guardrails init</code> in a project and start Claude Code there. The store has {count(kept.guidelines.total, "guideline")}. The packs apply
        although they are not in the store.
      </p>
      <p>
        <Link to="/packs">See the packs, and copy a guideline into the store</Link>
      </p>
      <p>
        <Link to="/playground">Try a call in the playground</Link>
      </p>
    </Empty>
  );
}
