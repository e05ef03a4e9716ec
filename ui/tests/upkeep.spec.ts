// The tests of everything that keeps guidelines in order: packs and their copies, versions, comparisons, the time of a
// replay, and settings.
import type { AuditList, Guideline, GuidelineList } from "../src/api/shapes";
import { checkScreen, compareWith, expect, open, test } from "./fixtures";

// The guideline "tdd-protocol" in the first version of the pack "core".
const firstText = {
  id: "tdd-protocol", name: "Tests come with the code", description: "Implementing and fixing need a test run before the commit.",
  category: "tdd_protocol", priority: 800, condition: { actions: ["implement", "code", "fix", "refactor"] },
  action: {
    type: "constraint", require_tests: true,
    instruction:
      "Write a failing test first, then the code that makes it pass, then tidy up. A commit after a change to source files expects a test command to have run since that change.",
  },
};
const brief = { type: "instruction", instruction: "Be brief." };

test("copies of packs are updated together, after their changes are shown", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", firstText);
  const instruction = async () => (await server.api<Guideline>("GET", "/api/guardrails/tdd-protocol")).action.instruction;
  await open(ui, "Packs");
  await expect(ui.getByRole("heading", { name: /^core version \d+, in force$/ })).toBeVisible();
  await expect(ui.getByRole("heading", { name: /^roles version \d+, not in force for the server's own project$/ })).toBeVisible();
  await ui.getByRole("button", { name: "Update all copies" }).click();
  await expect(ui.getByText("1 copy would change.")).toBeVisible();
  await expect(ui.getByRole("list", { name: "What would change" })).toContainText("then tidy up");
  await checkScreen(ui, "packs-update");
  expect(await instruction()).toBe(firstText.action.instruction);
  await ui.getByRole("button", { name: "Update 1 copy" }).click();
  await expect(ui.getByText("1 copy was updated. The history keeps the earlier texts.")).toBeVisible();
  expect(await instruction()).not.toContain("then tidy up");
  await ui.getByRole("button", { name: "Update all copies" }).click();
  await expect(ui.getByText("All unchanged copies already have the newest text of their pack.")).toBeVisible();
});

test("the address names the guideline of a pack that is open", async ({ ui, server }) => {
  await open(ui, "Packs");
  const row = ui.getByRole("button", { name: /History and other/ });
  await row.click();
  await expect(ui).toHaveURL(/packs\?open=security-history$/);
  await ui.goto(`${server.url}/ui/packs?open=security-history`);
  await expect(row).toHaveAttribute("aria-expanded", "true");
  await row.click();
  await expect(ui).toHaveURL(/packs$/);
});

test("copies of guidelines that a pack no longer has are shown", async ({ ui }) => {
  await ui.route("**/api/guardrails/packs", async (route) => {
    const answer = await route.fetch();
    const list = (await answer.json()) as { packs: { name: string; withdrawn: object[] }[] };
    list.packs.find((pack) => pack.name === "core")?.withdrawn.push({ id: "old-rule", pack: "core", version: 1, off: true, behind: true, withdrawn: true, fields: [] });
    await route.fulfill({ response: answer, json: list });
  });
  await open(ui, "Packs");
  await expect(ui.getByRole("list", { name: "Copies of guidelines that core no longer contains" })).toContainText("old-rule The store still has the copy for all projects, switched off.");
});

test("the order of the guidelines can be reversed", async ({ ui, server }) => {
  for (const [id, priority] of [["b", 100], ["a", 900], ["c", 500]] as const) {
    await server.api("POST", "/api/guardrails", { id, name: id, category: "custom", priority, action: brief });
  }
  for (const [sort, order] of [["priority", "asc"], ["name", "desc"], ["category", "desc"], ["updated", "asc"]] as const) {
    await ui.goto(`${server.url}/ui/guidelines?sort=${sort}`);
    await ui.getByLabel("reversed").check();
    const want = await server.api<GuidelineList>("GET", `/api/guardrails?sort=${sort}&order=${order}`);
    await expect(ui.getByRole("table").getByRole("link"), sort).toHaveText(want.guidelines.map((g) => g.name));
    await ui.getByLabel("reversed").uncheck();
    await expect(ui).not.toHaveURL(/order=/);
  }
});

test("the history shows more than 50 versions, and each with its change", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "old", name: "Old", category: "custom", action: brief });
  for (let version = 1; version < 53; version++) await server.api("PUT", "/api/guardrails/old", { version, priority: version });
  await ui.goto(`${server.url}/ui/guidelines/old?tab=history`);
  await expect(ui.getByText("Version 53", { exact: true })).toBeVisible();
  await expect(ui.getByText("Version 3", { exact: true })).toHaveCount(0);
  await ui.getByRole("button", { name: "Show older versions" }).click();
  await expect(ui.getByText("Version 1", { exact: true })).toBeVisible();
  await expect(ui.getByRole("button", { name: "Show older versions" })).toHaveCount(0);
  await ui.getByRole("button", { name: "Restore version 2", exact: true }).click();
  await expect.poll(async () => (await server.api<Guideline>("GET", "/api/guardrails/old")).priority).toBe(1);
});

