import { useMutation } from "@tanstack/react-query";
import { ask } from "../../api/client";
import type { Verification } from "../../api/shapes";
import { count } from "../../model/words";
import { Button } from "../../parts/Button";
import { ToneIcon } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Failed } from "../../parts/States";
import css from "./Audit.module.css";

type Verdict = Verification["verdicts"][number];

// The component Verify asks the server whether the chains of the audit are intact.
export function Verify() {
  const asked = useMutation({
    mutationFn: (full: boolean) => ask<Verification>("GET", "/api/guardrails/audit/verify", { query: full ? { full } : {} }),
  });
  return (
    <div className={css.verify}>
      <Button disabled={asked.isPending} onClick={() => asked.mutate(false)}>
        Verify the chains
      </Button>
      <Button kind="quiet" disabled={asked.isPending} onClick={() => asked.mutate(true)}>
        Verify every entry
      </Button>
      <div role="status" aria-label="Chains">
        {asked.isPending && "Verifying the chains. This can take minutes."}
        {asked.data && <Result found={asked.data} />}
      </div>
      {asked.error && <Failed error={asked.error} />}
    </div>
  );
}

function Result({ found }: { found: Verification }) {
  const damaged = found.verdicts.filter((verdict) => !verdict.intact);
  const entries = found.verdicts.reduce((sum, verdict) => sum + verdict.entries, 0);
  const skipped = found.verdicts.reduce((sum, verdict) => sum + (verdict.skipped ?? 0), 0);
  if (damaged.length === 0) {
    return (
      <>
        <ToneIcon tone="allow" /> Intact: {count(entries, "entry", "entries")} in {count(found.verdicts.length, "chain")}.
        {skipped > 0 && ` ${count(skipped, "more entry was", "more entries were")} verified before and not read again.`}
      </>
    );
  }
  return (
    <ul>
      {damaged.map((verdict) => (
        <li key={`${verdict.writer} ${verdict.kind}`}>
          <ToneIcon tone="deny" /> <Raw text={wordsOf(verdict)} />
        </li>
      ))}
    </ul>
  );
}

function wordsOf({ writer, kind, fault }: Verdict): string {
  if (!writer && fault) return `${fault.why.slice(0, 1).toUpperCase()}${fault.why.slice(1)}`;
  const place = fault ? `entry ${fault.seq} is ${fault.damage.replaceAll("_", " ")}: ${fault.why}` : "the server does not say where";
  return `The chain of ${kind}s of ${writer} is damaged. ${place.slice(0, 1).toUpperCase()}${place.slice(1)}`;
}
