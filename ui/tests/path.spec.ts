import { checkScreen, expect, open, test } from "./fixtures";

test("a guideline that is written on the page is obeyed by the hook, and its decisions are in the audit", async ({ ui, server }) => {
  expect(ui.url()).not.toContain("code=");
  expect(server.hook("Write", { file_path: "generated/prices.go", content: "x" }).decision).toBe("allow");

  await open(ui, "Guidelines");
  await expect(ui.getByRole("heading", { name: "The store has no guidelines yet." })).toBeVisible();
  await ui.getByRole("link", { name: "New guideline" }).click();
  await ui.getByLabel("Name", { exact: true }).fill("Generated code is not edited");
  await expect(ui.getByLabel("Id", { exact: true })).toHaveValue("generated-code-is-not-edited");
  await ui.getByRole("textbox", { name: "Description" }).fill("The files in generated are built from prices.yaml.");
  await ui.getByLabel("Type", { exact: true }).selectOption("tool_restriction");
  await ui.getByRole("combobox", { name: "Denied calls" }).fill("Write(generated/**)");
  await ui.getByRole("combobox", { name: "Denied calls" }).press("Enter");
  await ui.getByLabel(/^Try it/).fill("Write(generated/prices.go)");
  const sides = ui.getByRole("group", { name: "Decisions" });
  await expect(sides.getByText("denied", { exact: true })).toBeVisible(); // at first, both sides are allowed
  await expect(sides.getByText("allowed")).toBeVisible();
  expect(server.hook("Write", { file_path: "generated/prices.go", content: "x" }).decision).toBe("allow");
  await ui.getByLabel("Instruction").fill("Change prices.yaml and run make generate.");
  await ui.getByRole("button", { name: "Create" }).click();
  await expect(ui.getByText("Saved as version 1.")).toBeVisible();
  await checkScreen(ui, "editor");

  await expect.poll(() => server.hook("Write", { file_path: "generated/prices.go", content: "x" }).decision).toBe("deny");
  expect(server.hook("Write", { file_path: "prices.yaml", content: "x" }).decision).toBe("allow");

  await open(ui, "Playground");
  await ui.getByRole("textbox", { name: /^A command/ }).fill("sed -i s/1/2/ generated/prices.go");
  await ui.getByRole("button", { name: "Judge the call" }).click();
  const decision = ui.getByRole("region", { name: "Decision" });
  await expect(decision.getByText("denied").first()).toBeVisible();
  await expect(decision.getByRole("link", { name: "generated-code-is-not-edited" }).first()).toBeVisible();
  expect(server.hook("Bash", { command: "sed -i s/1/2/ generated/prices.go" }).decision).toBe("deny");
  await checkScreen(ui, "playground");

  await open(ui, "Audit");
  await ui.getByLabel("Result").selectOption("deny");
  await expect(ui).toHaveURL(/result=deny/);
  const rows = ui.getByRole("row", { name: /Generated code is not edited/ });
  await expect(rows.first()).toBeVisible();
  await rows.first().getByRole("button", { name: /Details/ }).click();
  await expect(ui.getByRole("term").filter({ hasText: "session" })).toBeVisible();
  await checkScreen(ui, "audit");
  await ui.getByRole("link", { name: "Open the guideline" }).click();
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Generated code is not edited");

  await open(ui, "Overview");
  await expect(ui.getByRole("link", { name: "2 denied" })).toBeVisible();
});
