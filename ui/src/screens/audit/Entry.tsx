import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { AuditEntry } from "../../api/shapes";
import type { AuditSearch } from "../../model/addresses";
import { plain } from "../../model/words";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Time } from "../../parts/Time";
import { Diff } from "../editor/Diff";
import css from "./Audit.module.css";

// Events that report that something is missing: calls were not checked, or entries were removed or damaged.
const gaps: Record<string, string> = {
  gap: "Gap: calls went unchecked",
  unchecked: "Gap: this call could not be checked",
  fail_open: "Gap: this call ran without a check, because the settings allow it",
  audit_pruned: "Gap: older entries were removed",
  damaged_record: "Gap: a record was damaged",
};

export function Entry({ entry, isOpen }: { entry: AuditEntry; isOpen: boolean }) {
  const navigate = useNavigate({ from: "/audit" });
  const flip = () =>
    void navigate({ to: ".", search: (s: AuditSearch) => ({ ...s, entry: isOpen ? undefined : entry.id }), replace: true });
  return (
    <>
      <tr className={css.row} data-open={isOpen || undefined} data-gap={gaps[entry.event_type] ? true : undefined}>
        <td className={css.time}>
          <Time at={entry.timestamp} />
        </td>
        <td className={css.result}>
          {entry.decision ? <Outcome result={entry.event_type === "unchecked" ? "unchecked" : entry.decision.result} /> : plain(entry.event_type.replace("guideline_", ""))}
        </td>
        <td>
          <div>
            {entry.decision?.tool && <strong>{entry.decision.tool} </strong>}
            <Raw text={entry.guideline_name || entry.guideline_id || plain(entry.event_type)} />
          </div>
          {gaps[entry.event_type] && <strong>{gaps[entry.event_type]}</strong>}
          {entry.decision?.reason && (
            <div className={css.what}>
              <Raw text={entry.decision.reason} />
            </div>
          )}
        </td>
        <td className={css.actor}>
          <Raw text={entry.actor ?? ""} />
        </td>
        <td className={css.open}>
          <button type="button" className={css.openButton} aria-expanded={isOpen} aria-label={`Details of entry ${entry.seq}`} onClick={flip}>
            <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr className={css.details}>
          <td colSpan={5}>
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const search = useSearch({ from: "/audit" });
  const facts: [string, string | undefined][] = [
    ["event", plain(entry.event_type)],
    ["reason", entry.decision?.reason],
    ["answer of the user", entry.decision?.user_response],
    ["fallback", entry.decision?.fallback],
    ["guideline", entry.guideline_id && `${entry.guideline_id}${entry.guideline_version ? `, version ${entry.guideline_version}` : ""}`],
    ["agent", entry.context?.agent],
    ["domain", entry.context?.domain],
    ["action", entry.context?.action],
    ["paths", entry.context?.paths?.join(", ")],
    ["events of the call", entry.context?.event],
    ["session", entry.session_id],
    ["project", entry.project_id],
    ["took", entry.decision?.duration_us === undefined ? undefined : `${entry.decision.duration_us.toLocaleString("en")} µs`],
    ["chain", `${entry.writer}, entry ${entry.seq}`],
    ["hash", entry.hash],
  ];
  return (
    <>
      <dl className={css.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name} className={css.pair}>
              <dt>{name}</dt>
              <dd>
                <Raw text={value ?? ""} />
              </dd>
            </div>
          ))}
      </dl>
      {entry.changes && <Diff changes={entry.changes.map((c) => ({ field: c.field, old: c.old_value, new: c.new_value }))} />}
      <div className={css.links}>
        {entry.guideline_id && (
          <Link to="/guidelines/$id" params={{ id: entry.guideline_id }} search={{ sort: "priority", ...projectOf(entry) }}>
            Open the guideline
          </Link>
        )}
        {entry.session_id && (
          <Link to="/audit" search={{ session: entry.session_id, entry: entry.id }}>
            All entries of this session
          </Link>
        )}
        {entry.session_id && (
          <Link to="/sessions/$id" params={{ id: entry.session_id }}>
            The timeline of this session
          </Link>
        )}
        {entry.guideline_id && (
          <Link to="/audit" search={{ ...search, guideline_id: entry.guideline_id, cursor: undefined }}>
            All entries of this guideline
          </Link>
        )}
      </div>
    </>
  );
}

// projectOf returns the part of the address that finds the guideline of an entry. The entry of a change has the project
// of the guideline. The entry of a decision has the project of the call, but the guideline may be for all projects.
function projectOf(entry: AuditEntry) {
  return entry.kind === "change" ? { project: entry.project_id } : { decided: entry.project_id };
}
