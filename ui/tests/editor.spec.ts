import type { Guideline } from "../src/api/shapes";
import { expect, open, test } from "./fixtures";

test("mistakes are shown at the field while typing, before anything is saved", async ({ ui }) => {
  await open(ui, "Guidelines");
  await ui.getByRole("link", { name: "New guideline" }).click();
  await expect(ui.getByLabel("Name", { exact: true })).not.toHaveAttribute("aria-invalid", "true");
  await ui.getByLabel("Id", { exact: true }).fill("Not An Id");
  await expect(ui.getByLabel("Id", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await ui.getByLabel("Id", { exact: true }).fill("an-id");
  await expect(ui.getByLabel("Id", { exact: true })).not.toHaveAttribute("aria-invalid", "true");
  await ui.getByLabel("Type", { exact: true }).selectOption("tool_restriction");
  await ui.getByRole("combobox", { name: "Denied calls" }).fill("write(src/**)");
  await ui.getByRole("combobox", { name: "Denied calls" }).press("Enter");
  await expect(ui.getByText(/Write\(src/).first()).toBeVisible();
});

test("tool patterns are tested against commands and calls", async ({ ui, server }) => {
  await open(ui, "Guidelines");
  await ui.getByRole("link", { name: "New guideline" }).click();
  await ui.getByLabel("Name", { exact: true }).fill("Generated code stays");
  await ui.getByLabel("Type", { exact: true }).selectOption("tool_restriction");
  await ui.getByRole("combobox", { name: "Denied calls" }).fill("Write(generated/**)");
  await ui.getByRole("combobox", { name: "Denied calls" }).press("Enter");
  await ui.locator("summary", { hasText: "Test the patterns" }).click();
  const calls = ["sed -i s/1/2/ generated/a.go", "Write(generated/a.go)", "cat generated/a.go"];
  await ui.getByLabel("Commands or calls to test, one on each line").fill(calls.join("\n"));
  await expect(ui.getByRole("list", { name: "Tested calls" }).getByRole("listitem")).toHaveText([/^matches/, /^matches/, /^no match/]);
  await ui.getByRole("button", { name: "Create" }).click();
  await expect(ui.getByText("Saved as version 1.")).toBeVisible();
  await expect.poll(() => server.hook("Bash", { command: calls[0] }).decision).toBe("deny");
  expect(server.hook("Bash", { command: calls[2] }).decision).toBe("allow");
});

test("a condition is built from the words that exist, and its paths can be tested", async ({ ui, server }) => {
  await open(ui, "Guidelines");
  await ui.getByRole("link", { name: "New guideline" }).click();
  await ui.getByLabel("Name", { exact: true }).fill("Care with deployments");
  await ui.getByRole("textbox", { name: "Description" }).fill("For a test.");
  const events = ui.getByRole("combobox", { name: "Events" });
  await events.fill("deplo");
  await ui.getByRole("option", { name: /^deploy/ }).click();
  const paths = ui.getByRole("combobox", { name: "Paths" });
  await paths.fill("src/**");
  await paths.press("Enter");
  await expect(ui.getByText("Applies when a path matches src/**, and the event deploy happens.")).toBeVisible();
  await ui.getByText("Test the paths").click();
  await ui.getByLabel("Paths to test, one on each line").fill("src/a.go\ndocs/a.md");
  await expect(ui.getByRole("list", { name: "Tested paths" }).getByRole("listitem")).toHaveText([/^matches/, /^no match/]);

  await ui.getByLabel("Priority", { exact: true }).last().fill("730");
  await ui.getByLabel("Type", { exact: true }).selectOption("constraint");
  await ui.getByLabel("Maximum number of files in a commit").fill("5");
  await ui.getByLabel("Tests must pass before a commit of source code").check();
  await ui.locator("summary", { hasText: "Custom facts" }).click();
  await ui.getByRole("textbox", { name: "Custom facts (JSON)" }).fill('{"environment": ["container"]}');
  await ui.locator("summary", { hasText: "Metadata" }).click();
  await ui.getByRole("textbox", { name: "Metadata (JSON)" }).fill('{"tags": ["team"]}');
  await ui.getByRole("button", { name: "Create" }).click();
  await expect(ui.getByText("Saved as version 1.")).toBeVisible();
  const saved = await server.api<Guideline>("GET", "/api/guardrails/care-with-deployments");
  expect(saved.condition).toEqual({ events: ["deploy"], paths: ["src/**"], custom: { environment: ["container"] } });
  expect(saved.action).toEqual({ type: "constraint", max_files: 5, require_tests: true });
  expect(saved.priority).toBe(730);
  expect(saved.metadata).toEqual({ tags: ["team"] });
});
