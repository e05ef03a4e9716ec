import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CallVerdict, Effect, ToolCall } from "../../api/shapes";
import { hookInput, shellQuoted, utf16 } from "../../model/call";
import { toneOf } from "../../model/outcome";
import { count, plain } from "../../model/words";
import { Button } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { Outcome } from "../../parts/Outcome";
import { Marked, Raw } from "../../parts/Raw";
import type { Mark } from "../../parts/Raw";
import css from "./Playground.module.css";

export function Verdict({ verdict, call }: { verdict: CallVerdict; call: ToolCall }) {
  return (
    <section className={css.result} aria-label="Decision">
      <div className={css.verdict}>
        <Outcome result={verdict.decision} large />
        {verdict.guideline ? (
          <span>
            by <GuidelineLink id={verdict.guideline} />
          </span>
        ) : (
          <span className={css.quiet}>No guideline stops this call.</span>
        )}
      </div>
      {verdict.reason && (
        <p className={css.reason}>
          <Raw text={verdict.reason} />
        </p>
      )}
      {verdict.instead && (
        <p className={css.reason}>
          <strong>Instead: </strong>
          <Raw text={verdict.instead} />
        </p>
      )}
      <CommandText verdict={verdict} call={call} />
      <Effects effects={verdict.effects} />
      <Why verdict={verdict} />
      <Notices notices={verdict.notices ?? []} />
      <div className={css.section}>
        <h2>Use this call elsewhere</h2>
        <div className={css.copies}>
          <CopyButton name="Copy as a command" text={asCommand(call)} />
          <CopyButton name="Copy as input of the hook" text={hookInput(call)} />
          <CopyButton name="Copy as an MCP call" text={asMCPCall(call)} />
          <CopyButton name="Copy as curl" text={asCurl(call)} />
          <CopyButton name="Copy as a test case" text={asCase(call, verdict)} />
        </div>
      </div>
    </section>
  );
}

function GuidelineLink({ id }: { id: string }) {
  return (
    <Link to="/guidelines/$id" params={{ id }} search={{ sort: "priority" }}>
      <code>{id}</code>
    </Link>
  );
}

// CommandText underlines the parts of the command from which the effects come.
function CommandText({ verdict, call }: { verdict: CallVerdict; call: ToolCall }) {
  const text = call.command ?? (call.input as { command?: unknown } | undefined)?.command;
  if (typeof text !== "string") return null;
  return (
    <div className={css.command}>
      <Marked text={text} marks={verdict.effects.map((effect, i) => markOf(text, effect, toneOfEffect(verdict, i)))} />
    </div>
  );
}

function markOf(text: string, effect: Effect, tone: string): Mark {
  const [start, end] = [utf16(text, effect.span.start), utf16(text, effect.span.end)];
  return { start, end, tone, title: [effect.kind, effect.reason].filter(Boolean).join(": ") };
}

function toneOfEffect(verdict: CallVerdict, effect: number): string {
  const finding = verdict.explanation.findings.find((f) => f.effect === effect);
  return finding ? toneOf(finding.outcome) : "";
}

function Effects({ effects }: { effects: Effect[] }) {
  if (effects.length === 0) return null;
  const hasEvents = effects.some((effect) => effect.events?.length);
  const hasReasons = effects.some((effect) => effect.reason);
  return (
    <div className={css.section}>
      <h2>What the call would do</h2>
      <div className={css.scroll}>
        <table className={css.effects}>
          <thead>
            <tr>
              <th>Effect</th>
              <th>On</th>
              {hasEvents && <th>Events</th>}
              {hasReasons && <th>Why</th>}
            </tr>
          </thead>
          <tbody>
            {effects.map((effect, i) => (
              <tr key={i}>
                <td>{effect.kind}</td>
                <td>
                  <Raw className="mono" text={targetOf(effect)} />
                </td>
                {hasEvents && <td>{(effect.events ?? []).map(plain).join(", ")}</td>}
                {hasReasons && (
                  <td>
                    <Raw text={effect.reason ?? ""} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function targetOf(effect: Effect): string {
  return effect.path ?? effect.command ?? effect.host ?? effect.name ?? (effect.paths ?? []).join(", ");
}

const takesPart = new Set(["deny", "ask", "warn", "advice", "excepted", "holds"]);

// The component Why lists the guidelines, each with its effect on the decision.
function Why({ verdict }: { verdict: CallVerdict }) {
  const [showsAll, setShowsAll] = useState(false);
  const all = verdict.explanation.guidelines;
  const part = all.filter((g) => takesPart.has(g.outcome));
  return (
    <div className={css.section}>
      <h2>Guidelines</h2>
      <ul className={css.why} aria-label="Why">
        {(showsAll ? all : part).map((g) => (
          <li key={g.id}>
            <span>{["deny", "ask", "warn"].includes(g.outcome) ? <Outcome result={g.outcome} /> : <span className={css.quiet}>{plain(g.outcome)}</span>}</span>
            <GuidelineLink id={g.id} />
            <Raw text={g.why} />
          </li>
        ))}
      </ul>
      {all.length > part.length && (
        <div>
          <Button kind="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? "Hide the guidelines without effect" : `Show ${count(all.length - part.length, "guideline", "guidelines")} without effect`}
          </Button>
        </div>
      )}
    </div>
  );
}

export function Notices({ notices }: { notices: string[] }) {
  if (notices.length === 0) return null;
  return (
    <ul className={css.section} aria-label="Notes">
      {notices.map((notice) => (
        <li key={notice} className={css.quiet}>
          <Raw text={notice} />
        </li>
      ))}
    </ul>
  );
}

function asCommand(call: ToolCall): string {
  const agent = call.agent ? ["--agent", call.agent] : [];
  const what = call.input
    ? ["--tool", call.tool ?? "Bash", "--input", JSON.stringify(call.input)]
    : call.command != null
      ? ["--command", call.command]
      : ["--tool", call.tool ?? "Write", "--path", call.path ?? ""];
  return ["guardrails", "explain", ...what, ...agent].map(shellQuoted).join(" ");
}

function asMCPCall(call: ToolCall): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "guardrails_explain_call", arguments: call } });
}

function asCurl(call: ToolCall): string {
  const url = `${location.origin}/api/guardrails/explain-call`;
  return `curl -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d ${shellQuoted(JSON.stringify(call))} ${url}`;
}

function asCase(call: ToolCall, verdict: CallVerdict): string {
  const lines = [
    `  - name: ${JSON.stringify(`the decision is ${verdict.decision}`)}`,
    `    tool: ${verdict.tool}`,
    ...(call.command != null ? [`    command: ${JSON.stringify(call.command)}`] : []),
    ...(call.path != null ? [`    path: ${JSON.stringify(call.path)}`] : []),
    ...(call.input ? [`    input: ${JSON.stringify(call.input)}`] : []),
    ...(call.agent ? [`    context: {agent: ${JSON.stringify(call.agent)}}`] : []),
    `    expect: {decision: ${verdict.decision}${verdict.guideline ? `, guideline: ${verdict.guideline}` : ""}}`,
  ];
  return `cases:\n${lines.join("\n")}\n`;
}
