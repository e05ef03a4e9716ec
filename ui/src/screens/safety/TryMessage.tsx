import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../api/client";
import type { MessageAnswer, PolicyReport, PolicyTrace } from "../../api/shapes";
import { count, plain } from "../../model/words";
import { Button } from "../../parts/Button";
import { Field, inputClass } from "../../parts/Field";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import css from "./Safety.module.css";

// TryMessage shows what the gate would decide about a message, and what each rule says about it. Nothing is recorded.
export function TryMessage() {
  const [message, setMessage] = useState("");
  const tried = useMutation({
    mutationFn: async (text: string) => {
      const checked = await ask<MessageAnswer>("POST", "/api/guardrails/check/message", { body: { message: text, dry_run: true } });
      const facts = { message: text, stage: "input", ...factsOf(checked) };
      return { checked, trace: await ask<PolicyTrace>("POST", "/api/guardrails/policies/test", { body: { facts } }) };
    },
  });
  return (
    <>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          tried.mutate(message);
        }}
      >
        <Field label="Try a message" hint="Nothing is recorded, and no event is sent.">
          {(control) => <textarea {...control} className={inputClass} rows={2} value={message} onChange={(e) => setMessage(e.target.value)} />}
        </Field>
        <div className={css.buttons}>
          <Button type="submit" disabled={!message.trim() || tried.isPending}>
            Check the message
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        {tried.error && <Failed error={tried.error} />}
        {tried.data && <Checked answer={tried.data.checked} />}
        {tried.data && <Trace trace={tried.data.trace} />}
      </div>
      <TryFile />
    </>
  );
}

// factsOf returns what the gate found, so that rules about its findings can be tried too.
function factsOf(checked: MessageAnswer) {
  const { action, flags, risk_score } = checked.safety;
  const first = checked.analysis.safety_override;
  return { decision: first?.kind === "policy" ? first.from : action, flags, risk_score };
}

function Checked({ answer }: { answer: MessageAnswer }) {
  return (
    <div className={css.section} role="group" aria-label="Verdict">
      <div className={css.head}>
        <Outcome result={answer.safety.action.toLowerCase()} />
        {answer.safety.flags.length > 0 && <span>{answer.safety.flags.map(plain).join(", ")}</span>}
      </div>
      {answer.referral && <Raw text={answer.referral} />}
    </div>
  );
}

function Trace({ trace }: { trace: PolicyTrace }) {
  if (trace.trace.length === 0) return <p className="soft">No rule is in force.</p>;
  return (
    <ul className={css.rows} aria-label="Trace of the rules">
      {trace.trace.map((row) => (
        <li key={row.rule}>
          <div className={css.head}>
            <strong>
              <Raw text={row.rule} />
            </strong>
            <span>{row.value === "true" ? "applies" : row.value === "false" ? "does not apply" : "unknown"}</span>
          </div>
          {row.conditions.map((condition) => (
            <span key={condition.path} className="soft">
              <code>{condition.path}</code>: {condition.value}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

// TryFile checks the text of a policy file. Policies are files, so nothing is saved here.
function TryFile() {
  const [text, setText] = useState("");
  const checked = useMutation({ mutationFn: () => ask<PolicyReport>("POST", "/api/guardrails/policies/validate", { body: { text } }) });
  const problems = checked.data?.problems ?? [];
  return (
    <details>
      <summary>Check the text of a policy file</summary>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          checked.mutate();
        }}
      >
        <Field
          label="Policy file"
          notes={problems.map((p) => ({ tone: "deny", text: [p.line && `line ${p.line}:`, p.path, p.message, p.remedy].filter(Boolean).join(" ") }))}
        >
          {(control) => (
            <textarea {...control} className={`${inputClass} mono`} rows={6} spellCheck={false} value={text} onChange={(e) => setText(e.target.value)} />
          )}
        </Field>
        <div className={css.buttons}>
          <Button type="submit" disabled={!text.trim() || checked.isPending}>
            Check the file
          </Button>
          <span role="status">{checked.data && problems.length === 0 && `No mistakes. ${count(checked.data.rules, "rule")}.`}</span>
        </div>
        {checked.error && <Failed error={checked.error} />}
      </form>
    </details>
  );
}
