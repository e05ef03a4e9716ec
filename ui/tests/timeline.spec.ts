// Sessions and their timelines, and what the audit says about its own state.
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { AuditList, SessionList } from "../src/api/shapes";
import { checkScreen, expect, open, test } from "./fixtures";
import type { Server } from "./server";

const force = { command: "git push --force origin main" };
const audited = (server: Server, query: string) => server.api<AuditList>("GET", `/api/guardrails/audit?page_size=50&${query}`);

test("a session has a timeline of its calls, with the answers to the questions", async ({ ui, server }) => {
  server.prompt("a secret plan", "long");
  server.hook("Bash", { command: "ls" }, "long");
  server.call("PreToolUse", { tool_name: "Bash", tool_input: force, tool_use_id: "c1" }, "long");
  server.call("PostToolUse", { tool_name: "Bash", tool_input: force, tool_use_id: "c1", tool_response: {} }, "long");
  server.hook("Bash", { command: "rm -rf ~" }, "long");
  server.hook("Bash", { command: "ls" }, "other");
  await expect.poll(async () => (await audited(server, "session=long&event_type=gate")).total).toBe(1);
  await open(ui, "Sessions");
  await ui.getByRole("link", { name: "long", exact: true }).click();
  await expect(ui).toHaveURL(/\/sessions\/long$/);
  const steps = ui.getByRole("list", { name: "Timeline" }).getByRole("listitem").filter({ has: ui.getByRole("link") }).filter({ hasNot: ui.getByRole("heading") });
  const { entries, total } = await audited(server, "session=long");
  await expect(ui.getByText(`${total} entries`)).toBeVisible();
  const answers = entries.filter((entry) => entry.event_type === "gate" || entry.event_type === "remember").length;
  await expect(steps).toHaveCount(total - answers);
  await expect(steps.filter({ hasText: "asked" }).getByText(/answered:/)).toContainText("approved");
  await expect(steps.filter({ hasText: "denied" })).toHaveCount(1);
  await expect(steps.filter({ hasText: "prompt" })).toHaveCount(1);
  await expect(ui.getByText("secret plan")).toHaveCount(0);
  await checkScreen(ui, "session");
  await ui.getByRole("link", { name: "Its entries in the audit" }).click();
  await expect(ui.getByRole("button", { name: /^Details of entry/ })).toHaveCount(total);
  await ui.goto(`${server.url}/ui/sessions/unknown`);
  await expect(ui.getByText("The audit has nothing about this session.")).toBeVisible();
});

test("older sessions and older entries of the last hour can be read a while later", async ({ ui, server }) => {
  const sessions = 51;
  for (let i = 0; i < sessions; i++) server.hook("Bash", force, `session-${i}`);
  await expect.poll(async () => (await server.api<SessionList>("GET", "/api/guardrails/sessions")).total).toBe(sessions);
  const shown = ui.getByRole("link", { name: /^session-/ });
  const details = ui.getByRole("button", { name: /^Details of entry/ });

  await open(ui, "Sessions");
  await expect(ui.getByText(`${sessions} sessions`)).toBeVisible();
  await expect(shown).toHaveCount(50);
  await ui.clock.setFixedTime(Date.now() + 5 * 60_000);
  await ui.getByRole("link", { name: "Older" }).click();
  await expect(shown).toHaveText(["session-0"]);
  server.hook("Bash", force, "newer");
  await ui.getByRole("link", { name: "Newest" }).click();
  await expect(shown).toHaveCount(49); // this number includes the newer session
  await ui.getByRole("link", { name: "Older" }).click();
  await ui.getByLabel("Time").selectOption("hour");
  await expect(shown).toHaveCount(49);

  const { total } = await audited(server, "kind=decision");
  expect(total).toBeGreaterThan(50);
  await open(ui, "Audit");
  await ui.getByLabel("Time").selectOption("hour");
  await expect(details).toHaveCount(50);
  await ui.clock.setFixedTime(Date.now() + 10 * 60_000);
  await ui.getByRole("link", { name: "Older" }).click();
  await expect(ui.getByRole("link", { name: "Newest" })).toBeVisible();
  await expect(details).not.toHaveCount(0);
  await expect(ui.getByLabel("From")).not.toHaveValue("");
});

