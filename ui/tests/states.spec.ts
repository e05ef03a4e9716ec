// Every screen in each of its states: it loads, is empty, finds nothing, fails, shows old rows, has no connection, or
// is read-only. axe finds no fault in any state.
import type { Page } from "@playwright/test";
import { checkState, expect, signInAs, test } from "./fixtures";
import type { Server } from "./server";

test.setTimeout(600_000); // axe looks at dozens of screens

interface Screen {
  name: string;
  at: string; // its address below /ui
  api?: RegExp; // the first request that it sends to the server
  loading?: string;
  shown: string | RegExp; // a text that is there when the server has answered, with an empty store
  none?: { at: string; says: string }; // a filter that finds nothing
  readOnly?: string; // what a person with the role read sees
}

const needs = (what: string, role: string) => `To ${what}, you need the role "${role}".`;

const screens: Screen[] = [
  { name: "the overview", at: "/", api: /guardrails\/summary/, loading: "Counting the decisions", shown: "No decision in the last 24 hours." },
  {
    name: "the guidelines",
    at: "/guidelines",
    api: /api\/guardrails\?/,
    loading: "Reading the guidelines",
    shown: "The store has no guidelines yet.",
    none: { at: "/guidelines?search=nothing", says: "No guideline matches." },
  },
  { name: "a guideline of a pack", at: "/guidelines/security-history", api: /guardrails\/packs/, loading: "Looking for the guideline", shown: "This guideline comes with the pack core." },
  { name: "a new guideline", at: "/guidelines/~new", shown: "When it applies", readOnly: needs("create guidelines", "write") },
  { name: "a call", at: "/playground?command=ls", api: /explain-call/, loading: "Judging the call", shown: "No guideline stops this call." },
  { name: "a task", at: "/playground?mode=task&action=implement", api: /guardrails\/preview/, loading: "Evaluating the task", shown: "What the agent receives" },
  {
    name: "the audit",
    at: "/audit",
    api: /guardrails\/audit\?/,
    loading: "Reading the audit",
    shown: "The audit has no entries yet.",
    none: { at: "/audit?actor=nobody", says: "No entry matches." },
  },
  { name: "the replay", at: "/replay", shown: "Nothing has been replayed yet." },
  { name: "the sessions", at: "/sessions", api: /guardrails\/sessions/, loading: "Reading the sessions", shown: "No session in this period." },
  {
    name: "the safety gate",
    at: "/safety",
    api: /guardrails\/policies/,
    loading: "Reading the policies",
    shown: "There is no policy file.",
    none: { at: "/safety?result=hold", says: "Nothing was held or blocked in this period." },
    readOnly: needs("see and change webhooks", "admin"),
  },
  { name: "the webhooks", at: "/safety", api: /guardrails\/webhooks/, loading: "Reading the webhooks", shown: "There are no webhooks yet.", readOnly: needs("see and change webhooks", "admin") },
  { name: "the packs", at: "/packs", api: /guardrails\/packs/, loading: "Reading the packs", shown: "Guidelines that come with the program." },
  { name: "import and export", at: "/exchange", shown: "Move guidelines between stores", readOnly: needs("import guidelines", "admin") },
  { name: "the settings", at: "/settings", api: /guardrails\/settings/, loading: "Reading the settings", shown: "Server and project", readOnly: needs("see and change tokens", "admin") },
  { name: "the tokens", at: "/settings", api: /guardrails\/tokens/, loading: "Reading the tokens", shown: "There is only the server's own token.", readOnly: needs("see and change tokens", "admin") },
  { name: "no screen", at: "/nowhere", shown: "There is no page at this address." },
];

type Asking = Screen & { api: RegExp; loading: string };
const asking = screens.filter((screen): screen is Asking => screen.api !== undefined);
const go = (ui: Page, server: Server, at: string) => ui.goto(`${server.url}/ui${at}`);

