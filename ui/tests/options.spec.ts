// Every option of every form has an effect outside of the page. Options that are not in the tables here have tests in
// the other files.
import type { Locator, Page } from "@playwright/test";
import type { AuditList, Guideline, TokenList } from "../src/api/shapes";
import { expect, open, test } from "./fixtures";
import type { Server } from "./server";

const field = (ui: Page, name: string) => ui.getByLabel(name, { exact: true });
const summary = (ui: Page, name: string) => ui.locator("summary", { hasText: name });

async function chip(ui: Page, name: string, value: string) {
  await ui.getByRole("combobox", { name }).fill(value);
  await ui.getByRole("combobox", { name }).press("Enter");
}

const json = (ui: Page, title: string, text: string) => async () => {
  await summary(ui, title).click();
  await ui.getByRole("textbox", { name: title }).fill(text);
};

// Each change that a person makes in the editor, and the answer that the API then gives.
const edits: { name: string; act: (ui: Page) => Promise<unknown>; saved: Record<string, unknown> }[] = [
  { name: "the name", act: (ui) => field(ui, "Name").fill("Other"), saved: { name: "Other" } },
  { name: "the description", act: (ui) => ui.getByRole("textbox", { name: "Description" }).fill("Why."), saved: { description: "Why." } },
  { name: "the category", act: (ui) => field(ui, "Category").selectOption("tdd_protocol"), saved: { category: "tdd_protocol" } },
  { name: "the priority", act: (ui) => field(ui, "Priority").last().fill("910"), saved: { priority: 910 } },
  {
    name: "the slider of the priority",
    act: async (ui) => {
      const slider = ui.getByRole("slider", { name: "Priority" });
      await expect(async () => {
        await slider.press("End"); // a slow page may not listen to the first key
        await expect(slider).toHaveValue("1000", { timeout: 1000 });
      }).toPass();
    },
    saved: { priority: 1000 },
  },
  {
    name: "the switch off",
    act: (ui) => ui.getByRole("region", { name: "Editor" }).getByRole("switch", { name: "On", exact: true }).click(),
    saved: { enabled: false },
  },
  { name: "the lock", act: (ui) => ui.getByRole("switch", { name: "Locked", exact: true }).click(), saved: { locked: true } },
  { name: "metadata", act: (ui) => json(ui, "Metadata (JSON)", '{"tags": ["team"]}')(), saved: { metadata: { tags: ["team"] } } },
  { name: "agents", act: (ui) => chip(ui, "Agents", "backend"), saved: { condition: { agents: ["backend"] } } },
  { name: "paths", act: (ui) => chip(ui, "Paths", "src/*"), saved: { condition: { paths: ["src/*"] } } },
  { name: "events", act: (ui) => chip(ui, "Events", "commit"), saved: { condition: { events: ["commit"] } } },
  { name: "actions", act: (ui) => chip(ui, "Actions", "implement"), saved: { condition: { actions: ["implement"] } } },
  { name: "domains", act: (ui) => chip(ui, "Domains", "P01"), saved: { condition: { domains: ["P01"] } } },
  { name: "gate types", act: (ui) => chip(ui, "Gate types", "devops_invocation"), saved: { condition: { gate_types: ["devops_invocation"] } } },
  { name: "custom facts", act: (ui) => json(ui, "Custom facts (JSON)", '{"environment": ["container"]}')(), saved: { condition: { custom: { environment: ["container"] } } } },
  { name: "the instruction", act: (ui) => field(ui, "Instruction").fill("Be short."), saved: { action: { type: "instruction", instruction: "Be short." } } },
  {
    name: "the parameters",
    act: (ui) => json(ui, "Parameters (JSON)", '{"instead": "run make."}')(),
    saved: { action: { type: "instruction", instruction: "Be brief.", parameters: { instead: "run make." } } },
  },
  {
    name: "limits",
    act: async (ui) => {
      await field(ui, "Type").selectOption("constraint");
      await ui.getByLabel("Maximum number of files in a commit").fill("3");
      await ui.getByLabel("Tests must pass before a commit of source code").check();
      await ui.getByLabel("A merge needs a review first").check();
    },
    saved: { action: { type: "constraint", instruction: "Be brief.", max_files: 3, require_tests: true, require_review: true } },
  },
  {
    name: "an advisory gate with its calls",
    act: async (ui) => {
      await field(ui, "Type").selectOption("hitl_gate");
      await field(ui, "Gate").fill("devops");
      await field(ui, "Strictness").selectOption("advisory");
      await chip(ui, "Calls to ask about", "Bash(make deploy*)");
    },
    saved: { action: { type: "hitl_gate", instruction: "Be brief.", gate_type: "devops", gate_threshold: "advisory", tools_asked: ["Bash(make deploy*)"] } },
  },
  {
    name: "allowed calls",
    act: async (ui) => {
      await field(ui, "Type").selectOption("tool_restriction");
      await chip(ui, "Allowed calls", "Write(src/**)");
    },
    saved: { action: { type: "tool_restriction", instruction: "Be brief.", tools_allowed: ["Write(src/**)"] } },
  },
  { name: "telemetry", act: (ui) => field(ui, "Type").selectOption("telemetry"), saved: { action: { type: "telemetry", instruction: "Be brief." } } },
];

