import type { Guideline } from "../src/api/shapes";
import { checkScreen, expect, open, test } from "./fixtures";
import type { Server } from "./server";

const writes = (server: Server, path: string) => server.hook("Write", { file_path: path, content: "x" }).decision;

test("the overview counts what the hooks decided, and leads to the entries", async ({ ui, server }) => {
  await expect(ui.getByRole("heading", { name: "No decision in the last 24 hours." })).toBeVisible();
  for (const command of ["ls", "git status", "rm -rf ~", "git push --force origin main", "git push origin main"]) server.hook("Bash", { command });
  await ui.reload();
  await expect(ui.getByRole("link", { name: "1 denied" })).toBeVisible();
  await expect(ui.getByRole("link", { name: "1 asked" })).toBeVisible();
  await checkScreen(ui, "overview");
  await ui.getByRole("link", { name: "1 denied" }).click();
  await expect(ui).toHaveURL(/result=deny/);
  await expect(ui.getByRole("row", { name: /denied/ })).toHaveCount(1);
});

test("new decisions appear in the audit at once when it is live", async ({ ui, server }) => {
  await open(ui, "Audit");
  await ui.getByRole("switch", { name: "Show new entries at once" }).click();
  await expect(ui).toHaveURL(/live=true/);
  server.hook("Bash", { command: "rm -rf ~" });
  await expect(ui.getByRole("row", { name: /denied/ })).toHaveCount(1);
});

test("the exports of the audit have everything that the filter matches", async ({ ui, server }) => {
  server.hook("Bash", { command: "rm -rf ~" });
  server.hook("Bash", { command: "ls" });
  await open(ui, "Audit");
  await ui.getByLabel("Result").selectOption("deny");
  const [csv] = await Promise.all([ui.waitForEvent("download"), ui.getByRole("link", { name: "Export as CSV" }).click()]);
  const text = await (await csv.createReadStream()).toArray();
  const lines = Buffer.concat(text as Buffer[]).toString().trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("deny");
});

test("a session shows what was asked", async ({ ui, server }) => {
  server.hook("Bash", { command: "git push --force origin main" }, "session-1");
  server.hook("Bash", { command: "ls" }, "session-1");
  await open(ui, "Sessions");
  await expect(ui.getByRole("link", { name: "session-1" })).toBeVisible();
  await expect(ui.getByRole("list", { name: "Asked" }).getByText(/asked 1 time/)).toBeVisible();
  await checkScreen(ui, "sessions");
  await ui.getByRole("link", { name: "session-1" }).click();
  await expect(ui).toHaveURL(/sessions\/session-1/);
  await expect(ui.getByRole("list", { name: "Timeline" }).getByText("asked", { exact: true })).toHaveCount(1);
});

test("a guideline of a pack is copied, turned off for the hook, and taken from the pack again", async ({ ui, server }) => {
  const push = () => server.hook("Bash", { command: "git push --force origin main" }).decision;
  expect(push()).toBe("ask");
  await open(ui, "Packs");
  await ui.getByRole("button", { name: /History and other/ }).click();
  await checkScreen(ui, "packs");
  await ui.getByRole("button", { name: "Copy into the store and edit" }).click();
  await expect(ui.getByLabel("Id", { exact: true })).toHaveValue("security-history");
  await ui.getByRole("region", { name: "Editor" }).getByRole("switch", { name: "On", exact: true }).click();
  await ui.getByRole("button", { name: "Save" }).click();
  await expect(ui.getByText("Saved as version 2.")).toBeVisible();
  await expect.poll(push).toBe("allow");

  await open(ui, "Packs");
  const row = ui.getByRole("listitem").filter({ hasText: "off in the store" });
  await row.getByRole("button").first().click();
  await row.getByRole("button", { name: "Use the pack's text" }).click();
  await ui.getByRole("alertdialog").getByRole("button", { name: "Use it" }).click();
  await expect.poll(push).toBe("ask");
});

test("an import shows first what would happen, and then all guidelines are there", async ({ ui, server, watched }) => {
  watched.expected.push(/400/);
  await server.api("POST", "/api/guardrails", {
    id: "old",
    name: "Old",
    category: "custom",
    action: { type: "tool_restriction", tools_denied: ["Write(old/**)"] },
  });
  await open(ui, "Import and export");
  await ui.getByLabel("Text").fill("guidelines:\n  - id: old\n    name: Old\n    because: Old files stay.\n    deny: Write(older/**)\n  - name: New files stay\n    because: For a test.\n    deny: Write(new/**)\n");
  await ui.getByRole("button", { name: "Show what would happen" }).click();
  await expect(ui.getByRole("list", { name: "Results" }).getByText("failed")).toBeVisible();
  await expect(ui.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
  await ui.getByLabel("If a guideline already exists").selectOption("update it");
  await ui.getByRole("button", { name: "Show what would happen" }).click();
  await expect(ui.getByText("This would happen: 1 created, 1 updated.")).toBeVisible();
  await expect(ui.getByRole("list", { name: "Results" }).getByText("Write(older/**)")).toBeVisible();
  await checkScreen(ui, "exchange");
  expect((await server.api<Guideline>("GET", "/api/guardrails/old")).version).toBe(1);
  await ui.getByRole("button", { name: "Import", exact: true }).click();
  await expect(ui.getByText("Imported: 1 created, 1 updated.")).toBeVisible();
  await expect.poll(() => writes(server, "new/a.md")).toBe("deny");
  await expect.poll(() => writes(server, "older/a.md")).toBe("deny");

  await ui.getByLabel("Text").fill("guidelines:\n  - name: Wrong\n    deny: [1, 2\n");
  await ui.getByRole("button", { name: "Show what would happen" }).click();
  await expect(ui.getByRole("alert").getByText(/line \d/).first()).toBeVisible();

  const [file] = await Promise.all([ui.waitForEvent("download"), ui.getByRole("link", { name: "Export as YAML" }).click()]);
  expect(Buffer.concat((await (await file.createReadStream()).toArray()) as Buffer[]).toString()).toContain("Write(new/**)");
});

test("a token is shown once, works, and is revoked", async ({ ui, server, watched }) => {
  watched.expected.push(/401/);
  await open(ui, "Settings");
  await expect(ui.getByText("Decisions are kept")).toBeVisible();
  await ui.getByLabel("Name", { exact: true }).fill("ci");
  await ui.getByLabel("Role").selectOption("read");
  await ui.getByRole("button", { name: "Create a token" }).click();
  const secret = (await ui.getByText(/^gr_/).textContent()) ?? "";
  const status = async () => (await fetch(`${server.url}/api/guardrails`, { headers: { Authorization: `Bearer ${secret}` } })).status;
  expect(await status()).toBe(200);
  await ui.reload();
  await expect(ui.getByRole("list", { name: "Tokens" }).getByText("ci", { exact: true })).toBeVisible();
  await expect(ui.getByText(secret)).toBeHidden();
  await checkScreen(ui, "settings");
  await ui.getByRole("button", { name: "Revoke ci" }).click();
  await ui.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(ui.getByText("There is only the server's own token.")).toBeVisible();
  await expect.poll(status).toBe(401);
});
