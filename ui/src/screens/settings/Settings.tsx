import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client";
import { session, settings, stats, tokens, vocabularies } from "../../api/queries";
import { permits } from "../../api/session";
import type { Role, Settings as SettingsAnswer, Stats, Token } from "../../api/shapes";
import { count, plain } from "../../model/words";
import { Button } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { CopyButton } from "../../parts/CopyButton";
import { Field, inputClass } from "../../parts/Field";
import { ToneIcon } from "../../parts/Outcome";
import { Page } from "../../parts/Page";
import { Raw } from "../../parts/Raw";
import { Empty, Failed, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import css from "./Settings.module.css";

export function Settings() {
  const { data: who } = useQuery(session);
  return (
    <Page title="Settings">
      <div className={css.sections}>
        <State />
        <section aria-labelledby="tokens" className={css.section}>
          <h2 id="tokens">Tokens</h2>
          {permits(who?.role, "admin") ? <Tokens /> : <p className="soft">To see and change tokens, you need the role "admin".</p>}
        </section>
      </div>
    </Page>
  );
}

function State() {
  const found = useQuery(settings);
  const kept = useQuery(stats);
  const error = found.error ?? kept.error;
  if (error) return <Failed error={error} retry={() => void Promise.all([found.refetch(), kept.refetch()])} />;
  if (!found.data || !kept.data) return <Loading rows={3} label="Reading the settings" />;
  const rows = [...serverRows(found.data, kept.data), ...projectRows(found.data.settings)];
  const ignored = found.data.settings?.ignored ?? [];
  return (
    <section aria-labelledby="state" className={css.section}>
      <h2 id="state">Server and project</h2>
      <dl className={css.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Raw text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {ignored.length > 0 && (
        <ul aria-label="Settings that have no effect">
          {ignored.map((setting, i) => (
            <li key={i}>
              <code>{setting.setting}</code> has no effect: <Raw text={setting.why} />
            </li>
          ))}
        </ul>
      )}
      <p>
        The store last confirmed these numbers at <Time at={kept.data.store.read_at} long />.
      </p>
      {kept.data.store.error && (
        <p role="alert">
          <ToneIcon tone="deny" /> The store cannot confirm these numbers now: <Raw text={kept.data.store.error} />
        </p>
      )}
      <p className="soft small">The settings are in files, and can be changed only there.</p>
    </section>
  );
}

type Row = readonly [string, string];

function serverRows(found: SettingsAnswer, kept: Stats): Row[] {
  return [
    ["Server", `version ${found.server_version}`],
    ["Tenant", found.tenant_id || "the server's own"],
    ["Store", kept.store.place],
    ["Guidelines in the store", kept.guidelines.total.toLocaleString("en")],
    ["Entries of the audit", kept.audit.entries.toLocaleString("en")],
  ];
}

// projectRows returns the settings of the server's own project. A caller of another tenant does not receive these
// settings.
function projectRows(project: SettingsAnswer["settings"]): Row[] {
  if (!project) return [];
  return [
    ["Decisions are kept", keptWords(project.keep_days, project.keep_entries)],
    ["Packs", project.packs.join(", ") || "none"],
    ["Strict", project.strict ? "yes" : "no"],
    ["When guidelines cannot be read", plain(project.fallback_mode) || "the default"],
    ["Environment", project.environment || "not set"],
    ["Default agent", project.default_agent || "not set"],
  ];
}

function keptWords(days: number, entries: number): string {
  const limits = [days > 0 && `for ${count(days, "day")}`, entries > 0 && `at most ${count(entries, "entry", "entries")}`].filter(Boolean);
  return limits.length > 0 ? limits.join(", ") : "forever";
}

function Tokens() {
  const found = useInfiniteQuery(tokens);
  const list = found.data?.pages.flatMap((page) => page.tokens);
  const client = useQueryClient();
  const [leaving, setLeaving] = useState<string | null>(null);
  const revoke = useMutation({
    mutationFn: (name: string) => ask<void>("DELETE", `/api/guardrails/tokens/${encodeURIComponent(name)}`),
    onSettled: () => client.invalidateQueries({ queryKey: ["tokens"] }),
  });
  return (
    <>
      <NewToken />
      {found.isPending && <Loading rows={2} label="Reading the tokens" />}
      {found.error && <Failed error={found.error} retry={() => void found.refetch()} />}
      {revoke.error && <Failed error={revoke.error} />}
      {list?.length === 0 && <Empty title="There is only the server's own token." />}
      <ul className={css.tokens} aria-label="Tokens">
        {list?.map((token) => (
          <li key={token.name}>
            <Raw text={token.name} className="mono" />
            <span>{token.role}</span>
            <span className="soft">
              {token.expires ? (
                <>
                  until <Time at={token.expires} long />
                </>
              ) : (
                "does not expire"
              )}
              {token.problem && `, ${token.problem}`}
            </span>
            <Button kind="danger" onClick={() => setLeaving(token.name)}>
              Revoke {token.name}
            </Button>
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show more tokens
        </Button>
      )}
      <Confirm
        open={leaving !== null}
        danger
        title={`Revoke ${leaving ?? ""}?`}
        yes="Revoke"
        onNo={() => setLeaving(null)}
        onYes={() => {
          if (leaving) revoke.mutate(leaving);
          setLeaving(null);
        }}
      >
        <p>Programs can no longer use this token.</p>
      </Confirm>
    </>
  );
}

const day = 24 * 60 * 60 * 1000;

function NewToken() {
  const client = useQueryClient();
  const { data: known } = useQuery(vocabularies);
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("read");
  const [days, setDays] = useState("90");
  const made = useMutation({
    mutationFn: (name: string) =>
      ask<Token>("POST", "/api/guardrails/tokens", {
        body: { name, role, ...(days ? { expires: new Date(Date.now() + Number(days) * day).toISOString() } : {}) },
      }),
    onSuccess: (_, sent) => {
      setName((now) => (now === sent ? "" : now)); // what a person has typed since then stays
      void client.invalidateQueries({ queryKey: ["tokens"] });
    },
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        made.mutate(name);
      }}
    >
      <div className={css.row}>
        <Field label="Name">{(control) => <input {...control} className={inputClass} required value={name} onChange={(e) => setName(e.target.value)} />}</Field>
        <Field label="Role">
          {(control) => (
            <select {...control} className={inputClass} value={role} onChange={(e) => setRole(e.target.value as Role)}>
              {(known?.roles ?? [role]).map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Expires">
          {(control) => (
            <select {...control} className={inputClass} value={days} onChange={(e) => setDays(e.target.value)}>
              <option value="30">in 30 days</option>
              <option value="90">in 90 days</option>
              <option value="365">in a year</option>
              <option value="">never</option>
            </select>
          )}
        </Field>
      </div>
      <div>
        <Button kind="main" type="submit" disabled={!name || made.isPending}>
          Create a token
        </Button>
      </div>
      <div aria-live="polite">
        {made.error && <Failed error={made.error} />}
        {made.data && (
          <div className={css.secret}>
            <p>
              The token {made.data.name} is shown only now. <CopyButton name="Copy the token" text={made.data.token ?? ""} />
            </p>
            <code>{made.data.token}</code>
          </div>
        )}
      </div>
    </form>
  );
}
