import type { Guideline } from "../src/api/shapes";
import { checkScreen, expect, open, test } from "./fixtures";
import type { Server } from "./server";

const denies = (id: string, name: string, pattern: string, more: object = {}) => ({
  id,
  name,
  description: `${name}, for a test.`,
  category: "security",
  priority: 600,
  action: { type: "tool_restriction", tools_denied: [pattern] },
  ...more,
});

async function fill(server: Server) {
  await server.api("POST", "/api/guardrails", denies("no-docs", "Documents stay", "Write(docs/**)"));
  await server.api("POST", "/api/guardrails", denies("no-plans", "Plans stay", "Write(plans/**)", { category: "custom", priority: 400 }));
  await server.api("POST", "/api/guardrails", denies("no-old", "Old files stay", "Write(old/**)", { enabled: false, priority: 800 }));
}

const writes = (server: Server, path: string) => server.hook("Write", { file_path: path, content: "x" }).decision;

test("filters are in the address, and a reload shows the same", async ({ ui, server }) => {
  await fill(server);
  await open(ui, "Guidelines");
  await expect(ui.getByText("3 guidelines")).toBeVisible();
  const names = ui.getByRole("table").getByRole("link");
  await expect(names).toHaveText(["Old files stay", "Documents stay", "Plans stay"]);
  await checkScreen(ui, "guidelines");

  await ui.getByLabel("Order").selectOption("name");
  await expect(names).toHaveText(["Documents stay", "Old files stay", "Plans stay"]);
  await ui.getByLabel("State").selectOption("on");
  await expect(names).toHaveText(["Documents stay", "Plans stay"]);
  await ui.getByRole("searchbox").fill("plans");
  await expect(names).toHaveText(["Plans stay"]);
  await expect(ui).toHaveURL(/search=plans/);
  await ui.reload();
  await expect(names).toHaveText(["Plans stay"]);
  await expect(ui.getByText("1 match")).toBeVisible();

  await ui.getByRole("searchbox").fill("nothing has these words");
  await expect(ui.getByRole("heading", { name: "No guideline matches." })).toBeVisible();
  await ui.getByRole("link", { name: "Clear the filters" }).click();
  await expect(names).toHaveCount(3);
});

test("a switch in the list turns a guideline off, and the hook obeys", async ({ ui, server }) => {
  await fill(server);
  await expect.poll(() => writes(server, "docs/a.md")).toBe("deny");
  await open(ui, "Guidelines");
  const on = ui.getByRole("switch", { name: "Documents stay is on" });
  await expect(on).toBeChecked();
  await on.click();
  await expect(on).not.toBeChecked();
  await expect.poll(() => writes(server, "docs/a.md")).toBe("allow");
});

test("many guidelines are changed at once", async ({ ui, server }) => {
  await fill(server);
  await open(ui, "Guidelines");
  await ui.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await ui.getByRole("button", { name: "Turn on" }).click();
  await expect(ui.getByRole("switch", { name: "Old files stay is on" })).toBeChecked();
  await expect.poll(() => writes(server, "old/a.md")).toBe("deny");

  await ui.getByRole("checkbox", { name: "Choose Plans stay" }).check();
  await ui.getByRole("checkbox", { name: "Choose Documents stay" }).check();
  await ui.getByRole("button", { name: "Delete" }).click();
  await ui.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(ui.getByRole("table").getByRole("link")).toHaveText(["Old files stay"]);
  const left = await server.api<{ guidelines: Guideline[] }>("GET", "/api/guardrails");
  expect(left.guidelines.map((g) => g.id)).toEqual(["no-old"]);
});

test("the list can be used with the keyboard alone", async ({ ui, server }) => {
  await fill(server);
  await open(ui, "Guidelines");
  await expect(ui.getByRole("table").getByRole("link")).toHaveCount(3);
  await ui.evaluate(() => (document.activeElement as HTMLElement).blur());
  await ui.keyboard.press("j");
  await ui.keyboard.press("j");
  await ui.keyboard.press("x");
  await expect(ui.getByRole("checkbox", { name: "Choose Documents stay" })).toBeChecked();
  await ui.keyboard.press("Enter");
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Documents stay");
  await ui.keyboard.press("/");
  await expect(ui.getByRole("searchbox")).toBeFocused();
});

test("a version is restored from the history, also after the guideline was deleted", async ({ ui, server, watched }) => {
  watched.expected.push(/40[04]/);
  await fill(server);
  await server.api("PUT", "/api/guardrails/no-docs", { version: 1, action: { type: "tool_restriction", tools_denied: ["Write(other/**)"] } });
  await open(ui, "Guidelines");
  await ui.getByRole("link", { name: "Documents stay" }).click();
  await ui.getByRole("link", { name: "History" }).click();
  await expect(ui.getByText("Write(other/**)", { exact: true })).toBeVisible();
  await checkScreen(ui, "history");
  await ui.getByRole("button", { name: "Restore version 1" }).click();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Documents stay");
  await expect.poll(() => writes(server, "docs/a.md")).toBe("deny");

  await ui.getByRole("button", { name: "Delete" }).click();
  await ui.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(ui.getByRole("table").getByRole("link")).toHaveCount(2);
  await expect.poll(() => writes(server, "docs/a.md")).toBe("allow");
  await ui.goto(`${server.url}/ui/guidelines/no-docs`);
  await ui.getByRole("button", { name: "Restore version 3" }).click();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Documents stay");
  await expect.poll(() => writes(server, "docs/a.md")).toBe("deny");
});

test("a change of many guidelines says how many were changed, and which one failed", async ({ ui, server, watched }) => {
  watched.expected.push(/500/);
  await fill(server);
  await open(ui, "Guidelines");
  await ui.route("**/~no-docs/toggle*", (route) => route.fulfill({ status: 500, body: "" }));
  await ui.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await ui.getByRole("button", { name: "Turn on" }).click();
  const bulk = ui.getByRole("group", { name: "Change the chosen guidelines" });
  await expect(bulk.getByText("3 of 3 guidelines turned on.")).toBeVisible(); // two were already on, so the page sent only one request
  await ui.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await ui.getByRole("button", { name: "Turn off" }).click();
  await expect(bulk.getByText("1 of 3 guidelines turned off.")).toBeVisible();
  await expect(bulk.getByRole("alert").getByText('"Documents stay" could not be turned off.')).toBeVisible();
  await expect(bulk.getByText("2 guidelines chosen")).toBeVisible();
  const off = await server.api<{ guidelines: Guideline[] }>("GET", "/api/guardrails?enabled=false");
  expect(off.guidelines.map((g) => g.id)).toEqual(["no-old"]);
});

test("the newest decisions of a guideline are below its editor", async ({ ui, server }) => {
  await fill(server);
  await expect.poll(() => writes(server, "docs/a.md")).toBe("deny");
  writes(server, "docs/b.md");
  await ui.goto(`${server.url}/ui/guidelines/no-docs`);
  const summary = ui.locator("summary", { hasText: "Decisions of this guideline" });
  const rows = ui.getByRole("list", { name: "Newest decisions" }).getByRole("listitem");
  await expect(async () => {
    await ui.reload();
    await summary.click();
    await expect(rows).toHaveCount(2, { timeout: 1000 });
  }).toPass();
  await expect(rows.first().getByText("denied", { exact: true })).toBeVisible();
  await rows.first().getByRole("link").click();
  await expect(ui).toHaveURL(/audit\?guideline_id=no-docs&entry=/);
  await ui.goto(`${server.url}/ui/guidelines/no-plans`);
  await summary.click();
  await expect(ui.getByText("This guideline has not decided anything yet.")).toBeVisible();
});
