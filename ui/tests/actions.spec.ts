// Every button, link and key has an effect outside of the page. The tests of the fields are in options.spec.ts.
import type { Page } from "@playwright/test";
import type { AuditList, Guideline, ReplayLine, WebhookList } from "../src/api/shapes";
import { copied, downloaded, drop, expect, open, test } from "./fixtures";
import type { Server } from "./server";

const elsewhere = "github.com/acme/elsewhere";
const field = (ui: Page, name: string) => ui.getByLabel(name, { exact: true });
const denies = (id: string, name: string, pattern: string, more: object = {}) => ({
  id,
  name,
  description: `${name}, for a test.`,
  category: "security",
  action: { type: "tool_restriction", tools_denied: [pattern] },
  ...more,
});
const add = (server: Server, g: object) => server.api<Guideline>("POST", "/api/guardrails", g);
const writes = (server: Server, path: string) => server.hook("Write", { file_path: path, content: "x" }).decision;
const listed = (server: Server, query = "") => server.api<{ guidelines: Guideline[]; total: number }>("GET", `/api/guardrails?${query}`);
const names = (ui: Page) => ui.getByRole("table").getByRole("link");

test("chosen guidelines can be exported and turned off, and the guidelines of a filter can be exported", async ({ ui, server }) => {
  await add(server, denies("no-docs", "Documents stay", "Write(docs/**)"));
  await add(server, denies("no-plans", "Plans stay", "Write(plans/**)", { category: "custom" }));
  await expect.poll(() => writes(server, "docs/a.md")).toBe("deny");
  await open(ui, "Guidelines");
  await ui.getByRole("checkbox", { name: "Choose Documents stay" }).check();
  const chosen = await downloaded(ui, () => ui.getByRole("link", { name: "Export", exact: true }).click());
  expect([chosen.includes("no-docs"), chosen.includes("no-plans")]).toEqual([true, false]);
  await ui.getByRole("button", { name: "Turn off" }).click();
  await expect.poll(() => writes(server, "docs/a.md")).toBe("allow");
  expect(writes(server, "plans/a.md")).toBe("deny");

  await ui.getByLabel("State").selectOption("on");
  await expect(names(ui)).toHaveText(["Plans stay"]);
  const found = await downloaded(ui, () => ui.getByRole("link", { name: "Export these" }).click());
  expect([found.includes("no-docs"), found.includes("no-plans")]).toEqual([false, true]);
  await ui.getByRole("link", { name: "Import", exact: true }).click();
  await expect(ui.getByRole("heading", { level: 1, name: "Import and export" })).toBeVisible();
});

test("each page of the list has the guidelines of the API's page, and keys choose the right guideline", async ({ ui, server }) => {
  const many = Array.from({ length: 60 }, (_, i) => denies(`g-${i}`, `Rule ${i}`, `Write(a${i}/**)`, { priority: 900 - i }));
  await server.api("POST", "/api/guardrails/import", many);
  const on = async (page: number) => (await listed(server, `sort=priority&page_size=50&page=${page}`)).guidelines.map((g) => g.name);
  await open(ui, "Guidelines");
  await ui.getByRole("link", { name: "Next" }).click();
  await expect(names(ui)).toHaveText(await on(2));
  await ui.getByRole("link", { name: "Previous" }).click();
  await expect(names(ui)).toHaveText(await on(1));
  await ui.evaluate(() => (document.activeElement as HTMLElement).blur());
  for (const key of ["j", "j", "j", "k", "x"]) await ui.keyboard.press(key);
  await ui.getByRole("button", { name: "Turn off" }).click();
  await expect.poll(async () => (await listed(server, "enabled=false")).guidelines.map((g) => g.id)).toEqual(["g-1"]);
});