test("each field of the editor is saved as it was typed", async ({ ui, server }) => {
  for (const [i, edit] of edits.entries()) {
    const id = `g-${i}`;
    await server.api("POST", "/api/guardrails", { id, name: id, category: "custom", action: { type: "instruction", instruction: "Be brief." } });
    await ui.goto(`${server.url}/ui/guidelines/${id}`);
    await expect(field(ui, "Name")).toHaveValue(id);
    await edit.act(ui);
    if (i === 0) await ui.keyboard.press("Control+s");
    else await ui.getByRole("button", { name: "Save", exact: true }).click();
    await expect(ui.getByText("Saved as version 2."), edit.name).toBeVisible();
    expect(await server.api<Guideline>("GET", `/api/guardrails/${id}`), edit.name).toMatchObject(edit.saved);
  }
});

const ask = { type: "hitl_gate", gate_type: "devops", tools_asked: ["Bash(make deploy*)"] };
// What the hook decides about a call because of one field of a guideline.
const decided: { name: string; change: object; tool: string; input: Record<string, string>; want: string }[] = [
  { name: "a denied call", change: { action: { type: "tool_restriction", tools_denied: ["Write(docs/**)"] } }, tool: "Write", input: { file_path: "docs/a.md", content: "x" }, want: "deny" },
  { name: "a call beside the allowed ones", change: { action: { type: "tool_restriction", tools_allowed: ["Write(src/**)"] } }, tool: "Write", input: { file_path: "docs/a.md", content: "x" }, want: "deny" },
  { name: "a call to ask about", change: { action: ask }, tool: "Bash", input: { command: "make deploy-all" }, want: "ask" },
  { name: "an advisory gate", change: { action: { ...ask, gate_threshold: "advisory" } }, tool: "Bash", input: { command: "make deploy-all" }, want: "allow" },
  { name: "a guideline that is off", change: { action: ask, enabled: false }, tool: "Bash", input: { command: "make deploy-all" }, want: "allow" },
];

test("the playground and the hook make the same decision because of a field", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "one", name: "One", description: "For a test.", category: "security", action: { type: "instruction", instruction: "x" } });
  for (const [i, row] of decided.entries()) {
    await server.api("PUT", "/api/guardrails/one", { version: i + 1, enabled: true, ...row.change });
    await expect.poll(() => server.hook(row.tool, row.input).decision, row.name).toBe(row.want);
    await ui.goto(`${server.url}/ui/playground?command=${encodeURIComponent(JSON.stringify({ tool_name: row.tool, tool_input: row.input }))}`);
    const word = { deny: "denied", ask: "asked", allow: /allowed|warned/ }[row.want] ?? "";
    await expect(ui.getByRole("region", { name: "Decision" }).getByText(word).first(), row.name).toBeVisible();
  }
});

