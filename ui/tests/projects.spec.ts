// Guidelines of single projects, also where several projects have guidelines with the same id.
import type { Page } from "@playwright/test";
import type { AuditList, Guideline } from "../src/api/shapes";
import { compareWith, expect, open, test } from "./fixtures";
import type { Server } from "./server";

const elsewhere = "github.com/acme/elsewhere";
const denied = (pattern: string) => ({ type: "tool_restriction", tools_denied: [pattern] });
const rule = (more: object) => ({ id: "no-docs", name: "Documents stay", description: "For a test.", category: "security", action: denied("Write(docs/**)"), ...more });
const name = (ui: Page) => ui.getByLabel("Name", { exact: true });
const project = (ui: Page) => ui.getByLabel("Project", { exact: true });

// projectOf returns the id of the server's project, in the form that decisions use.
async function projectOf(server: Server): Promise<string> {
  server.hook("Bash", { command: "rm -rf ~" });
  const found = async () => (await server.api<AuditList>("GET", "/api/guardrails/audit?result=deny")).entries[0]?.project_id ?? "";
  await expect.poll(found).not.toBe("");
  return found();
}

test("a link to a guideline of a project opens it, although the link names no project", async ({ ui, server, watched }) => {
  watched.expected.push(/404/);
  await server.api("POST", "/api/guardrails", rule({ project_id: elsewhere, name: "Only elsewhere" }));
  await ui.goto(`${server.url}/ui/guidelines/no-docs`);
  await expect(name(ui)).toHaveValue("Only elsewhere");
  await expect(project(ui)).toHaveValue(elsewhere);
});

test("a decision leads to the guideline that applied, and a change to the guideline that was changed", async ({ ui, server }) => {
  const own = await projectOf(server);
  await server.api("POST", "/api/guardrails", rule({ name: "For all" }));
  await server.api("POST", "/api/guardrails", rule({ name: "For elsewhere", project_id: elsewhere }));
  const write = () => server.hook("Write", { file_path: "docs/a.md", content: "x" }).decision;
  await expect.poll(write).toBe("deny");
  const open = async (row: RegExp) => {
    await ui.goto(`${server.url}/ui/audit?guideline_id=no-docs`);
    await ui.getByRole("row", { name: row }).getByRole("button", { name: /Details/ }).first().click();
    await ui.getByRole("link", { name: "Open the guideline" }).click();
  };
  await open(/denied/);
  await expect(name(ui)).toHaveValue("For all");
  await open(/created For elsewhere/);
  await expect(name(ui)).toHaveValue("For elsewhere");

  await server.api("POST", "/api/guardrails", rule({ name: "For this one", project_id: own }));
  await expect.poll(() => server.hook("Write", { file_path: "docs/a.md", content: "x" }).reason).toContain("For this one");
  await open(/denied.*For this one/);
  await expect(name(ui)).toHaveValue("For this one");
  await ui.goto(`${server.url}/ui/guidelines/no-docs`);
  await expect(name(ui)).toHaveValue("For all");
});

test("if guidelines have the same id, the comparison and the export take only the chosen guideline", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", rule({ name: "For all" }));
  await server.api("POST", "/api/guardrails", rule({ name: "Elsewhere too", project_id: elsewhere, action: denied("Write(plans/**)") }));
  await open(ui, "Guidelines");
  await ui.getByRole("checkbox", { name: "Choose Elsewhere too" }).check();
  const [file] = await Promise.all([ui.waitForEvent("download"), ui.getByRole("link", { name: "Export", exact: true }).click()]);
  const text = Buffer.concat((await (await file.createReadStream()).toArray()) as Buffer[]).toString();
  expect(text).toContain("Elsewhere too");
  expect(text).not.toContain("For all");

  await open(ui, "Playground");
  await ui.getByRole("textbox", { name: /^A command/ }).fill("Write(plans/a.md)");
  await compareWith(ui, "Elsewhere too");
  await ui.getByRole("button", { name: "Judge the call" }).click();
  const compared = ui.getByRole("region", { name: "Comparison" });
  await expect(compared.getByRole("group", { name: "Now" }).getByText("denied", { exact: true })).toBeVisible();
  await expect(compared.getByRole("group", { name: "With the change" }).getByText("allowed")).toBeVisible();
});

const olderText = {
  id: "tdd-protocol",
  name: "Tests come with the code",
  description: "Implementing and fixing need a test run before the commit.",
  category: "tdd_protocol",
  priority: 800,
  condition: { actions: ["implement", "code", "fix", "refactor"] },
  action: {
    type: "constraint",
    instruction:
      "Write a failing test first, then the code that makes it pass, then tidy up. A commit after a change to source files expects a test command to have run since that change.",
    require_tests: true,
  },
};

test("the text of a pack replaces the copy of a project and outdated copies, and the question names these copies", async ({ ui, server }) => {
  const instruction = async () => (await server.api<Guideline>("GET", "/api/guardrails/tdd-protocol")).action.instruction ?? "";
  const copy = () => server.api<Guideline>("GET", `/api/guardrails/security-history?project_id=${elsewhere}`);
  await server.api("POST", "/api/guardrails", rule({ id: "security-history", name: "Ours", project_id: elsewhere }));
  await server.api("POST", "/api/guardrails/import", [olderText]);
  await open(ui, "Packs");
  const row = (state: string) => ui.getByRole("listitem").filter({ hasText: state });
  await row("changed in the store").getByRole("button").first().click();
  await row("changed in the store").getByRole("button", { name: "Use the pack's text" }).click();
  const dialog = ui.getByRole("alertdialog");
  await expect(dialog.getByText("Nobody has changed these older copies, so they get the newer text too: tdd-protocol.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await copy()).name).toBe("Ours");

  await row("copied, older than the pack").getByRole("button").first().click();
  await row("copied, older than the pack").getByRole("button", { name: "Use the pack's text" }).click();
  await expect(dialog.getByText("so they get the newer text too")).toBeHidden();
  await dialog.getByRole("button", { name: "Use it" }).click();
  await expect.poll(instruction).not.toContain("then tidy up");
  expect((await copy()).name).toBe("Ours");

  await row("changed in the store").getByRole("button").first().click();
  await row("changed in the store").getByRole("button", { name: "Use the pack's text" }).click();
  await dialog.getByRole("button", { name: "Use it" }).click();
  await expect.poll(async () => (await copy()).name).not.toBe("Ours");
});
