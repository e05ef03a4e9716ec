// A task for which a guideline is meant: the first value of each list of its condition. What a call does, and the facts,
// are not known yet.
import type { GuidelineCreate, TaskContext } from "../api/shapes";

export function taskOf(g: GuidelineCreate): TaskContext {
  const { agents, domains, actions } = g.condition ?? {};
  return {
    agent: agents?.[0],
    domain: domains?.[0],
    action: actions?.[0],
    project_id: g.project_id,
    unknown: ["paths", "event", "gate_type", "metadata"],
  };
}