async function choose(ui: Page, label: string, value: string | Locator) {
  await ui.getByLabel(label).first().selectOption(value as string);
}

// A filter of the page, and the same filter of the API. Both must give the same list.
const listed: { name: string; act: (ui: Page) => Promise<unknown>; query: string }[] = [
  { name: "words", act: (ui) => ui.getByRole("searchbox").fill("plans"), query: "search=plans" },
  { name: "the category", act: (ui) => choose(ui, "Category", "security"), query: "category=security" },
  { name: "on", act: (ui) => choose(ui, "State", "true"), query: "enabled=true" },
  { name: "off", act: (ui) => choose(ui, "State", "false"), query: "enabled=false" },
  { name: "an agent", act: (ui) => put(ui, "Agent", "backend"), query: "agent=backend" },
  { name: "an event", act: (ui) => put(ui, "Event", "commit"), query: "event=commit" },
  { name: "a tag", act: (ui) => put(ui, "Tag", "team"), query: "tag=team" },
  { name: "the order by name", act: (ui) => choose(ui, "Order", "name"), query: "sort=name" },
  { name: "the order by category", act: (ui) => choose(ui, "Order", "category"), query: "sort=category" },
  { name: "the order by the last change", act: (ui) => choose(ui, "Order", "updated"), query: "sort=updated" },
];

async function put(ui: Page, label: string, value: string) {
  await field(ui, label).fill(value);
  await field(ui, label).press("Enter");
}

test("each filter of the guidelines finds what the API finds", async ({ ui, server }) => {
  const texts = [
    { id: "docs", name: "Documents stay", category: "security", priority: 600, condition: { agents: ["backend"] } },
    { id: "plans", name: "Plans stay", category: "custom", priority: 400, enabled: false, condition: { agents: ["frontend"], events: ["commit"] } },
    { id: "old", name: "Old files stay", category: "tdd_protocol", priority: 800, condition: { agents: ["frontend"], events: ["deploy"] }, metadata: { tags: ["team"] } },
  ];
  for (const text of texts) await server.api("POST", "/api/guardrails", { ...text, action: { type: "instruction", instruction: "x" } });
  for (const row of listed) {
    await ui.goto(`${server.url}/ui/guidelines`);
    await expect(ui.getByRole("table").getByRole("link")).toHaveCount(3);
    await row.act(ui);
    const want = await server.api<{ guidelines: Guideline[] }>("GET", `/api/guardrails?${row.query.includes("sort") ? "" : "sort=priority&"}${row.query}`);
    await expect(ui.getByRole("table").getByRole("link"), row.name).toHaveText(want.guidelines.map((g) => g.name));
  }
});

const later = () => new Date(Date.now() + 3_600_000).toISOString().slice(0, 16);
const earlier = () => new Date(Date.now() - 3_600_000).toISOString().slice(0, 16);

