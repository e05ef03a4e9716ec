import type { Page } from "@playwright/test";
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

test("two people change different fields, and both changes are kept", async ({ ui, server, watched }) => {
  watched.expected.push(/409/);
  await editing(ui, server);
  await ui.getByLabel("Name", { exact: true }).fill("Documents are not changed");
  await server.api("PUT", path, { version: 1, condition: { agents: ["frontend"] } });
  await ui.getByRole("button", { name: "Save" }).click();
  await expect(ui.getByText("Saved as version 3.")).toBeVisible();
  const saved = await server.api<Guideline>("GET", path);
  expect(saved.name).toBe("Documents are not changed");
  expect(saved.condition.agents).toEqual(["frontend"]);
});

test("two people change the same field, and the second one chooses", async ({ ui, server, watched }) => {
  watched.expected.push(/409/);
  await editing(ui, server);
  await ui.getByLabel("Name", { exact: true }).fill("My name");
  await server.api("PUT", path, { version: 1, name: "Their name", priority: 700 });
  await ui.getByRole("button", { name: "Save" }).click();
  const dialog = ui.getByRole("dialog", { name: "Somebody else changed this guideline" });
  await expect(dialog.getByText("Their name")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Save the merged version" })).toBeDisabled();
  await checkScreen(ui, "conflict");

  await dialog.getByRole("button", { name: "Back to the editor" }).click();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("My name");
  await ui.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("radio", { name: /yours/ }).check();
  await dialog.getByRole("button", { name: "Save the merged version" }).click();
  await expect(ui.getByText("Saved as version 3.")).toBeVisible();
  const saved = await server.api<Guideline>("GET", path);
  expect([saved.name, saved.priority]).toEqual(["My name", 700]);
});

test("a draft that was not saved is still there after a reload, and leaving asks first", async ({ ui, server }) => {
  await editing(ui, server);
  await ui.getByLabel("Name", { exact: true }).fill("Not saved yet");
  ui.on("dialog", (dialog) => void dialog.accept());
  await ui.reload();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Not saved yet");
  await expect(ui.getByText("You did not save these changes earlier.")).toBeVisible();
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