test("each screen with an empty store", async ({ ui, server, watched }) => {
  watched.expected.push(/40[04]/); // the store does not have the guideline of a pack
  for (const { name, at, shown } of screens) {
    await go(ui, server, at);
    await expect(ui.getByText(shown).first(), name).toBeVisible();
    await checkState(ui, `${name}, empty`);
  }
});

test("each screen while it loads", async ({ ui, server, watched }) => {
  watched.expected.push(/40[04]/);
  for (const { name, at, api, loading } of asking) {
    await ui.route(api, () => undefined); // no answer
    await go(ui, server, at);
    await expect(ui.getByText(loading).first(), name).toBeAttached();
    await expect(ui.getByRole("alert"), name).toHaveCount(0);
    await checkState(ui, `${name}, loading`);
    await ui.unroute(api);
  }
});

test("each screen whose filter finds nothing", async ({ ui, server }) => {
  for (const { name, none } of screens) {
    if (!none) continue;
    await go(ui, server, none.at);
    await expect(ui.getByText(none.says), name).toBeVisible();
    await checkState(ui, `${name}, no match`);
  }
});

test("each screen after a failure, which can be tried again", async ({ ui, server, watched }) => {
  watched.expected.push(/40[04]|418/);
  const problem = { status: 418, contentType: "application/problem+json", body: JSON.stringify({ title: "no", status: 418, detail: "The test refuses this." }) };
  // When the stream of events begins, the page asks for everything again. Without a stream, only the button makes the
  // page ask again.
  await ui.route(/guardrails\/events/, () => undefined);
  for (const { name, at, api, shown } of asking.filter((screen) => screen.name !== "a guideline of a pack")) {
    await ui.route(api, (route) => route.fulfill(problem));
    await go(ui, server, at);
    const alert = ui.getByRole("alert").filter({ hasText: "The test refuses this." }).first();
    await expect(alert, name).toBeVisible();
    await checkState(ui, `${name}, failed`);
    await ui.unroute(api);
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(ui.getByText(shown).first(), name).toBeVisible();
  }
});

test("the lists show their old rows while they wait for new ones", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "one", name: "One rule", category: "custom", action: { type: "instruction", instruction: "x" } });
  for (const { name, at, api, label, option } of [
    { name: "the guidelines", at: "/guidelines", api: /api\/guardrails\?/, label: "Category", option: "security" },
    { name: "the audit", at: "/audit", api: /guardrails\/audit\?/, label: "Kind", option: "decision" },
  ]) {
    await go(ui, server, at);
    await expect(ui.getByRole("row", { name: /One rule/ }), name).toBeVisible();
    await ui.route(api, () => undefined);
    await ui.getByLabel(label).first().selectOption(option);
    await expect(ui.locator("[data-stale]"), name).toBeVisible();
    await expect(ui.getByRole("row", { name: /One rule/ }), name).toBeVisible();
    await checkState(ui, `${name}, stale`);
    await ui.unroute(api);
  }
});

test("each screen without a connection", async ({ ui, server, watched }) => {
  watched.expected.push(/ERR_|Failed to load/);
  for (const { name, at } of asking.filter((screen) => !screen.at.startsWith("/guidelines/"))) {
    await ui.route(/api\/guardrails|readyz/, (route) => route.abort());
    await go(ui, server, at);
    await expect(ui.getByText("The server does not answer. This page may be out of date."), name).toBeVisible();
    await expect(ui.getByRole("alert").getByText("No connection.").first(), name).toBeVisible();
    await checkState(ui, `${name}, offline`);
    await ui.unroute(/api\/guardrails|readyz/);
  }
});