test("a draft is replayed from the editor, on the calls of a chosen time", async ({ ui, server }) => {
  server.hook("Bash", { command: "git status" });
  await server.api("POST", "/api/guardrails", { id: "draft", name: "Draft", category: "security", action: { type: "tool_restriction", tools_denied: ["Bash(make:*)"] } });
  await ui.goto(`${server.url}/ui/guidelines/draft`);
  await ui.getByRole("combobox", { name: "Denied calls" }).fill("Bash(git status:*)");
  await ui.getByRole("combobox", { name: "Denied calls" }).press("Enter");
  await ui.getByRole("link", { name: "Replay this draft" }).click();
  await expect(ui.getByLabel("Draft", { exact: true })).toHaveValue("/draft");
  await ui.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(ui.getByText("1 call would be decided differently")).toBeVisible();
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16);
  await ui.getByLabel("To", { exact: true }).fill(hourAgo);
  await ui.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(ui.getByText("No recorded call matches.")).toBeVisible();
  await ui.getByLabel("To", { exact: true }).fill("");
  await ui.getByLabel("From", { exact: true }).fill(hourAgo);
  await ui.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(ui.getByText("1 call would be decided differently")).toBeVisible();
  await expect(ui).toHaveURL(/date_from=/);
});

test("a task is compared with a change, side by side", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "told", name: "Told", category: "custom", condition: { agents: ["backend"] }, action: brief });
  await ui.goto(`${server.url}/ui/playground?mode=task`);
  await ui.getByLabel("Agent").fill("backend");
  await compareWith(ui, "Told");
  await ui.getByRole("button", { name: "Evaluate the task" }).click();
  const comparison = ui.getByRole("region", { name: "Comparison" });
  await expect(comparison.getByRole("heading", { name: "With the change, other guidelines or instructions apply" })).toBeVisible();
  await expect(comparison.getByRole("group", { name: "Now" })).toContainText("told: Be brief.");
  await expect(comparison.getByRole("group", { name: "With the change" })).not.toContainText("told");
  const preview = await server.api<{ draft: { evaluated: { matching_guidelines: { id: string }[] } } }>("POST", "/api/guardrails/preview", { context: { agent: "backend" }, remove: ["told"] });
  const count = preview.draft.evaluated.matching_guidelines.length;
  await expect(comparison.getByRole("group", { name: "With the change" })).toContainText(count === 1 ? "1 guideline applies." : `${count} guidelines apply.`);
});

test("the overview counts the sessions of the last minutes, and leads to the packs while it is empty", async ({ ui, server }) => {
  await ui.getByRole("link", { name: "See the packs, and copy a guideline into the store" }).click();
  await expect(ui).toHaveURL(/\/packs$/);
  server.hook("Bash", { command: "git push --force origin main" }, "a");
  server.hook("Bash", { command: "git push --force origin main" }, "b");
  await expect.poll(async () => (await server.api<{ total: number }>("GET", "/api/guardrails/sessions")).total).toBe(2);
  await open(ui, "Overview");
  await ui.getByRole("link", { name: "2 sessions" }).click();
  await expect(ui).toHaveURL(/sessions\?since=now$/);
  await expect(ui.getByRole("link", { name: "a", exact: true })).toBeVisible();
});

test("the settings say how long decisions are kept, what has no effect, and whether the store answers", async ({ page, server, watched: _ }) => {
  await server.stop();
  server.own("audit: {keep_days: 30, keep_entries: 1000}\n");
  server.write(".claude/guardrails.yaml", "packs: [core]\naudit: {keep_days: 5}\n");
  await server.start();
  await page.goto(server.signInAddress());
  const found = await server.api<{ settings: { keep_days: number; keep_entries: number; ignored: { setting: string }[] } }>("GET", "/api/guardrails/settings");
  expect(found.settings).toMatchObject({ keep_days: 30, keep_entries: 1000, ignored: [{ setting: "audit" }] });
  await open(page, "Settings");
  await expect(page.getByText("for 30 days, at most 1,000 entries")).toBeVisible();
  await expect(page.getByRole("list", { name: "Settings that have no effect" })).toContainText("audit has no effect: a higher layer sets it");
  await expect(page.getByText(/The store last confirmed these numbers at/)).toBeVisible();
  await page.route("**/api/guardrails/stats", async (route) => {
    const answer = await route.fetch();
    const stats = (await answer.json()) as { store: { error?: string } };
    stats.store.error = "the database is locked";
    await route.fulfill({ response: answer, json: stats });
  });
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("The store cannot confirm these numbers now: the database is locked");
});

test("a held message waits for a person until somebody decides in its session", async ({ ui, server }) => {
  server.own("safety: {mode: observe}\n");
  server.write(".claude/guardrails-policies.yaml", "version: 1\nrules:\n  - {name: held, when: {message_contains: [my ssn]}, actions: [{type: override_safety, action: HOLD}]}\n");
  await expect.poll(async () => (await server.api<{ mode: string }>("GET", "/api/guardrails/policies")).mode).toBe("observe");
  server.prompt("Here is my SSN", "answered");
  server.prompt("Here is my SSN", "open");
  const force = { tool_name: "Bash", tool_input: { command: "git push --force origin main" }, tool_use_id: "c1" };
  server.call("PreToolUse", force, "answered");
  server.call("PostToolUse", { ...force, tool_response: {} }, "answered");
  const total = async (query: string) => (await server.api<AuditList>("GET", `/api/guardrails/audit?${query}`)).total;
  await expect.poll(() => total("event_type=gate&session=answered")).toBe(1);
  await expect.poll(() => total("event_type=safety_input&result=hold")).toBe(2);
  await open(ui, "Safety");
  const rows = ui.getByRole("list", { name: "Held and blocked" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "waits for a person" })).toHaveCount(1);
});