const audited: { name: string; act: (ui: Page) => Promise<unknown>; query: () => string }[] = [
  { name: "changes", act: (ui) => choose(ui, "Kind", "change"), query: () => "kind=change" },
  { name: "decisions", act: (ui) => choose(ui, "Kind", "decision"), query: () => "kind=decision" },
  { name: "a result", act: (ui) => choose(ui, "Result", "deny"), query: () => "result=deny" },
  { name: "an event", act: (ui) => choose(ui, "Event", "guideline_created"), query: () => "event_type=guideline_created" },
  { name: "a guideline", act: (ui) => typed(ui, "Guideline", "docs"), query: () => "guideline_id=docs" },
  { name: "an actor", act: (ui) => typed(ui, "Actor", "owner"), query: () => "actor=owner" },
  { name: "an agent", act: (ui) => typed(ui, "Agent", "builder"), query: () => "agent=builder" },
  { name: "a session", act: (ui) => typed(ui, "Session", "s2"), query: () => "session=s2" },
  { name: "a project", act: (ui) => typed(ui, "Project", "github.com/acme/shop"), query: () => "project=github.com/acme/shop" },
  { name: "a mode", act: (ui) => choose(ui, "Mode", "observe"), query: () => "mode=observe" },
  { name: "from a time", act: (ui) => ui.getByLabel("From").fill(later()), query: () => `date_from=${later()}:00Z` },
  { name: "from an earlier time", act: (ui) => ui.getByLabel("From").fill(earlier()), query: () => `date_from=${earlier()}:00Z` },
  { name: "to a time", act: (ui) => ui.getByLabel("To", { exact: true }).fill(earlier()), query: () => `date_to=${earlier()}:00Z` },
];

async function typed(ui: Page, label: string, value: string) {
  await ui.getByPlaceholder(label, { exact: true }).fill(value);
  await ui.getByPlaceholder(label, { exact: true }).press("Enter");
}

const seen = async (server: Server, query: string) => (await server.api<AuditList>("GET", `/api/guardrails/audit?page_size=50&${query}`)).total;

test("each filter of the audit finds what the API finds", async ({ ui, server }) => {
  server.write(".claude/guardrails.yaml", "packs: [core]\nproject: github.com/acme/shop\ndefault_agent: builder\n");
  await server.api("POST", "/api/guardrails", { id: "docs", name: "Documents stay", description: "x", category: "security", action: { type: "tool_restriction", tools_denied: ["Write(docs/**)"] } });
  await expect.poll(() => server.hook("Write", { file_path: "docs/a.md", content: "x" }, "s2").decision).toBe("deny");
  server.hook("Bash", { command: "git push --force origin main" });
  await expect.poll(() => seen(server, "result=ask&agent=builder")).toBeGreaterThan(0);
  for (const row of audited) {
    await ui.goto(`${server.url}/ui/audit`);
    await expect(ui.getByRole("table")).toBeVisible();
    await row.act(ui);
    const want = await seen(server, row.query());
    await expect(ui.getByText(want === 1 ? "1 entry" : `${want} entries`, { exact: true }), row.name).toBeVisible();
    await expect(ui.getByRole("button", { name: /^Details of entry/ }), row.name).toHaveCount(want);
  }
});

test("a token has the chosen role and the chosen time, as the API says", async ({ ui, server }) => {
  await open(ui, "Settings");
  const day = 86_400_000;
  for (const [i, role] of (["read", "decide", "write", "admin"] as const).entries()) {
    const days = ["30", "90", "365", ""][i] ?? "";
    await field(ui, "Name").fill(`t-${role}`);
    await ui.getByLabel("Role").selectOption(role);
    await ui.getByLabel("Expires").selectOption(days);
    await ui.getByRole("button", { name: "Create a token" }).click();
    await expect(ui.getByText(`The token t-${role} is shown only now.`)).toBeVisible();
    const made = (await server.api<TokenList>("GET", "/api/guardrails/tokens")).tokens.find((token) => token.name === `t-${role}`);
    expect(made?.role).toBe(role);
    const lasts = made?.expires ? Math.round((Date.parse(made.expires) - Date.now()) / day) : 0;
    expect(lasts).toBe(Number(days));
  }
});

