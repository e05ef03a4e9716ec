import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";

// tabTo moves the focus with Tab alone, as a person without a mouse does.
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let i = 0; i < 120; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}

test("a guideline is written, saved and judged with the keyboard alone, and the hook obeys", async ({ ui, server }) => {
  const input = ui.getByRole("combobox", { name: "Search screens, guidelines and actions" });
  await ui.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await ui.keyboard.type("new guideline");
  await ui.keyboard.press("Enter");
  await tabTo(ui, ui.getByLabel("Name", { exact: true }));
  await ui.keyboard.type("Generated code stays");
  await tabTo(ui, ui.getByRole("textbox", { name: "Description" }));
  await ui.keyboard.type("It is built from prices.yaml.");
  await tabTo(ui, ui.getByLabel("Type", { exact: true }));
  await ui.keyboard.type("tool");
  await expect(ui.getByLabel("Type", { exact: true })).toHaveValue("tool_restriction");
  await tabTo(ui, ui.getByRole("combobox", { name: "Denied calls" }));
  await ui.keyboard.type("Write(generated/**)");
  await ui.keyboard.press("Enter");
  await expect(ui.getByRole("button", { name: "Remove Write(generated/**)" })).toBeVisible();
  await ui.keyboard.press("Control+s");
  await expect(ui.getByText("Saved as version 1.")).toBeVisible();
  await expect.poll(() => server.hook("Write", { file_path: "generated/a.go", content: "x" }).decision).toBe("deny");

  await ui.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await ui.keyboard.type("sed -i s/1/2/ generated/a.go");
  await ui.keyboard.press("Enter");
  await expect(ui.getByRole("region", { name: "Decision" }).getByText("denied", { exact: true }).first()).toBeVisible();
  expect(server.hook("Bash", { command: "sed -i s/1/2/ generated/a.go" }).decision).toBe("deny");
});
