import type { GuidelineCreate, TaskContext } from "../api/shapes";

// taskOf returns an example task to which a guideline applies. It takes the first value of each list in the condition.
// The fields that describe a call, and the custom facts, are unknown.
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