test("each way to treat an existing guideline in an import does what the API does", async ({ ui, server, watched }) => {
  watched.expected.push(/400/);
  await server.api("POST", "/api/guardrails", { id: "old", name: "Old", category: "custom", action: { type: "instruction", instruction: "Old text." } });
  const text = (words: string) => `guidelines:\n  - {id: old, name: Old, category: custom, tell: ${words}}\n`;
  const told = async () => (await server.api<Guideline>("GET", "/api/guardrails/old")).action.instruction;
  await open(ui, "Import and export");
  for (const { way, words, want } of [
    { way: "fail", words: "First text.", want: "Old text." },
    { way: "skip", words: "Second text.", want: "Old text." },
    { way: "update", words: "Third text.", want: "Third text." },
  ]) {
    await ui.getByLabel("Text").fill(text(words));
    await ui.getByLabel("If a guideline already exists").selectOption(way);
    await ui.getByRole("button", { name: "Show what would happen" }).click();
    const go = ui.getByRole("button", { name: "Import", exact: true });
    if (way === "fail") {
      await expect(ui.getByRole("list", { name: "Results" }).getByText("failed")).toBeVisible();
      await expect(go).toBeDisabled();
    } else {
      await go.click();
      await expect(ui.getByText(way === "skip" ? "Imported: 1 skipped." : "Imported: 1 updated.")).toBeVisible();
    }
    expect(await told(), way).toBe(want);
  }
});

test("an export in each format has the guidelines of the chosen category", async ({ ui, server }) => {
  for (const category of ["custom", "security"]) {
    await server.api("POST", "/api/guardrails", { id: `only-${category}`, name: category, category, action: { type: "instruction", instruction: "x" } });
  }
  await open(ui, "Import and export");
  for (const { category, format, has, lacks } of [
    { category: "security", format: "YAML", has: "only-security", lacks: "only-custom" },
    { category: "custom", format: "JSON", has: "only-custom", lacks: "only-security" },
    { category: "", format: "JSON", has: "only-security", lacks: "nothing else" },
  ]) {
    await ui.getByLabel("Guidelines", { exact: true }).selectOption(category);
    const [file] = await Promise.all([ui.waitForEvent("download"), ui.getByRole("link", { name: `Export as ${format}` }).click()]);
    const text = Buffer.concat((await (await file.createReadStream()).toArray()) as Buffer[]).toString();
    expect(text).toContain(has);
    expect(text).not.toContain(lacks);
    expect(text.trimStart().startsWith("{") || text.trimStart().startsWith("[")).toBe(format === "JSON");
  }
});

test("for each period, the page shows the sessions that the API finds", async ({ ui, server }) => {
  server.hook("Bash", { command: "git push --force origin main" }, "only-session");
  await open(ui, "Sessions");
  for (const since of ["hour", "day", "week"]) {
    await ui.getByLabel("Time").selectOption(since);
    await expect(ui.getByRole("link", { name: "only-session" })).toBeVisible();
  }
  expect((await server.api<{ total: number }>("GET", "/api/guardrails/sessions")).total).toBe(1);
});

test("each field of a task reaches the evaluation", async ({ ui, server }) => {
  const rows = [
    { id: "by-agent", condition: { agents: ["backend"] }, act: () => ui.getByLabel("Agent").fill("backend") },
    { id: "by-action", condition: { actions: ["implement"] }, act: () => field(ui, "Action").fill("implement") },
    { id: "by-domain", condition: { domains: ["P01"] }, act: () => field(ui, "Domain").fill("P01") },
    { id: "by-event", condition: { events: ["commit"] }, act: () => field(ui, "Event").fill("commit") },
    { id: "by-path", condition: { paths: ["src/*"] }, act: () => chip(ui, "Paths", "src/a.go") },
  ];
  for (const { id, condition } of rows) {
    await server.api("POST", "/api/guardrails", { id, name: id, category: "custom", condition, action: { type: "instruction", instruction: `told ${id}` } });
  }
  for (const { id, act } of rows) {
    await ui.goto(`${server.url}/ui/playground?mode=task`);
    await act();
    await ui.getByRole("button", { name: "Evaluate the task" }).click();
    await expect(ui.getByText(`told ${id}`), id).toBeVisible();
  }
});
