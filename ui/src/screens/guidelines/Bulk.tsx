import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { remove, toggle } from "../../api/changes";
import { address } from "../../api/client";
import { count } from "../../model/words";
import { Button, buttonClass } from "../../parts/Button";
import { Confirm } from "../../parts/Confirm";
import { Failed } from "../../parts/States";
import css from "./Bulk.module.css";
import type { Selection } from "./selection";

type Act = "on" | "off" | "delete";

// Bulk changes all chosen guidelines. It stops at the first failure and says how far it came.
export function Bulk({ selection }: { selection: Selection }) {
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const work = useMutation({
    mutationFn: async (act: Act) => {
      for (const g of selection.chosen) await (act === "delete" ? remove(g) : toggle(g, act === "on"));
    },
    onSuccess: () => selection.all(false),
    onSettled: () => client.invalidateQueries({ queryKey: ["guidelines"] }),
  });
  const n = selection.chosen.length;
  if (n === 0 && !work.error) return null;
  return (
    <div className={css.bulk} role="group" aria-label="Change the chosen guidelines">
      <span>{count(n, "guideline")} chosen</span>
      <Button disabled={work.isPending} onClick={() => work.mutate("on")}>
        Turn on
      </Button>
      <Button disabled={work.isPending} onClick={() => work.mutate("off")}>
        Turn off
      </Button>
      <a
        className={buttonClass}
        href={address("/api/guardrails/export", { id: selection.chosen.map((g) => g.id).join(","), format: "yaml" })}
        download="guidelines.yaml"
      >
        Export
      </a>
      <Button kind="danger" disabled={work.isPending} onClick={() => setAsks(true)}>
        Delete
      </Button>
      {work.error && <Failed error={work.error} />}
      <Confirm
        open={asks}
        danger
        title={`Delete ${count(n, "guideline")}?`}
        yes="Delete"
        onNo={() => setAsks(false)}
        onYes={() => {
          setAsks(false);
          work.mutate("delete");
        }}
      >
        <p>They stop applying within two seconds. Their history stays, so you can restore them from the audit.</p>
      </Confirm>
    </div>
  );
}
