import { useQuery } from "@tanstack/react-query";
import { ask } from "../../api/client";
import type { CallVerdict, EvaluatedContext, GuidelineCreate, Preview, TaskContext, ToolCall } from "../../api/shapes";
import { created } from "../../model/draft";
import { count, plain } from "../../model/words";
import { Outcome } from "../../parts/Outcome";
import { Raw } from "../../parts/Raw";
import { Failed, Loading } from "../../parts/States";
import { keptDrafts } from "../../state/drafts";
import css from "./Playground.module.css";
import { Tools } from "./TaskAnswer";

// The address says with what a call is compared: "draft:PROJECT/ID" is a draft of this browser, and
// "without:PROJECT/ID" is the store without a guideline.
function changeOf(against: string): { draft?: { guidelines: GuidelineCreate[] }; remove?: string[]; project?: string } | null {
  const [kind, place] = [against.slice(0, against.indexOf(":")), against.slice(against.indexOf(":") + 1)];
  if (kind === "without") return { remove: [place], project: place.slice(0, Math.max(0, place.lastIndexOf("/"))) || undefined };
  const found = keptDrafts().find(({ id, project }) => kind === "draft" && `${project}/${id}` === place);
  if (!found) return null;
  const draft = created(found.kept.draft);
  return { draft: { guidelines: [draft] }, project: draft.project_id ?? undefined };
}

// CompareTask shows side by side what applies to a task now, and what would apply with the change.
export function CompareTask({ task, against }: { task: TaskContext; against: string }) {
  const change = changeOf(against);
  const { project, ...body } = change ?? {};
  const previewed = useQuery({
    queryKey: ["guidelines", "compare-task", task, body, project ?? ""],
    queryFn: ({ signal }) =>
      ask<Preview>("POST", "/api/guardrails/preview", { body: { ...body, context: { ...task, project_id: project } }, signal }),
    enabled: change !== null,
    retry: false,
  });
  if (!change) return <p className={css.reason}>This browser does not have the draft. Choose something else to compare with.</p>;
  if (previewed.error) return <Failed error={previewed.error} retry={() => void previewed.refetch()} />;
  const saved = previewed.data?.saved.evaluated;
  const draft = previewed.data?.draft?.evaluated;
  if (!saved || !draft) return <Loading rows={3} label="Comparing" />;
  const isSame = saved.combined_instruction === draft.combined_instruction && rulesOf(saved).join() === rulesOf(draft).join();
  return (
    <section className={css.section} aria-label="Comparison">
      <h2>{isSame ? "The same guidelines apply" : "With the change, other guidelines or instructions apply"}</h2>
      <div className={css.sides}>
        <TaskSide title="Now" evaluated={saved} other={draft} />
        <TaskSide title="With the change" evaluated={draft} other={saved} />
      </div>
    </section>
  );
}

type Rule = EvaluatedContext["matching_guidelines"][number];
const ruleOf = ({ id, action, priority }: Rule) => JSON.stringify([id, action, priority]);
const rulesOf = (evaluated: EvaluatedContext) => evaluated.matching_guidelines.map(ruleOf);

function TaskSide({ title, evaluated, other }: { title: string; evaluated: EvaluatedContext; other: EvaluatedContext }) {
  const before = new Set(rulesOf(other));
  const own = evaluated.matching_guidelines.filter((g) => !before.has(ruleOf(g)));
  return (
    <div className={css.side} role="group" aria-label={title}>
      <h3>{title}</h3>
      <p className={css.reason}>{count(evaluated.matching_guidelines.length, "guideline applies", "guidelines apply")}.</p>
      <Tools evaluated={evaluated} />
      <ul>
        {own.map((g) => (
          <li key={g.id}>
            <code>{g.id}</code>: <Raw text={g.action.instruction ?? "without an instruction"} />
          </li>
        ))}
      </ul>
    </div>
  );
}

// The component Compare shows side by side how a call is decided now, and how it would be decided with the change.
export function Compare({ call, against }: { call: ToolCall; against: string }) {
  const change = changeOf(against);
  const { project, ...body } = change ?? {};
  const previewed = useQuery({
    queryKey: ["guidelines", "compare", call, body, project ?? ""],
    queryFn: ({ signal }) =>
      ask<Preview>("POST", "/api/guardrails/preview", { body: { ...body, call: { ...call, project_id: project } }, signal }),
    enabled: change !== null,
    retry: false,
  });
  if (!change) return <p className={css.reason}>This browser does not have the draft. Choose something else to compare with.</p>;
  if (previewed.error) return <Failed error={previewed.error} retry={() => void previewed.refetch()} />;
  const saved = previewed.data?.saved.call;
  const draft = previewed.data?.draft?.call;
  if (!saved || !draft) return <Loading rows={3} label="Comparing" />;
  return (
    <section className={css.section} aria-label="Comparison">
      <h2>{saved.decision === draft.decision ? "The decision stays the same" : "The decision changes"}</h2>
      <div className={css.sides}>
        <Side title="Now" verdict={saved} other={draft} />
        <Side title="With the change" verdict={draft} other={saved} />
      </div>
    </section>
  );
}

function Side({ title, verdict, other }: { title: string; verdict: CallVerdict; other: CallVerdict }) {
  const before = new Map(other.explanation.guidelines.map((g) => [g.id, g.outcome]));
  const changed = verdict.explanation.guidelines.filter((g) => before.get(g.id) !== g.outcome);
  return (
    <div className={css.side} role="group" aria-label={title}>
      <h3>{title}</h3>
      <Outcome result={verdict.decision} large />
      {verdict.guideline && <code>{verdict.guideline}</code>}
      {verdict.reason && (
        <p className={css.reason}>
          <Raw text={verdict.reason} />
        </p>
      )}
      <ul>
        {changed.map((g) => (
          <li key={g.id}>
            <code>{g.id}</code>: {plain(g.outcome)}. <Raw text={g.why} />
          </li>
        ))}
      </ul>
    </div>
  );
}
