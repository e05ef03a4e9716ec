// What the editor reports about a draft while a person types. Each test compares it with the hook or the API.
import type { Page } from "@playwright/test";
import { checkScreen, expect, test } from "./fixtures";
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

test("while a condition is typed, the editor says how many recorded contexts it matches", async ({ ui, server }) => {
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
  await ui.locator("summary", { hasText: "The newest of these contexts" }).click();
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

test("the editor says what the draft overrides because of its priority, and what overrides the draft", async ({ ui, server }) => {
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

test("an instruction is shown within the text that the agent receives, with the size of this text", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "other", name: "Other", category: "custom", priority: 900, action: { type: "instruction", instruction: "Be kind." } });
  await openGuideline(ui, server, "draft", { condition: { agents: ["backend"] } });
  await ui.getByLabel("Instruction", { exact: true }).fill("Be short.");
  const evaluated = async () => server.api<{ combined_instruction: string }>("POST", "/api/guardrails/evaluate", { agent: "backend", unknown: ["paths", "event", "gate_type", "metadata"] });
  await ui.locator("summary", { hasText: "What the agent receives with this draft" }).click();
  const text = ui.getByRole("group", { name: "What the agent receives with this draft" });
  await expect(text.getByRole("group", { name: "From this draft" })).toContainText("### The draft one (draft)\nBe short.");
  await expect(text).toContainText("### Other (other)\nBe kind.");
  await ui.locator("summary", { hasText: "What applies to a task with the agent backend" }).click();
  await expect(ui.getByRole("group", { name: "What applies" }).getByRole("group", { name: "With this draft" })).toContainText("draft");
  await ui.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ui.getByText("Saved as version 2.")).toBeVisible();
  const size = [...(await evaluated()).combined_instruction].length.toLocaleString("en");
  await expect(ui.getByText(`What the agent receives with this draft: ${size} of at most 9,000 characters`)).toBeVisible();

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

test("the field says that an allowed call is denied by another guideline, and why", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "denying", name: "Denying", category: "custom", action: { type: "tool_restriction", tools_denied: ["Write(docs/*)"] } });
  await openGuideline(ui, server, "draft", { action: { type: "tool_restriction", tools_allowed: ["Write(src/*)"] } });
  await chip(ui, "Allowed calls", "Write(docs/*)");
  const field = ui.getByRole("combobox", { name: "Allowed calls" });
  await expect(field).toHaveAccessibleDescription(/"Write\(docs\/\*\)" is denied by "denying".* a denial wins whatever the priorities are/);
  await ui.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ui.getByText("Saved as version 2.")).toBeVisible();
  await expect.poll(() => server.hook("Write", { file_path: `${server.project}/docs/a.md`, content: "x" }).decision).toBe("deny");
});

test("each parameter of an action has a field", async ({ ui, server }) => {
  const saved = async () => (await server.api<{ action: { parameters?: object } }>("GET", "/api/guardrails/draft")).action.parameters;
  const save = async (version: number) => {
    await ui.getByRole("button", { name: "Save", exact: true }).click();
    await expect(ui.getByText(`Saved as version ${version}.`)).toBeVisible();
  };
  await openGuideline(ui, server, "draft", { description: "Why.", action: { type: "hitl_gate", gate_type: "devops", tools_asked: ["Bash(make deploy*)"] } });
  await ui.getByLabel("Instead", { exact: true }).fill("open a ticket.");
  await ui.getByLabel("Remember", { exact: true }).selectOption("session");
  await save(2);
  expect(await saved()).toEqual({ instead: "open a ticket.", remember: "session" });
  await expect.poll(() => server.hook("Bash", { command: "make deploy" }).reason).toContain("A yes to this rule holds for this session.");
  const explained = await server.api<{ instead: string }>("POST", "/api/guardrails/explain-call", { command: "make deploy" });
  expect(explained.instead).toBe("open a ticket.");
  await ui.getByLabel("Remember", { exact: true }).selectOption("");
  await save(3);
  expect(await saved()).toEqual({ instead: "open a ticket." });

  await ui.getByLabel("Instead", { exact: true }).fill("");
  await ui.getByLabel("Type", { exact: true }).selectOption("telemetry");
  await ui.getByLabel("Log", { exact: true }).selectOption("decisions");
  await ui.getByLabel("Sample", { exact: true }).fill("0.5");
  await save(4);
  expect(await saved()).toEqual({ log: "decisions", sample: 0.5 });
  await ui.getByLabel("Sample", { exact: true }).fill("2");
  await expect(ui.getByText(/is not a number from 0 to 1/)).toBeVisible();
  await expect(ui.getByLabel("Sample", { exact: true })).toHaveAccessibleDescription(/is not a number from 0 to 1/);
});

