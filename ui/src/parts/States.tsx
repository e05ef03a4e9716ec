// What a screen shows instead of its content: that it is loading, has failed, or has found nothing.
import type { ReactNode } from "react";
import { Failure } from "../api/client";
import { Button } from "./Button";
import { ToneIcon } from "./Outcome";
import css from "./States.module.css";

export function Loading({ rows = 6, label }: { rows?: number; label: string }) {
  return (
    <div role="status" className={css.loading}>
      <span className="hidden">{label}</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} className={css.bone} />
      ))}
    </div>
  );
}

export function Failed({ error, title = titleOf(error), retry }: { error: Error; title?: string; retry?: () => void }) {
  return (
    <div role="alert" className={css.failed}>
      <ToneIcon tone="deny" />
      <div>
        <strong>{title}</strong>
        <p>{error.message}</p>
        <Mistakes error={error} />
      </div>
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

function titleOf(error: Error): string {
  if (!(error instanceof Failure)) return "Something went wrong on this page.";
  if (error.status === 0) return "No connection.";
  if (error.status === 403) return "Your role does not permit this.";
  return error.status >= 500 ? "The server has a problem." : "The server refused the request.";
}

function Mistakes({ error }: { error: Error }) {
  const mistakes = error instanceof Failure ? (error.problem?.errors ?? []) : [];
  if (mistakes.length < 2) return null; // if there is only one mistake, the message already contains it
  return (
    <ul className={css.mistakes}>
      {mistakes.map((mistake, i) => (
        <li key={i}>
          {mistake.line && `line ${mistake.line}: `}
          {mistake.path && <code>{mistake.path}</code>} {mistake.message} {mistake.remedy}
        </li>
      ))}
    </ul>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