test("the next page of the list begins where the page ends, whatever changes, and however long the list is", async ({ ui, server }) => {
  const rules = (from: number, n: number) =>
    Array.from({ length: n }, (_, i) => denies(`g-${from + i}`, `Rule ${from + i}`, `Write(a${from + i}/**)`, { priority: 900 - Math.floor((from + i) / 100) }));
  const next = async () => {
    const last = await names(ui).last().textContent();
    await ui.getByRole("link", { name: "Next" }).click();
    await expect(names(ui).filter({ hasText: new RegExp(`^${last}$`) })).toHaveCount(0);
  };
  for (let n = 0; n < 10_000; n += 2000) await server.api("POST", "/api/guardrails/import", rules(n, 2000));
  await server.api("POST", "/api/guardrails/import", rules(10_000, 120));
  const total = (await listed(server)).total;
  await open(ui, "Guidelines");
  await expect(names(ui)).toHaveCount(50);
  const first = await names(ui).allTextContents();
  const whole = await listed(server, "sort=priority&page_size=100");
  await server.api("DELETE", `/api/guardrails/${whole.guidelines[3]?.id}?version=1`);
  await add(server, denies("newest", "Newest", "Write(newest/**)", { priority: 1000 }));
  await expect(names(ui).first()).toHaveText("Newest"); // the page follows both changes
  await next();
  await expect(names(ui)).toHaveText(whole.guidelines.slice(50).map((g) => g.name));
  expect(await names(ui).allTextContents()).not.toContain(first[49]);

  await ui.goto(`${server.url}/ui/guidelines?sort=priority&page=200`);
  await next();
  await expect(ui.getByText(`Page 201 of ${Math.ceil(total / 50)}`)).toBeVisible();
  await next();
  await expect(ui.getByText("Page 202 of")).toBeVisible();
  await ui.getByRole("link", { name: "First" }).click();
  await expect(names(ui).first()).toHaveText("Newest");
});

test("a guideline gets the id and the project that were typed, and is copied", async ({ ui, server }) => {
  await open(ui, "Guidelines");
  await ui.getByRole("link", { name: "New guideline" }).click();
  await field(ui, "Name").fill("Documents stay");
  await field(ui, "Id").fill("typed-id");
  await field(ui, "Name").fill("Documents stay here");
  await field(ui, "Project").fill(elsewhere);
  await field(ui, "Instruction").fill("Leave them.");
  await ui.getByRole("button", { name: "Create" }).click();
  await expect(ui.getByText("Saved as version 1.")).toBeVisible();
  const made = await server.api<Guideline>("GET", `/api/guardrails/typed-id?project_id=${elsewhere}`);
  expect([made.name, made.project_id]).toEqual(["Documents stay here", elsewhere]);

  await ui.getByRole("link", { name: "Copy", exact: true }).click();
  await expect(field(ui, "Id")).toHaveValue("typed-id-copy");
  await ui.getByRole("button", { name: "Create" }).click();
  await expect.poll(async () => (await listed(server)).total).toBe(2);
  const copy = await server.api<Guideline>("GET", `/api/guardrails/typed-id-copy?project_id=${elsewhere}`);
  expect(copy.action).toEqual(made.action);

  await ui.goto(`${server.url}/ui/guidelines/typed-id?project=${encodeURIComponent(elsewhere)}&tab=json`);
  expect(made).toMatchObject(JSON.parse(await copied(ui, "Copy the JSON")));
});

