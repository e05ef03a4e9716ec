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
