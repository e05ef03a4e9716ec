// Words for the values of the server.
export function plain(value: string): string {
  return value.replaceAll("_", " ");
}

const categories: Record<string, string> = {
  cognitive_isolation: "isolation",
  hitl_gate: "approval",
  tdd_protocol: "tests",
  context_constraint: "limits",
  audit_telemetry: "audit",
};

export function categoryWord(category: string): string {
  return categories[category] ?? plain(category);
}

export function count(n: number, one: string, many = one + "s"): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