test("the agent of a call and the prompt of a task change the answer", async ({ ui, server }) => {
  await add(server, denies("no-docs", "Documents stay", "Write(docs/**)", { condition: { agents: ["backend"] } }));
  await add(server, { id: "tests", name: "Tests first", category: "custom", condition: { actions: ["implement"] }, action: { type: "instruction", instruction: "Write the test first." } });
  // A session keeps its agent, so the call without an agent has a session of its own.
  const input = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Write", tool_input: { file_path: "docs/a.md", content: "x" }, cwd: server.project };
  await expect.poll(() => server.hookText(JSON.stringify({ ...input, agent_type: "backend" })).decision).toBe("deny");
  expect(server.hookText(JSON.stringify({ ...input, session_id: "other" }))).toEqual({ decision: "allow", reason: "" });
  await open(ui, "Playground");
  await ui.getByRole("textbox", { name: /^A command/ }).fill("Write(docs/a.md)");
  const decision = ui.getByRole("region", { name: "Decision" });
  for (const { agent, word } of [{ agent: "", word: "allowed" }, { agent: "backend", word: "denied" }]) {
    await field(ui, "Agent").fill(agent);
    await ui.getByRole("button", { name: "Judge the call" }).click();
    await expect(decision.getByText(word, { exact: true }).first(), agent).toBeVisible();
  }
  await ui.getByRole("link", { name: "A task" }).click();
  const prompt = "Please implement the export.";
  await field(ui, "Prompt").fill(prompt);
  await ui.getByRole("button", { name: "Evaluate the task" }).click();
  await expect(ui.getByText("Write the test first.")).toBeVisible();
  expect((await server.api<{ combined_instruction: string }>("POST", "/api/guardrails/evaluate", { prompt })).combined_instruction).toContain("Write the test first.");
});

test("a call that is copied from the playground is decided in the same way elsewhere", async ({ ui, server }) => {
  const text = 'echo "it\'s"; rm -rf ~';
  await ui.goto(`${server.url}/ui/playground?command=${encodeURIComponent(text)}`);
  await expect(ui.getByRole("region", { name: "Decision" }).getByText("denied", { exact: true }).first()).toBeVisible();
  expect(server.shell(await copied(ui, "Copy as a command"))).toMatch(/decision +deny/);
  expect(server.hookText(await copied(ui, "Copy as input of the hook")).decision).toBe("deny");
  const curl = await copied(ui, "Copy as curl");
  expect(server.shell(`${curl} -s`, { TOKEN: server.token() })).toContain('"decision":"deny"');
  const cases = server.file("cases.yaml", await copied(ui, "Copy as a test case"));
  expect(server.shell(`guardrails test -g pack:core ${cases}; echo "status $?"`)).toContain("status 0");
  server.write("cases.yaml", server.shell(`sed s/deny/allow/g ${cases}`));
  expect(server.shell(`guardrails test -g pack:core ${cases}; echo "status $?"`)).toContain("status 3");
});

const replayed = /^(\d+) calls? would be decided differently, (\d+) as before, (\d+) cannot be judged again\.$/;

