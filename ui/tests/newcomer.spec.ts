import { expect, open, test } from "./fixtures";

test("a person who was refused finds out why, writes a guideline, sees what it would do, and the hook obeys", async ({ page, server, watched: _ }) => {
  const refused = server.hook("Bash", { command: "rm -rf ~" });
  expect(refused.decision).toBe("deny");
  const address = /For people: (http:\S+)$/.exec(refused.reason.trim())?.[1] ?? "";
  expect(new URL(address).origin).toBe(server.url);

  await page.goto(server.run("ui", "--print").trim());
  await expect(page.getByRole("navigation", { name: "Screens" })).toBeVisible();
  await page.goto(address);
  const details = page.locator("dl");
  await expect(details.getByRole("term").filter({ hasText: "reason" })).toBeVisible();
  await expect(details.getByText(/rm -rf/).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "All of this session" })).toBeVisible();

  await open(page, "Guidelines");
  await page.getByRole("link", { name: "New guideline" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Prices are built");
  await page.getByRole("textbox", { name: "Description" }).fill("The files in generated are built from prices.yaml.");
  await page.getByRole("combobox", { name: "Paths" }).fill("generated/*");
  await page.getByRole("combobox", { name: "Paths" }).press("Enter");
  await page.getByLabel("Type", { exact: true }).selectOption("tool_restriction");
  await page.getByRole("combobox", { name: "Denied calls" }).fill("Write");
  await page.getByRole("combobox", { name: "Denied calls" }).press("Enter");
  await page.getByLabel("Instruction").fill("Change prices.yaml and run make generate.");
  await page.getByLabel(/^Try it/).fill("Write(generated/prices.go)");
  const sides = page.getByRole("group", { name: "Decisions" });
  await expect(sides.getByText("allowed")).toBeVisible();
  await expect(sides.getByText("denied", { exact: true })).toBeVisible();
  const write = (file: string) => server.hook("Write", { file_path: file, content: "x" }).decision;
  expect(write("generated/prices.go")).toBe("allow");

  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Saved as version 1.")).toBeVisible();
  await expect.poll(() => write("generated/prices.go")).toBe("deny");
  expect(write("src/prices.go")).toBe("allow");
});
