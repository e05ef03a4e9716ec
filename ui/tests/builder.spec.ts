// What the builders of the editor say about a draft while it is typed. Each test compares it with the hook or the API.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import type { Server } from "./server";

const instruction = { type: "instruction", instruction: "Be brief." };

async function openGuideline(ui: Page, server: Server, id: string, fields: object = {}) {
  await server.api("POST", "/api/guardrails", { id, name: `The ${id} one`, category: "custom", action: instruction, ...fields });
  await ui.goto(`${server.url}/ui/guidelines/${id}`);
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue(`The ${id} one`);
}

async function chip(ui: Page, name: string, value: string) {
  await ui.getByRole("combobox", { name }).fill(value);
  await ui.getByRole("combobox", { name }).press("Enter");
}

test("a condition says how many recorded contexts it matches, while it is typed", async ({ ui, server }) => {
  server.hook("Bash", { command: "git push --force origin main" });
  server.hook("Write", { file_path: `${server.project}/src/a.go`, content: "x" });
  const tried = async (condition: object) =>
    server.api<{ tried: number; matched: number }>("POST", "/api/guardrails/test-condition", { condition });
  await expect.poll(async () => (await tried({ events: ["force_push"] })).matched).toBe(1);
  await openGuideline(ui, server, "draft");
  const line = ui.getByRole("status", { name: "Recorded contexts" });
  const all = await tried({});
  await expect(line).toHaveText(`Matches ${all.tried} of the last ${all.tried} contexts.`);
  await chip(ui, "Events", "force_push");
  await expect(line).toHaveText(`Matches 1 of the last ${all.tried} contexts.`);
  await ui.locator("summary", { hasText: "The newest of them" }).click();
  await ui.getByRole("list", { name: "Matching contexts" }).getByRole("link").click();
  await ui.getByRole("button", { name: "Leave", exact: true }).click();
  await expect(ui).toHaveURL(/audit\?entry=/);
});

test("a path of a condition matches the recorded paths below the project", async ({ ui, server }) => {
  server.hook("Write", { file_path: `${server.project}/src/a.go`, content: "x" });
  server.hook("Bash", { command: "git push --force origin main" });
  await openGuideline(ui, server, "draft");
  await expect.poll(async () => (await server.api<{ tried: number }>("POST", "/api/guardrails/test-condition", { condition: {} })).tried).toBeGreaterThan(1);
  await chip(ui, "Paths", "src/*");
  await expect(ui.getByRole("status", { name: "Recorded contexts" })).toHaveText(/^Matches 1 of the last \d+ contexts\.$/);
});

const gate = { type: "hitl_gate", gate_type: "devops" };

test("the priority says what the draft overrides, and what overrides it", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "weaker", name: "Weaker", category: "custom", priority: 300, action: gate });
  await server.api("POST", "/api/guardrails", { id: "stronger", name: "Stronger", category: "custom", priority: 900, action: gate });
  await openGuideline(ui, server, "draft", { priority: 500, action: gate });
  const list = ui.getByRole("list", { name: "Overrides" });
  await expect(list.getByRole("listitem")).toHaveText([/^Is overridden by stronger: gate: devops\./, /^Overrides weaker: gate: devops\./]);
  await ui.getByLabel("Priority", { exact: true }).last().fill("950");
  await expect(list.getByRole("listitem")).toHaveText([/^Overrides stronger/, /^Overrides weaker/]);
  await chip(ui, "Agents", "backend");
  await ui.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ui.getByText("Saved as version 2.")).toBeVisible();
  const explained = await server.api<{ guidelines: { id: string; overridden?: { by: string }[] }[] }>("POST", "/api/guardrails/explain", { agent: "backend" });
  const overridden = explained.guidelines.filter((g) => g.overridden?.some((o) => o.by === "draft")).map((g) => g.id);
  expect(overridden.sort()).toEqual(["stronger", "weaker"]);
});

test("an instruction is shown as it reads to the agent, with the size of the whole", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "other", name: "Other", category: "custom", priority: 900, action: { type: "instruction", instruction: "Be kind." } });
  await openGuideline(ui, server, "draft", { condition: { agents: ["backend"] } });
  await ui.getByLabel("Instruction", { exact: true }).fill("Be short.");
  const evaluated = async () => server.api<{ combined_instruction: string }>("POST", "/api/guardrails/evaluate", { agent: "backend", unknown: ["paths", "event", "gate_type", "metadata"] });
  await ui.locator("summary", { hasText: "What the agent is told with this draft" }).click();
  const text = ui.getByRole("group", { name: "What the agent is told with this draft" });
  await expect(text.getByRole("group", { name: "From this draft" })).toContainText("### The draft one (draft)\nBe short.");
  await expect(text).toContainText("### Other (other)\nBe kind.");
  await ui.locator("summary", { hasText: "What applies to a task with the agent backend" }).click();
  await expect(ui.getByRole("group", { name: "What applies" }).getByRole("group", { name: "With this draft" })).toContainText("draft");
  await ui.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ui.getByText("Saved as version 2.")).toBeVisible();
  const size = [...(await evaluated()).combined_instruction].length.toLocaleString("en");
  await expect(ui.getByText(`What the agent is told with this draft: ${size} of at most 9,000 characters`)).toBeVisible();

  await ui.getByLabel("Instruction", { exact: true }).fill("x".repeat(9000));
  await expect(ui.getByText("The text is too long, so these instructions are left out: draft.")).toBeVisible();
});

test("a restriction is shown as it applies, before it is saved", async ({ ui, server }) => {
  await openGuideline(ui, server, "draft", { action: { type: "tool_restriction", tools_denied: ["Write(docs/**)"] } });
  await chip(ui, "Denied calls", "Bash(make deploy*)");
  await ui.locator("summary", { hasText: "What applies to a task" }).click();
  const sides = ui.getByRole("group", { name: "What applies" });
  await expect(sides.getByRole("group", { name: "With this draft" })).toContainText("Bash(make deploy*)");
  await expect(sides.getByRole("group", { name: "Now" })).not.toContainText("Bash(make deploy*)");
});