test("each filter of a replay selects the same calls as in the API, and a file can be dropped and removed", async ({ ui, server }) => {
  server.hook("Bash", { command: "git status" }, "s1");
  server.hook("Bash", { command: "git push --force origin main" }, "s2");
  const agent = { session_id: "s3", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" }, cwd: server.project, agent_type: "backend" };
  server.hookText(JSON.stringify(agent));
  const draft = [denies("no-status", "No status", "Bash(git status:*)")];
  const replay = (query: string, guidelines: object[]) => server.api<ReplayLine>("POST", `/api/guardrails/replay?${query}`, { draft: { guidelines } });
  await expect.poll(async () => (await replay("", [])).calls).toBe(3);
  const check = async (name: string, query: string, guidelines: object[]) => {
    const want = await replay(query, guidelines);
    await ui.getByRole("button", { name: "Replay", exact: true }).click();
    const said = ui.getByRole("region", { name: "Result" }).getByText(replayed);
    await expect(said, name).toHaveText(new RegExp(`^${want.changed} calls? would be decided differently, ${want.unchanged} as before, ${want.not_replayed} `));
    return want.calls;
  };
  await open(ui, "Replay");
  await drop(ui.locator("form"), "draft.json", JSON.stringify(draft));
  await expect(ui.getByText("draft.json")).toBeVisible();
  expect((await replay("", draft)).changed).toBe(1);
  await check("a dropped file", "", draft);
  await ui.getByRole("button", { name: "Remove the file" }).click();
  await check("without the file", "", []);
  for (const { name, act, query, calls } of [
    { name: "the last hour", act: () => field(ui, "Time").selectOption("hour"), query: "", calls: 3 },
    { name: "a week", act: () => field(ui, "Time").selectOption("week"), query: "", calls: 3 },
    { name: "asked about", act: () => field(ui, "Decision").selectOption("ask"), query: "result=ask", calls: 1 },
    { name: "any decision of a session", act: async () => void (await field(ui, "Decision").selectOption(""), await field(ui, "Session").fill("s1")), query: "session=s1", calls: 1 },
    { name: "an agent", act: async () => void (await field(ui, "Session").fill(""), await field(ui, "Agent").fill("backend")), query: "actor=backend", calls: 1 },
  ]) {
    await act();
    expect(await check(name, query, []), name).toBe(calls);
  }
  const ended = ui.waitForEvent("requestfailed", (request) => request.url().includes("/replay"));
  await ui.route("**/api/guardrails/replay*", () => undefined); // no answer
  await ui.getByRole("button", { name: "Replay", exact: true }).click();
  await ui.getByRole("button", { name: "Stop" }).click();
  await ended;
  await expect(ui.getByText("You stopped the replay.")).toBeVisible();
});

test("the times, the pages, the links and the lines of the audit match the API", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails/import", Array.from({ length: 60 }, (_, i) => denies(`g-${i}`, `Rule ${i}`, `Write(a${i}/**)`)));
  await expect.poll(() => writes(server, "a7/x")).toBe("deny");
  const seen = async (query = "") => (await server.api<AuditList>("GET", `/api/guardrails/audit?page_size=200&${query}`)).total;
  await expect.poll(() => seen("result=deny")).toBe(1);
  await open(ui, "Audit");
  const span = { hour: 1, day: 24, week: 168 };
  for (const [since, hours] of Object.entries(span)) {
    const asked = ui.waitForRequest((request) => request.url().includes("date_from"));
    await ui.getByLabel("Time").first().selectOption(since);
    const from = new URL((await asked).url()).searchParams.get("date_from") ?? "";
    expect(Math.round((Date.now() - Date.parse(from)) / 3_600_000), since).toBe(hours);
    await expect(ui.getByText(`${await seen(`date_from=${from}`)} entries`, { exact: true }), since).toBeVisible();
  }
  const details = ui.getByRole("button", { name: /^Details of entry/ });
  await expect(details).toHaveCount(50);
  await ui.getByRole("link", { name: "Older" }).click();
  await expect(details).toHaveCount((await seen()) - 50);
  await ui.getByRole("link", { name: "Newest" }).click();
  await expect(details).toHaveCount(50);

  const lines = (await downloaded(ui, () => ui.getByRole("link", { name: "Export as JSON Lines" }).click())).trim().split("\n");
  expect(lines.length).toBe(await seen());
  expect(lines.filter((line) => (JSON.parse(line) as { decision?: { result: string } }).decision?.result === "deny")).toHaveLength(1);

  await ui.goto(`${server.url}/ui/audit?result=deny`);
  await details.click();
  await ui.getByRole("link", { name: "All entries of this guideline" }).click();
  await expect(ui).toHaveURL(/guideline_id=g-7/);
  await ui.goto(`${server.url}/ui/audit?result=deny`);
  await details.click();
  await ui.getByRole("link", { name: "All entries of this session" }).click();
  await expect(ui).toHaveURL(/session=s1/);
  await expect(details).toHaveCount(await seen("session=s1"));
});

