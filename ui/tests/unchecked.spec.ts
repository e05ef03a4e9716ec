import { expect, open, test } from "./fixtures";

test("calls that were not checked are counted, and each number leads to its entries, which are marked as gaps", async ({ page, server, watched: _ }) => {
  await server.stop();
  expect(server.hookAlone("Write", { file_path: "a.txt", content: "x" }).decision).toBe("ask");
  expect(server.hookAlone("Read", { file_path: "a.txt" }).decision).toBe("allow");
  await server.start();
  await page.goto(server.signInAddress());
  await expect(page.getByRole("navigation", { name: "Screens" })).toBeVisible();
  for (const { words, event, gap } of [
    { words: "1 call could not be checked.", event: "unchecked", gap: "Gap: this call could not be checked" },
    { words: "1 call ran without a check, because the settings allow it.", event: "fail_open", gap: "Gap: this call ran without a check, because the settings allow it" },
  ]) {
    await open(page, "Overview");
    await page.getByText(words).getByRole("link", { name: "See which" }).click();
    await expect(page).toHaveURL(new RegExp(`event_type=${event}`));
    await expect(page.getByText(gap)).toHaveCount(1);
    await expect(page.getByRole("button", { name: /^Details of entry/ })).toHaveCount(1);
  }
});
