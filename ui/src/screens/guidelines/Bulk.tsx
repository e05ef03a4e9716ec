import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { remove, toggle } from "../../api/changes";
import { address } from "../../api/client";
import { count } from "../../model/words";
import { Button, buttonClass } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Failed } from "../../parts/States";
import css from "./Bulk.module.css";
import { keyOf } from "./selection";
import type { Selection } from "./selection";

type Act = "on" | "off" | "delete";

const done: Record<Act, string> = { on: "turned on", off: "turned off", delete: "deleted" };

// The type Work is the progress of a change to many guidelines. The change stops at the first failure.
interface Work {
  act: Act;
  of: number;
  changed: number;
  failed?: { name: string; error: Error };
}

// The component Bulk changes all chosen guidelines.
export function Bulk({ selection }: { selection: Selection }) {
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [work, setWork] = useState<Work | null>(null);
  const isAtWork = work !== null && work.changed < work.of && !work.failed;
  const run = async (act: Act) => {
    const chosen = selection.chosen;
    let now: Work = { act, of: chosen.length, changed: 0 };
    for (const g of chosen) {
      setWork(now);
      try {
        await (act === "delete" ? remove(g) : toggle(g, act === "on"));
        selection.drop(g);
        now = { ...now, changed: now.changed + 1 };
      } catch (error) {
        now = { ...now, failed: { name: g.name, error: error as Error } };
        break;
      }
    }
    setWork(now);
    await client.invalidateQueries({ queryKey: ["guidelines"] });
  };
  const n = selection.chosen.length;
  if (n === 0 && !work) return null;
  return (
    <div className={css.bulk} role="group" aria-label="Change the chosen guidelines">
      <span>{count(n, "guideline")} chosen</span>
      <Button disabled={isAtWork} onClick={() => void run("on")}>
        Turn on
      </Button>
      <Button disabled={isAtWork} onClick={() => void run("off")}>
        Turn off
      </Button>
      <a
        className={buttonClass}
        href={address("/api/guardrails/export", { id: selection.chosen.map(keyOf).join(","), format: "yaml" })}
        download="guidelines.yaml"
      >
        Export
      </a>
      <Button kind="danger" disabled={isAtWork} onClick={() => setAsks(true)}>
        Delete
      </Button>
      <span role="status">{work && `${work.changed} of ${count(work.of, "guideline")} ${done[work.act]}.`}</span>
      {work?.failed && <Failed title={`"${work.failed.name}" could not be ${done[work.act]}.`} error={work.failed.error} />}
      <Confirm
        open={asks}
        danger
        title={`Delete ${count(n, "guideline")}?`}
        yes="Delete"
        onNo={() => setAsks(false)}
        onYes={() => {
          setAsks(false);
          void run("delete");
        }}
      >
        <p>They stop applying within two seconds. You can restore them from their history.</p>
      </Confirm>
    </div>
  );
}