test("each screen for the role read", async ({ page, server, watched }) => {
  watched.expected.push(/40[014]/);
  await server.api("POST", "/api/guardrails", { id: "one", name: "One rule", category: "custom", action: { type: "instruction", instruction: "x" } });
  await signInAs(page, server, "read");
  for (const { name, at, readOnly } of [...screens, { name: "a guideline", at: "/guidelines/one", readOnly: 'You have the role "read". You can see every field but not change it.' }]) {
    await go(page, server, at);
    if (readOnly) await expect(page.getByText(readOnly).first(), name).toBeVisible();
    else await expect(page.getByRole("heading", { level: 1 }), name).toBeVisible();
    await expect(page.getByRole("alert"), name).toHaveCount(0);
    await checkState(page, `${name}, read-only`);
  }
});

const one = { id: "one", name: "One rule", description: "For a test.", category: "security", action: { type: "tool_restriction", tools_denied: ["Write(docs/**)"] } };

// What a screen shows only after a person did something.
const others: { name: string; at: string; act: (ui: Page) => Promise<unknown>; shown: string | RegExp }[] = [
  { name: "the question before a guideline is deleted", at: "/guidelines/one", act: (ui) => ui.getByRole("button", { name: "Delete" }).click(), shown: "Delete this guideline?" },
  {
    name: "the question before unsaved changes are left",
    at: "/guidelines/one",
    act: async (ui) => {
      await ui.getByLabel("Name", { exact: true }).fill("Not saved");
      await ui.getByRole("link", { name: "Packs" }).click();
    },
    shown: "Leave without saving?",
  },
  { name: "a kept draft", at: "/guidelines/one", act: async () => undefined, shown: "You have not saved these changes yet." },
  { name: "the changes of chosen guidelines", at: "/guidelines", act: (ui) => ui.getByRole("checkbox", { name: "Choose One rule" }).check(), shown: "1 guideline chosen" },
  {
    name: "the question before chosen guidelines are deleted",
    at: "/guidelines",
    act: async (ui) => {
      await ui.getByRole("checkbox", { name: "Choose One rule" }).check();
      await ui.getByRole("button", { name: "Delete" }).click();
    },
    shown: "Delete 1 guideline?",
  },
  {
    name: "a new guideline with mistakes",
    at: "/guidelines/~new",
    act: async (ui) => {
      await ui.getByLabel("Id", { exact: true }).fill("Not An Id");
      await ui.getByLabel("Type", { exact: true }).selectOption("hitl_gate");
      await expect(ui.getByLabel("Gate", { exact: true })).toHaveAttribute("aria-invalid", "true");
    },
    shown: "New guideline",
  },
  { name: "the JSON of a guideline", at: "/guidelines/one?tab=json", act: async () => undefined, shown: /"tools_denied"/ },
  {
    name: "the decisions of a guideline",
    at: "/guidelines/one",
    act: (ui) => ui.locator("summary", { hasText: "Decisions of this guideline" }).click(),
    shown: "This guideline has not decided anything yet.",
  },
  {
    name: "the mistakes of an import",
    at: "/exchange",
    act: async (ui) => {
      await ui.getByLabel("Text").fill("guidelines:\n  - name: Wrong\n    deny: [1]\n  - {id: No Id, tell: x}\n");
      await ui.getByRole("button", { name: "Show what would happen" }).click();
    },
    shown: "The server refused the request.",
  },
  {
    name: "the question before a token is revoked",
    at: "/settings",
    act: async (ui) => {
      await ui.getByLabel("Name", { exact: true }).fill("ci");
      await ui.getByRole("button", { name: "Create a token" }).click();
      await ui.getByRole("button", { name: "Revoke ci" }).click();
    },
    shown: "Revoke ci?",
  },
];

test("each question, and what a screen shows only after a person did something", async ({ ui, server, watched }) => {
  watched.expected.push(/400/);
  ui.on("dialog", (dialog) => void dialog.accept());
  await server.api("POST", "/api/guardrails", one);
  for (const { name, at, act, shown } of others) {
    await go(ui, server, at);
    await act(ui);
    await expect(ui.getByText(shown).first(), name).toBeVisible();
    await checkState(ui, name);
  }
});
