import type { Browser, Page } from "@playwright/test";
import type { Guideline } from "../src/api/shapes";
import { checkScreen, expect, test } from "./fixtures";
import type { Server } from "./server";

const path = "/api/guardrails/no-docs";

async function editing(ui: Page, server: Server) {
  await server.api("POST", "/api/guardrails", {
    id: "no-docs",
    name: "Documents stay",
    description: "For a test.",
    category: "security",
    priority: 600,
    condition: { agents: ["backend"] },
    action: { type: "tool_restriction", tools_denied: ["Write(docs/**)"] },
  });
  await ui.goto(`${server.url}/ui/guidelines/no-docs`);
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Documents stay");
}

// somebodyElse opens the guideline in another browser.
async function somebodyElse(browser: Browser, server: Server): Promise<Page> {
  const page = await (await browser.newContext({ locale: "en-GB" })).newPage();
  await page.goto(server.signInAddress());
  await expect(page.getByRole("navigation", { name: "Screens" })).toBeVisible();
  await page.goto(`${server.url}/ui/guidelines/no-docs`);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Documents stay");
  return page;
}

async function saved(page: Page, version: number) {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(`Saved as version ${version}.`)).toBeVisible();
}

test("two people change different fields, and both changes are kept", async ({ ui, browser, server, watched }) => {
  watched.expected.push(/409/);
  await editing(ui, server);
  const other = await somebodyElse(browser, server);
  await ui.getByLabel("Name", { exact: true }).fill("Documents are not changed");
  await other.getByRole("combobox", { name: "Agents" }).fill("frontend");
  await other.getByRole("combobox", { name: "Agents" }).press("Enter");
  await saved(other, 2);
  await expect(ui.getByText("Somebody else saved version 2.")).toBeVisible();
  await saved(ui, 3);
  const now = await server.api<Guideline>("GET", path);
  expect(now.name).toBe("Documents are not changed");
  expect(now.condition.agents).toEqual(["backend", "frontend"]);
  await expect(other.getByLabel("Name", { exact: true })).toHaveValue("Documents are not changed"); // without a reload
  await other.context().close();
});

test("two people change the same field, and the second one chooses", async ({ ui, browser, server, watched }) => {
  watched.expected.push(/409/);
  await editing(ui, server);
  const other = await somebodyElse(browser, server);
  await ui.getByLabel("Name", { exact: true }).fill("My name");
  await other.getByLabel("Name", { exact: true }).fill("Their name");
  await other.getByLabel("Priority", { exact: true }).last().fill("700");
  await saved(other, 2);
  await other.context().close();
  await ui.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = ui.getByRole("dialog", { name: "Somebody else changed this guideline" });
  await expect(dialog.getByText("Their name")).toBeVisible();
  await expect(dialog.getByText("Their changes to these fields are already included: priority.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Save the merged version" })).toBeDisabled();
  await checkScreen(ui, "conflict");

  await dialog.getByRole("button", { name: "Back to the editor" }).click();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("My name");
  await ui.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByRole("radio", { name: /yours/ }).check();
  await dialog.getByRole("button", { name: "Save the merged version" }).click();
  await expect(ui.getByText("Saved as version 3.")).toBeVisible();
  const now = await server.api<Guideline>("GET", path);
  expect([now.name, now.priority]).toEqual(["My name", 700]);
});

test("a draft that was not saved is still there after a reload, and leaving asks first", async ({ ui, server }) => {
  await editing(ui, server);
  await ui.getByLabel("Name", { exact: true }).fill("Not saved yet");
  ui.on("dialog", (dialog) => void dialog.accept());
  await ui.reload();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Not saved yet");
  await expect(ui.getByText("You have not saved these changes yet.")).toBeVisible();
  await ui.getByRole("link", { name: "Audit" }).click();
  await ui.getByRole("alertdialog").getByRole("button", { name: "Stay" }).click();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Not saved yet");
  await ui.getByRole("button", { name: "Discard them" }).click();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Documents stay");
  await ui.getByRole("link", { name: "Audit" }).click();
  await expect(ui.getByRole("heading", { level: 1, name: "Audit" })).toBeVisible();
});

test("what the server refuses is shown at the field", async ({ ui, server, watched }) => {
  watched.expected.push(/400/);
  await editing(ui, server);
  await ui.getByLabel("Type", { exact: true }).selectOption("hitl_gate");
  await ui.getByRole("button", { name: "Save" }).click();
  const gate = ui.getByLabel("Gate", { exact: true });
  await expect(gate).toHaveAttribute("aria-invalid", "true");
  await gate.fill("documents");
  await ui.getByRole("button", { name: "Remove Write(docs/**)" }).click();
  await ui.getByRole("button", { name: "Save" }).click();
  await expect(ui.getByText("Saved as version 2.")).toBeVisible();
  expect((await server.api<Guideline>("GET", path)).action).toEqual({ type: "hitl_gate", gate_type: "documents" });
});
