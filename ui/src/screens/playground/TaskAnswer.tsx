import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { EvaluatedContext, Explanation } from "../../api/shapes";
import { count, plain } from "../../model/words";
import { Button } from "../../parts/Button";
import { Raw } from "../../parts/Raw";
import { Empty } from "../../parts/States";
import css from "./Playground.module.css";
import { Notices } from "./Verdict";

// TaskAnswer shows what applies to a task: the instructions, the tools, and each guideline with the reason.
export function TaskAnswer({ explained, evaluated }: { explained: Explanation; evaluated: EvaluatedContext }) {
  return (
    <section className={css.result} aria-label="Answer">
      <Instruction evaluated={evaluated} />
      <Tools evaluated={evaluated} />
      <Guidelines rows={explained.guidelines} />
      <Notices notices={[...new Set([...(explained.notices ?? []), ...(evaluated.notices ?? [])])]} />
    </section>
  );
}

function Instruction({ evaluated }: { evaluated: EvaluatedContext }) {
  const parts = evaluated.matching_guidelines.filter((g) => g.action.instruction);
  return (
    <div className={css.section}>
      <h2>What the agent receives</h2>
      {parts.length === 0 && <p className={css.quiet}>Nothing.</p>}
      <div className={css.parts}>
        {parts.map((g) => (
          <div key={g.id} className={css.part}>
            <Link to="/guidelines/$id" params={{ id: g.id }} search={{ sort: "priority", project: g.project_id }}>
              <Raw text={g.name} />
            </Link>
            {evaluated.omitted?.includes(g.id) && <span className={css.quiet}> is left out, because the whole text is too long</span>}
            <Raw lines text={g.action.instruction ?? ""} />
          </div>
        ))}
      </div>
    </div>
  );
}

// The component Tools shows which calls are denied, allowed or asked about, and which gates and limits apply.
export function Tools({ evaluated }: { evaluated: EvaluatedContext }) {
  const gates = evaluated.gates_required.map((gate) => `${gate.gate_type} (${gate.threshold}, ${gate.guideline_id})`);
  const limits = Object.entries(evaluated.constraints).map(([name, value]) => `${plain(name)}: ${String(value)}`);
  const rows = [
    ["Denied calls", evaluated.tools_denied],
    ["Allowed calls", evaluated.tools_allowed],
    ["Calls to ask about", evaluated.tools_asked ?? []],
    ["Gates", gates],
    ["Limits", limits],
  ] as const;
  return (
    <dl className={css.tools}>
      {rows
        .filter(([, values]) => values.length > 0)
        .map(([name, values]) => (
          <div key={name} className={css.pair}>
            <dt>{name}</dt>
            <dd>
              <Raw text={values.join(", ")} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Guidelines({ rows }: { rows: Explanation["guidelines"] }) {
  const [showsAll, setShowsAll] = useState(false);
  const applying = rows.filter((g) => g.outcome === "matched" || g.outcome === "residual");
  if (rows.length === 0) return <Empty title="There are no guidelines." />;
  return (
    <div className={css.section}>
      <h2>{count(applying.length, "guideline applies", "guidelines apply")}, of {rows.length}</h2>
      <ul className={css.why} aria-label="Why">
        {(showsAll ? rows : applying).map((g) => (
          <li key={g.id}>
            <span>{plain(g.outcome)}</span>
            <Link to="/guidelines/$id" params={{ id: g.id }} search={{ sort: "priority" }}>
              {g.id}
            </Link>
            <Raw text={reasonOf(g)} />
          </li>
        ))}
      </ul>
      <div>
        <Button kind="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show only those that apply" : "Show all, with the reason"}
        </Button>
      </div>
    </div>
  );
}

function reasonOf(g: Explanation["guidelines"][number]): string {
  if (g.outcome === "disabled") return "It is off.";
  if (g.fields.length === 0) return "It has no condition.";
  return g.fields.map((f) => `${plain(f.field)}: ${f.hit ? `${f.hit} matches` : `${plain(f.outcome)}, needs ${f.wanted.join(" or ")}`}`).join("; ");
}
