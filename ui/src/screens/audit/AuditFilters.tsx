import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useId } from "react";
import type { ReactNode } from "react";
import { vocabularies } from "../../api/queries";
import { auditEntryKindValues } from "../../api/schema";
import type { AuditSearch } from "../../model/addresses";
import { wordOf } from "../../model/outcome";
import { plain } from "../../model/words";
import { inputClass } from "../../parts/Field";
import { Toggle } from "../../parts/Toggle";
import css from "./Audit.module.css";
import { localOf } from "./since";

// AuditFilters puts the chosen filters into the address. The server filters.
export function AuditFilters() {
  const search = useSearch({ from: "/audit" });
  const { data: known } = useQuery(vocabularies);
  const offered = (words: string[] | undefined, chosen: string | undefined) => words ?? (chosen ? [chosen] : []);
  const navigate = useNavigate({ from: "/audit" });
  const put = (change: Partial<AuditSearch>) =>
    void navigate({ to: ".", search: (s: AuditSearch) => ({ ...s, cursor: undefined, entry: undefined, ...change }), replace: true });
  return (
    <div className={css.filters} role="search">
      <Choice label="Time" value={search.since} onChange={(since) => put({ since: since as AuditSearch["since"], date_from: undefined, date_to: undefined })}>
        <option value="">any time</option>
        <option value="hour">last hour</option>
        <option value="day">last 24 hours</option>
        <option value="week">last 7 days</option>
      </Choice>
      <Moment label="From" value={search.date_from} onChange={(date_from) => put({ date_from, since: undefined })} />
      <Moment label="To" value={search.date_to} onChange={(date_to) => put({ date_to, since: undefined })} />
      <Choice label="Result" value={search.result} onChange={(result) => put({ result })}>
        <option value="">any result</option>
        {offered(known?.audit_results, search.result).map((result) => (
          <option key={result} value={result}>
            {wordOf(result)}
          </option>
        ))}
      </Choice>
      <Choice label="Kind" value={search.kind} onChange={(kind) => put({ kind: kind as AuditSearch["kind"] })}>
        <option value="">changes and decisions</option>
        {auditEntryKindValues.map((kind) => (
          <option key={kind} value={kind}>
            {kind}s
          </option>
        ))}
      </Choice>
      <Choice label="Event" value={search.event_type} onChange={(event_type) => put({ event_type })}>
        <option value="">any event</option>
        {offered(known?.audit_events, search.event_type).map((event) => (
          <option key={event} value={event}>
            {plain(event)}
          </option>
        ))}
      </Choice>
      <Choice label="Mode" value={search.mode} onChange={(mode) => put({ mode: mode as AuditSearch["mode"] })}>
        <option value="">any mode of the safety gate</option>
        <option value="enforce">enforced</option>
        <option value="observe">only observed</option>
        <option value="off">asked by a program</option>
      </Choice>
      <Words label="Guideline" value={search.guideline_id} onChange={(guideline_id) => put({ guideline_id })} />
      <Words label="Actor" value={search.actor} onChange={(actor) => put({ actor })} />
      <Words label="Agent" value={search.agent} suggestions={known?.agents.map((agent) => agent.name)} onChange={(agent) => put({ agent })} />
      <Words label="Session" value={search.session} onChange={(session) => put({ session })} />
      <Words
        label="Project"
        value={search.project}
        suggestions={known?.projects.map((project) => project.name)}
        onChange={(project) => put({ project })}
      />
      <label className={css.live}>
        <Toggle label="Show new entries at once" checked={search.live ?? false} onChange={(live) => put({ live: live || undefined })} />
        live
      </label>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  children: ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <label>
      <span className="hidden">{label}</span>
      <select className={inputClass} value={value ?? ""} onChange={(e) => onChange(e.target.value || undefined)}>
        {children}
      </select>
    </label>
  );
}

interface WordsProps extends Omit<ChoiceProps, "children"> {
  suggestions?: string[];
}

// The component Words is a filter for an exact word. The filter changes when the person presses Enter or leaves the
// field.
export function Words({ label, value, suggestions, onChange }: WordsProps) {
  const id = useId();
  return (
    <label>
      <span className="hidden">{label}</span>
      <input
        key={value ?? ""}
        className={inputClass}
        placeholder={label}
        list={suggestions && id}
        defaultValue={value ?? ""}
        onBlur={(e) => e.target.value !== (value ?? "") && onChange(e.target.value.trim() || undefined)}
        onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()}
      />
      {suggestions && (
        <datalist id={id}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  );
}

// The component Moment is a filter for a time in the reader's zone. The address contains the time in UTC.
export function Moment({ label, value, onChange }: Omit<ChoiceProps, "children">) {
  return (
    <label className={css.moment}>
      <span className="soft">{label}</span>
      <input
        type="datetime-local"
        className={inputClass}
        value={value ? localOf(value) : ""}
        onChange={(e) => onChange(e.target.value ? new Date(e.target.value).toISOString() : undefined)}
      />
    </label>
  );
}