test("guidelines are imported from a file, from a file that is dropped, and from JSON", async ({ ui, server }) => {
  await open(ui, "Import and export");
  const yaml = (id: string) => `guidelines:\n  - {id: ${id}, name: ${id}, because: For a test., deny: "Write(${id}/**)"}\n`;
  const rows: { id: string; give: (id: string) => Promise<unknown> }[] = [
    { id: "of-a-file", give: (id) => ui.getByLabel("A file of guidelines").setInputFiles({ name: "a.yaml", mimeType: "application/yaml", buffer: Buffer.from(yaml(id)) }) },
    { id: "dropped", give: (id) => drop(field(ui, "Text"), "b.yaml", yaml(id)) },
    { id: "of-json", give: (id) => field(ui, "Text").fill(JSON.stringify([denies(id, id, `Write(${id}/**)`)])) },
  ];
  for (const { id, give } of rows) {
    await give(id);
    await expect(field(ui, "Text"), id).toHaveValue(new RegExp(id));
    await ui.getByRole("button", { name: "Show what would happen" }).click();
    await expect(ui.getByText("This would happen: 1 created."), id).toBeVisible();
    await ui.getByRole("button", { name: "Import", exact: true }).click();
    await expect.poll(() => writes(server, `${id}/a.md`), id).toBe("deny");
  }
});

test("each period on the safety screen requests the entries of this period", async ({ ui }) => {
  const asksFor = async (hours: number, act: () => Promise<unknown>) => {
    const [asked] = await Promise.all([ui.waitForRequest((request) => request.url().includes("result=hold")), act()]);
    const from = new URL(asked.url()).searchParams.get("date_from") ?? "";
    expect(Math.round((Date.now() - Date.parse(from)) / 3_600_000)).toBe(hours);
  };
  await asksFor(168, () => open(ui, "Safety")); // at first, the page asks for a week
  await asksFor(1, () => ui.getByLabel("Time").selectOption("hour"));
  await asksFor(24, () => ui.getByLabel("Time").selectOption("day"));
});

test("a webhook has the chosen format, or the format that fits its URL", async ({ ui, server }) => {
  await open(ui, "Safety");
  const rows = [
    { chosen: "slack", url: "https://example.com/a", format: "slack" },
    { chosen: "discord", url: "https://example.com/b", format: "discord" },
    { chosen: "", url: "https://hooks.slack.com/services/T/B/x", format: "slack" },
    { chosen: "", url: "https://discord.com/api/webhooks/1/x", format: "discord" },
    { chosen: "", url: "https://example.com/other", format: "json" },
  ];
  for (const [i, { chosen, url, format }] of rows.entries()) {
    await field(ui, "URL").fill(url);
    await field(ui, "Description").fill(`hook ${i}`);
    await field(ui, "Format").selectOption(chosen);
    await ui.getByRole("button", { name: "Add the webhook" }).click();
    const made = async () => (await server.api<WebhookList>("GET", "/api/guardrails/webhooks")).webhooks.find((hook) => hook.description === `hook ${i}`)?.format;
    await expect.poll(made, url).toBe(format);
  }
});

test("what a person types while a webhook is added stays in the form", async ({ ui, server }) => {
  await open(ui, "Safety");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await ui.route("**/api/guardrails/webhooks", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await field(ui, "URL").fill("https://example.com/first");
  await ui.getByRole("button", { name: "Add the webhook" }).click();
  await field(ui, "URL").fill("https://example.com/second");
  release();
  const added = async () => (await server.api<WebhookList>("GET", "/api/guardrails/webhooks")).webhooks.map((hook) => hook.url);
  await expect.poll(added).toEqual(["https://example.com/first"]);
  await expect(ui.getByRole("button", { name: "Add the webhook" })).toBeEnabled();
  await expect(field(ui, "URL")).toHaveValue("https://example.com/second");
});

test("the chosen colors are still there after a reload", async ({ ui }) => {
  const background = () => ui.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await ui.emulateMedia({ colorScheme: "light" });
  const light = await background();
  await ui.getByLabel("Colors").selectOption("dark");
  const dark = await background();
  expect(dark).not.toBe(light);
  await ui.reload();
  await expect.poll(background).toBe(dark);
  await ui.emulateMedia({ colorScheme: "dark" });
  await ui.getByLabel("Colors").selectOption("light");
  await expect.poll(background).toBe(light);
  await ui.getByLabel("Colors").selectOption("system");
  await expect.poll(background).toBe(dark);
});
