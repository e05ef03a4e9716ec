import type { Guideline } from "../src/api/shapes";
import { expect, open, test } from "./fixtures";
import { Server } from "./server";

const events = "**/api/guardrails/events";

test("seven tabs work at the same time, and each shows what changes", async ({ ui, server }) => {
  const tabs = [ui];
  for (let i = 0; i < 6; i++) {
    const tab = await ui.context().newPage();
    await tab.goto(`${server.url}/ui/guidelines`);
    tabs.push(tab);
  }
  await open(ui, "Guidelines");
  for (const tab of tabs) await expect(tab.getByRole("heading", { name: "The store has no guidelines yet." })).toBeVisible();
  await server.api("POST", "/api/guardrails", { id: "a", name: "Seen everywhere", category: "custom", action: { type: "instruction", instruction: "Be brief." } });
  for (const tab of tabs) {
    await tab.bringToFront();
    await expect(tab.getByRole("link", { name: "Seen everywhere" })).toBeVisible();
  }
});

test("when the tab with the stream closes, another tab opens the stream", async ({ ui, server }) => {
  const second = await ui.context().newPage();
  await second.goto(`${server.url}/ui/guidelines`);
  await expect(second.getByRole("heading", { name: "The store has no guidelines yet." })).toBeVisible();
  await ui.close();
  await server.api("POST", "/api/guardrails", { id: "a", name: "Seen later", category: "custom", action: { type: "instruction", instruction: "Be brief." } });
  await expect(second.getByRole("link", { name: "Seen later" })).toBeVisible();
});

test("a page that receives no events says so, looks for changes, and hides the message when events arrive again", async ({ page, server, watched }) => {
  watched.expected.push(/ERR_FAILED/);
  await page.route(events, (route) => route.abort());
  await page.goto(server.signInAddress());
  await expect(page.getByText("The server cannot report changes to this page.")).toBeVisible();
  await open(page, "Guidelines");
  await server.api("POST", "/api/guardrails", { id: "a", name: "Found by looking", category: "custom", action: { type: "instruction", instruction: "Be brief." } });
  await expect(page.getByRole("link", { name: "Found by looking" })).toBeVisible();
  await page.unroute(events);
  await expect(page.getByText("The server cannot report changes to this page.")).toBeHidden();
});

test("two servers on one host do not sign each other out", async ({ ui, server }) => {
  const other = new Server();
  try {
    await other.start();
    const second = await ui.context().newPage();
    await second.goto(other.signInAddress());
    await expect(second.getByRole("navigation", { name: "Screens" })).toBeVisible();
    await ui.reload();
    await expect(ui.getByText("owner · admin")).toBeVisible();
    await second.getByRole("button", { name: "Sign out" }).click();
    await expect(second.getByLabel("Or sign in with a token")).toBeVisible();
    await ui.reload();
    await expect(ui.getByText("owner · admin")).toBeVisible();
    expect((await server.api<{ guidelines: Guideline[] }>("GET", "/api/guardrails")).guidelines).toEqual([]);
    await second.close();
  } finally {
    await other.end();
  }
});
