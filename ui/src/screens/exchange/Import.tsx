import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Failure, ask } from "../../api/client";
import type { ImportItem, ImportResult } from "../../api/shapes";
import { count } from "../../model/words";
import { Button } from "../../parts/Button";
import { Field, inputClass } from "../../parts/Field";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import { Diff } from "../editor/Diff";
import css from "./Exchange.module.css";

// The screen Import first shows what would happen. All guidelines are imported, or none.
export function Import() {
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [onConflict, setOnConflict] = useState("fail");
  const [tried, setTried] = useState<{ of: string; result: ImportResult } | null>(null); // the last dry run, and what it was for
  const request = (dry: boolean) =>
    ask<ImportResult>("POST", "/api/guardrails/import", {
      query: { dry_run: dry, on_conflict: onConflict },
      body: text,
      headers: { "Content-Type": /^\s*[[{]/.test(text) ? "application/json" : "application/yaml" },
    });
  const current = text + onConflict;
  const latest = useRef(current);
  latest.current = current;
  const trial = useMutation({
    mutationFn: (_: string) => request(true),
    onSuccess: (result, sent) => {
      if (sent === latest.current) setTried({ of: sent, result });
    },
  });
  const apply = useMutation({
    mutationFn: (_: string) => request(false),
    onSuccess: (_, sent) => {
      setTried((now) => (now?.of === sent ? null : now));
      void client.invalidateQueries({ queryKey: ["guidelines"] });
    },
  });
  const shown = tried?.of === current ? tried.result : undefined;
  const result = shown ?? apply.data;
  const error = apply.error ?? trial.error;
  const failedItems = error instanceof Failure ? error.problem?.items : undefined;
  const change = (next: string) => {
    setText(next);
    apply.reset();
    trial.reset();
  };
  return (
    <div
      className={css.stack}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void event.dataTransfer.files[0]?.text().then(change);
      }}
    >
      <Field label="A file of guidelines" hint="YAML or JSON. You can also drop it here, or paste its text below.">
        {(control) => <input {...control} className={css.file} type="file" accept=".yaml,.yml,.json" onChange={(e) => void e.target.files?.[0]?.text().then(change)} />}
      </Field>
      <Field label="Text">
        {(control) => (
          <textarea {...control} className={`${inputClass} mono`} rows={10} spellCheck={false} value={text} onChange={(e) => change(e.target.value)} />
        )}
      </Field>
      <Field label="If a guideline already exists">
        {(control) => (
          <select {...control} className={inputClass} value={onConflict} onChange={(e) => setOnConflict(e.target.value)}>
            <option value="fail">import nothing</option>
            <option value="skip">skip it</option>
            <option value="update">update it</option>
          </select>
        )}
      </Field>
      <div className={css.buttons}>
        <Button
          disabled={!text.trim() || trial.isPending}
          onClick={() => {
            apply.reset();
            trial.mutate(current);
          }}
        >
          Show what would happen
        </Button>
        <Button kind="main" disabled={!shown || apply.isPending || shown.failed > 0} onClick={() => apply.mutate(current)}>
          Import
        </Button>
      </div>
      <div aria-live="polite" className={css.stack}>
        {error && <Failed error={error} />}
        {result && !error && <Summary result={result} />}
        <Items items={failedItems ?? (error ? [] : result?.items) ?? []} />
      </div>
    </div>
  );
}

function Summary({ result }: { result: ImportResult }) {
  const parts = [
    [result.created, "created"],
    [result.updated, "updated"],
    [result.unchanged, "unchanged"],
    [result.skipped, "skipped"],
    [result.failed, "failed"],
  ] as const;
  const words = parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`).join(", ");
  return (
    <p>
      <strong>{result.dry_run ? "This would happen" : "Imported"}:</strong> {words || count(0, "guideline")}.
    </p>
  );
}

function Items({ items }: { items: ImportItem[] }) {
  return (
    <ul className={css.items} aria-label="Results">
      {items.map((item, i) => (
        <li key={i}>
          <div>
            <code>{item.id}</code> {item.outcome}
          </div>
          {item.message && <Raw text={item.message} className="small" />}
          {item.changes && item.changes.length > 0 && (
            <Diff changes={item.changes.map((c) => ({ field: c.field, old: c.old_value, new: c.new_value }))} />
          )}
        </li>
      ))}
    </ul>
  );
}
