import type { Page } from "@playwright/test";
import type { Guideline } from "../src/api/shapes";
import { checkState, expect, open, test } from "./fixtures";
import type { Server } from "./server";

const path = "/api/guardrails/no-docs";

async function editing(ui: Page, server: Server) {
  await server.api("POST", "/api/guardrails", {
    id: "no-docs",
    name: "Documents stay",
    description: "For a test.",
    category: "security",
    action: { type: "tool_restriction", tools_denied: ["Write(docs/**)"] },
  });
  await ui.goto(`${server.url}/ui/guidelines/no-docs`);
  await expect(name(ui)).toHaveValue("Documents stay");
}

const name = (ui: Page) => ui.getByLabel("Name", { exact: true });
const custom = (ui: Page) => ui.getByRole("textbox", { name: "Custom facts (JSON)" });

test("text stays in the editor when the guideline cannot be read again", async ({ ui, server, watched }) => {
  watched.expected.push(/500/);
  await editing(ui, server);
  await name(ui).fill("Still here");
  const one = `**${path.replace("no-docs", "~no-docs")}`;
  await ui.route(one, (route) => (route.request().method() === "GET" ? route.fulfill({ status: 500, body: "" }) : route.continue()));
  await server.api("PUT", path, { version: 1, priority: 700 });
  await expect(ui.getByRole("region", { name: "Editor" }).getByRole("alert")).toBeVisible();
  await expect(name(ui)).toHaveValue("Still here");
  await ui.unroute(one);
  await ui.getByRole("region", { name: "Editor" }).getByRole("button", { name: "Try again" }).click();
  await expect(ui.getByText("Somebody else saved version 2.")).toBeVisible();
  await expect(name(ui)).toHaveValue("Still here");
});

test("text stays in the editor when somebody deletes the guideline, and it can be created again", async ({ ui, server, watched }) => {
  watched.expected.push(/404/);
  await editing(ui, server);
  await name(ui).fill("Written again");
  await server.api("DELETE", path);
  await expect(ui.getByText("Somebody deleted this guideline.")).toBeVisible();
  await expect(name(ui)).toHaveValue("Written again");
  await ui.getByRole("button", { name: "Create it again" }).click();
  await expect(ui.getByText(/^Saved as version/)).toBeVisible();
  expect((await server.api<Guideline>("GET", path)).name).toBe("Written again");
  await expect.poll(() => server.hook("Write", { file_path: "docs/a.md", content: "x" }).decision).toBe("deny");
});

test("unfinished JSON is kept, and the guideline cannot be saved until it is finished", async ({ ui, server }) => {
  await editing(ui, server);
  await ui.locator("summary", { hasText: "Custom facts" }).click();
  await custom(ui).fill('{"environment": ["container"');
  await expect(ui.getByText("This is not a JSON object yet.")).toBeVisible();
  await name(ui).fill("Another name");
  await expect(ui.getByRole("button", { name: "Save" })).toBeDisabled();
  ui.on("dialog", (dialog) => void dialog.accept());
  await ui.reload();
  await expect(custom(ui)).toHaveValue('{"environment": ["container"');
  await ui.getByRole("link", { name: "History" }).click();
  await ui.getByRole("link", { name: "Edit", exact: true }).click();
  await custom(ui).fill('{"environment": ["container"]}');
  await ui.getByRole("button", { name: "Save" }).click();
  await expect(ui.getByText("Saved as version 2.")).toBeVisible();
  expect((await server.api<Guideline>("GET", path)).condition).toEqual({ custom: { environment: ["container"] } });
  await custom(ui).fill("[1");
  await ui.getByRole("button", { name: "Discard changes" }).click();
  await expect(custom(ui)).toHaveValue('{\n  "environment": [\n    "container"\n  ]\n}');
});

test("Escape closes the dialog or the list that is open, and then the editor", async ({ ui, server }) => {
  await editing(ui, server);
  const editor = ui.getByRole("region", { name: "Editor" });
  await ui.getByRole("button", { name: "Delete" }).click();
  await expect(ui.getByRole("alertdialog")).toBeVisible();
  await ui.keyboard.press("Escape");
  await expect(ui.getByRole("alertdialog")).toBeHidden();
  await expect(editor).toBeVisible();
  await ui.getByRole("combobox", { name: "Events" }).fill("deplo");
  await expect(ui.getByRole("option", { name: /^deploy/ })).toBeVisible();
  await ui.keyboard.press("Escape");
  await expect(ui.getByRole("option", { name: /^deploy/ })).toBeHidden();
  await expect(editor).toBeVisible();
  await ui.getByRole("combobox", { name: "Events" }).fill("");
  await name(ui).press("Escape");
  await expect(editor).toBeHidden();
});

test("a draft for another project is tried in that project", async ({ ui }) => {
  await open(ui, "Guidelines");
  await ui.getByRole("link", { name: "New guideline" }).click();
  await name(ui).fill("Only elsewhere");
  await ui.getByLabel("Project", { exact: true }).fill("github.com/acme/elsewhere");
  await ui.getByLabel("Type", { exact: true }).selectOption("tool_restriction");
  await ui.getByRole("combobox", { name: "Denied calls" }).fill("Write(generated/**)");
  await ui.getByRole("combobox", { name: "Denied calls" }).press("Enter");
  await ui.getByLabel(/^Try it/).fill("Write(generated/prices.go)");
  const sides = ui.getByRole("group", { name: "Decisions" });
  await expect(sides.getByText("denied", { exact: true })).toBeVisible(); // at first, both sides are allowed
  await expect(sides.getByText("allowed")).toBeVisible();
});

test("a link to a guideline of a pack opens the guideline of the pack", async ({ ui, server, watched }) => {
  watched.expected.push(/40[04]/);
  await open(ui, "Playground");
  await ui.getByRole("textbox", { name: /^A command/ }).fill("git push --force origin main");
  await ui.getByRole("button", { name: "Judge the call" }).click();
  await ui.getByRole("region", { name: "Decision" }).getByRole("link", { name: "security-history" }).first().click();
  await expect(ui.getByText("This guideline comes with the pack core.")).toBeVisible();
  await checkState(ui, "pack-guideline");
  await ui.getByRole("button", { name: "Copy into the store and edit" }).click();
  await expect(ui.getByLabel("Id", { exact: true })).toHaveValue("security-history");
  expect((await server.api<Guideline>("GET", "/api/guardrails/security-history")).version).toBe(1);
});

test("after Back, the playground shows the call of its address again", async ({ ui }) => {
  await open(ui, "Playground");
  const command = ui.getByRole("textbox", { name: /^A command/ });
  for (const text of ["ls first", "ls second"]) {
    await command.fill(text);
    await ui.getByRole("button", { name: "Judge the call" }).click();
    await expect(ui).toHaveURL(new RegExp(text.replace(" ", "(%20|\\+)")));
  }
  await ui.goBack();
  await expect(command).toHaveValue("ls first");
});

test("with the role read, the address for a new guideline shows no form", async ({ page, server, watched }) => {
  watched.expected.push(/401/);
  const made = JSON.parse(server.run("token", "create", "reader", "--role", "read", "-o", "json")) as { token: string };
  await page.goto(`${server.url}/ui/guidelines/~new`);
  await page.getByLabel("Or sign in with a token").fill(made.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText('To create guidelines, you need the role "write".')).toBeVisible();
  await expect(page.getByRole("button", { name: "Create" })).toBeHidden();
});