test("sessions are counted and filtered by project, and so is the audit", async ({ ui, server }) => {
  server.hook("Bash", force, "before");
  await expect.poll(async () => (await audited(server, "session=before")).total).toBeGreaterThan(0);
  server.write(".git/config", '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n');
  server.hook("Bash", force, "after");
  await expect.poll(async () => (await audited(server, "project=github.com/acme/shop")).total).toBeGreaterThan(0);
  await open(ui, "Sessions");
  await expect(ui.getByText("2 sessions")).toBeVisible();
  await typed(ui, "Project", "github.com/acme/shop");
  const found = await server.api<SessionList>("GET", "/api/guardrails/sessions?project=github.com/acme/shop");
  await expect(ui.getByText(found.total === 1 ? "1 session" : `${found.total} sessions`, { exact: true })).toBeVisible();
  await expect(ui.getByRole("link", { name: "after" })).toBeVisible();
  await expect(ui.getByRole("link", { name: "before" })).toBeHidden();
  await ui.getByLabel("Time").selectOption("now");
  await expect(ui).toHaveURL(/project=.*since=now|since=now.*project=/);

  await open(ui, "Audit");
  await typed(ui, "Project", "github.com/acme/shop");
  const { total } = await audited(server, "project=github.com/acme/shop");
  await expect(ui.getByRole("button", { name: /^Details of entry/ })).toHaveCount(total);
});

async function typed(ui: Page, label: string, value: string) {
  await ui.getByPlaceholder(label, { exact: true }).fill(value);
  await ui.getByPlaceholder(label, { exact: true }).press("Enter");
}

test("gaps of each kind are marked: calls that were not checked, entries that were removed, and damaged records", async ({ page, server, watched: _ }) => {
  await server.stop();
  expect(server.hookAlone("Read", { file_path: "a.txt" }).decision).toBe("allow");
  await server.start();
  server.prompt("go on", "alone");
  server.hook("Bash", force);
  await expect.poll(async () => (await audited(server, "")).entries.map((entry) => entry.event_type)).toContain("gap");
  appendFileSync(spoolOf(server), "this is no record\n");
  await expect.poll(async () => (await audited(server, "event_type=damaged_record")).total).toBe(1);
  await server.stop();
  server.run("audit", "prune", "--keep-entries", "1", "--yes");
  await server.start();
  server.hookAlone("Read", { file_path: "a.txt" }, "later"); // a session that has no guidelines in its cache yet
  server.prompt("go on", "later");
  appendFileSync(spoolOf(server), "this is no record either\n");
  await page.goto(server.signInAddress());
  await expect(page.getByRole("navigation", { name: "Screens" })).toBeVisible();
  for (const { event, gap } of [
    { event: "gap", gap: "Gap: calls went unchecked" },
    { event: "audit_pruned", gap: "Gap: older entries were removed" },
    { event: "damaged_record", gap: "Gap: a record was damaged" },
  ]) {
    await expect.poll(async () => (await audited(server, `event_type=${event}`)).total, event).toBeGreaterThan(0);
    const { total } = await audited(server, `event_type=${event}`);
    await page.goto(`${server.url}/ui/audit?event_type=${event}`);
    await expect(page.getByText(gap), event).toHaveCount(total);
  }
});

function spoolOf(server: Server): string {
  const folder = join(server.dir, "state", "guardrails");
  const days = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\d{4}-\d\d-\d\d\.jsonl$/.test(name));
  return join(folder, days.sort().at(-1) ?? "");
}

test("an administrator verifies the chains, and reads what is wrong", async ({ ui, server }) => {
  server.hook("Bash", force);
  await expect.poll(async () => (await audited(server, "")).total).toBeGreaterThan(0);
  await open(ui, "Audit");
  const status = ui.getByRole("status", { name: "Chains" });
  await ui.getByRole("button", { name: "Verify the chains" }).click();
  await expect(status).toHaveText(/Intact: \d+ entr(y|ies) in \d+ chains?\./);
  await ui.getByRole("button", { name: "Verify every entry" }).click();
  await expect(status).toHaveText(/Intact/);
  const verdict = { writer: "w1", kind: "decision", seq: 3, hash: "x", entries: 3, intact: false, fault: { seq: 2, damage: "altered", why: "its hash is another one" } };
  await ui.route("**/audit/verify*", (route) => route.fulfill({ json: { intact: false, verdicts: [verdict] } }));
  await ui.getByRole("button", { name: "Verify the chains" }).click();
  await expect(status).toHaveText(/The chain of decisions of w1 is damaged\. Entry 2 is altered: its hash is another one/);
  const guideline = { ...verdict, writer: "", fault: { seq: 0, damage: "altered", why: "guideline no-docs is not what its history says" } };
  await ui.unroute("**/audit/verify*");
  await ui.route("**/audit/verify*", (route) => route.fulfill({ json: { intact: false, verdicts: [guideline] } }));
  await ui.getByRole("button", { name: "Verify the chains" }).click();
  await expect(status).toHaveText("Guideline no-docs is not what its history says");
});

test("only an administrator sees how to verify the chains", async ({ page, server, watched }) => {
  watched.expected.push(/401/);
  const made = JSON.parse(server.run("token", "create", "reader", "--role", "read", "-o", "json")) as { token: string };
  await page.goto(`${server.url}/ui/audit`);
  await page.getByLabel("Or sign in with a token").fill(made.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Audit" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Verify the chains" })).toHaveCount(0);
});