test("a guideline is edited as JSON, with lint, and no field gets lost", async ({ ui, server }) => {
  const whole = {
    description: "Why.", priority: 610, metadata: { tags: ["team"] }, condition: { agents: ["backend"], custom: { branch: ["main"] } },
    action: { type: "hitl_gate", gate_type: "devops", gate_threshold: "advisory", tools_asked: ["Bash(make deploy*)"], parameters: { instead: "ask.", own: { deep: [1, null] } } },
  };
  await openGuideline(ui, server, "draft", whole);
  await ui.getByRole("link", { name: "JSON", exact: true }).click();
  const text = ui.getByRole("textbox", { name: "The guideline as JSON" });
  const shown = JSON.parse(await text.inputValue()) as Record<string, unknown>;
  expect(shown).toMatchObject(whole);
  await text.fill(JSON.stringify({ ...shown, condition: { ...whole.condition, events: ["comit"] } }));
  await expect(ui.getByText(/condition\.events.*comit/)).toBeVisible();
  await text.fill(JSON.stringify({ ...shown, colour: "red" }));
  await expect(ui.getByText(/colour is not a field/)).toBeVisible();
  await expect(ui.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await ui.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(ui.getByText(/The text in the view "JSON" is not a guideline yet/)).toBeVisible();
  await expect(ui.getByLabel("Name", { exact: true })).toBeDisabled();
  await ui.getByRole("link", { name: "JSON", exact: true }).click();
  await expect(text).toHaveValue(/colour/);
  await text.fill(JSON.stringify({ ...shown, condition: { ...whole.condition, events: ["commit"] } }));
  await checkScreen(ui, "editor-json");
  await ui.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(ui.getByRole("button", { name: "Remove commit" })).toBeVisible();
  await ui.getByLabel("Name", { exact: true }).fill("Renamed");
  await ui.getByRole("link", { name: "JSON", exact: true }).click();
  await expect(text).toHaveValue(/"name": "Renamed"/);
  await ui.getByRole("button", { name: "Save", exact: true }).click();
  await expect(ui.getByText("Saved as version 2.")).toBeVisible();
  const saved = await server.api<Record<string, unknown>>("GET", "/api/guardrails/draft");
  expect(saved).toMatchObject({ ...whole, name: "Renamed", condition: { ...whole.condition, events: ["commit"] } });
});

test("a new guideline has the server's priority, and can be written as JSON", async ({ ui, server }) => {
  const known = await server.api<{ limits: { priority_default: number } }>("GET", "/api/guardrails/vocabularies");
  await ui.goto(`${server.url}/ui/guidelines/~new`);
  await expect(ui.getByLabel("Priority", { exact: true }).last()).toHaveValue(String(known.limits.priority_default));
  await ui.getByRole("link", { name: "JSON", exact: true }).click();
  const text = ui.getByRole("textbox", { name: "The guideline as JSON" });
  await text.fill(JSON.stringify({ id: "written", name: "Written", category: "custom", priority: 5, action: { type: "instruction", instruction: "Be brief." } }));
  await ui.getByRole("button", { name: "Create", exact: true }).click();
  await expect(ui).toHaveURL(/guidelines\/written/);
  expect(await server.api("GET", "/api/guardrails/written")).toMatchObject({ name: "Written", priority: 5 });
});
