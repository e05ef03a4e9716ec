import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { address } from "../../api/client";
import { audit, auditEntry, session } from "../../api/queries";
import { permits } from "../../api/session";
import type { AuditQuery } from "../../api/shapes";
import { auditSearch } from "../../model/addresses";
import type { AuditSearch } from "../../model/addresses";
import { count } from "../../model/words";
import { buttonClass } from "../../parts/Button";
import { Page } from "../../parts/Page";
import { Pages } from "../../parts/Pages";
import { Saved } from "../../parts/Saved";
import { Empty, Failed, Loading } from "../../parts/States";
import { useLive } from "../../state/events";
import css from "./Audit.module.css";
import { AuditFilters } from "./AuditFilters";
import { Entry } from "./Entry";
import { sinceTime } from "./since";
import { Verify } from "./Verify";

const pageSize = 50;

export function Audit() {
  const search = useSearch({ from: "/audit" });
  const { data: who } = useQuery(session);
  const filter = queryOf(search);
  const found = useQuery(audit({ ...filter, page_size: pageSize, cursor: search.cursor }));
  useEffect(() => {
    useLive.setState({ live: search.live === true });
    return () => useLive.setState({ live: false });
  }, [search.live]);
  const navigate = useNavigate({ from: "/audit" });
  const { cursor: _cursor, entry: _entry, live: _live, ...saved } = search;
  const entries = found.data?.entries ?? [];
  // The address of a decision contains the entry, which may be on another page.
  const isElsewhere = search.entry !== undefined && found.data !== undefined && !entries.some((e) => e.id === search.entry);
  const named = useQuery({ ...auditEntry(search.entry ?? ""), enabled: isElsewhere });
  const shown = isElsewhere && named.data ? [named.data, ...entries] : entries;
  const next = found.data?.next_cursor;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title="Audit"
      about={found.data && count(found.data.total, "entry", "entries")}
      actions={
        <>
          <a className={buttonClass} href={address("/api/guardrails/audit/export", { ...filter, format: "csv" })} download="audit.csv">
            Export as CSV
          </a>
          <a className={buttonClass} href={address("/api/guardrails/audit/export", { ...filter, format: "jsonl" })} download="audit.jsonl">
            Export as JSON Lines
          </a>
        </>
      }
    >
      {permits(who?.role, "admin") && <Verify />}
      <AuditFilters />
      <Saved kind="audit" what="filter" current={saved} onOpen={(view) => void navigate({ to: ".", search: auditSearch(view) })} />
      {found.isPending && <Loading label="Reading the audit" rows={10} />}
      {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
      {isElsewhere && named.error && <Failed error={named.error} retry={() => void named.refetch()} />}
      {found.data && shown.length === 0 && <None isFiltered={isFiltered} />}
      {shown.length > 0 && (
        <div className={css.scroll} data-stale={found.isPlaceholderData || undefined} aria-busy={found.isPlaceholderData}>
          <table className={css.table}>
            <thead>
              <tr>
                <th className={css.time}>Time</th>
                <th className={css.result}>Result</th>
                <th>What</th>
                <th className={css.actor}>Actor</th>
                <th className={css.open}>
                  <span className="hidden">Details</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((entry) => (
                <Entry key={entry.id} entry={entry} isOpen={entry.id === search.entry} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pages
        first={search.cursor ? { cursor: undefined } : undefined}
        // A cursor is valid only for one period. "The last hour" is another period a minute later, so the link contains
        // the time at which the period begins.
        next={next ? { cursor: next, since: undefined, date_from: filter.date_from } : undefined}
      />
    </Page>
  );
}

function queryOf(search: AuditSearch): AuditQuery {
  const { since, cursor: _cursor, entry: _entry, live: _live, ...rest } = search;
  const from = rest.date_from ?? (since && sinceTime(since));
  return { ...rest, ...(from ? { date_from: from } : {}) } as AuditQuery;
}

function None({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No entry matches.">
      <Link to="/audit">Clear the filters</Link>
    </Empty>
  ) : (
    <Empty title="The audit has no entries yet.">
      <p>Every decision about a tool call, and every change of a guideline, appears here.</p>
    </Empty>
  );
}
