import { expect, open, test as base } from "./fixtures";
import { Demo } from "./demo";

const test = base.extend<{ demo: Demo }>({
  demo: async ({}, use) => {
    const demo = new Demo();
    await use(demo);
    await demo.end();
  },
});

test("the reason of a refused call contains the address of its decision", async ({ page, server, watched: _ }) => {
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
  await expect(page.getByRole("link", { name: "All entries of this session" })).toBeVisible();
});

// What a newcomer does after "make run".
test("a newcomer finds out why a command was refused, tries a new guideline, and the hook obeys within two seconds", async ({ page, demo, watched: _ }) => {
  await demo.start();
  await page.goto(demo.address());
  await page.getByRole("link", { name: "1 denied" }).click();
  await page.getByRole("row", { name: /denied/ }).getByRole("button", { name: /Details/ }).click();
  await expect(page.locator("dl").getByText(/deletes ~, a whole home folder/).first()).toBeVisible();

  await open(page, "Guidelines");
  await page.getByRole("link", { name: "New guideline" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Prices are built");
  await page.getByRole("textbox", { name: "Description" }).fill("The files in built are made from prices.yaml.");
  await page.getByRole("combobox", { name: "Paths" }).fill("built/*");
  await page.getByRole("combobox", { name: "Paths" }).press("Enter");
  await page.getByLabel("Type", { exact: true }).selectOption("tool_restriction");
  await page.getByRole("combobox", { name: "Denied calls" }).fill("Write");
  await page.getByRole("combobox", { name: "Denied calls" }).press("Enter");
  await page.getByLabel("Instruction").fill("Change prices.yaml and run make built.");
  await page.getByLabel(/^Try it/).fill("Write(built/prices.go)");
  const sides = page.getByRole("group", { name: "Decisions" });
  await expect(sides.getByText("denied", { exact: true })).toBeVisible(); // at first, both sides are allowed
  await expect(sides.getByText("allowed")).toBeVisible();
  const write = (file: string) => demo.hook("Write", { file_path: file, content: "x" }).decision;
  expect(write("built/prices.go")).toBe("allow");

  const leaveFor = async (screen: string) => {
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: screen }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  };
  await leaveFor("Playground");
  await page.getByRole("textbox", { name: /^A command/ }).fill("sed -i s/1/2/ built/prices.go");
  const draft = page.getByRole("combobox", { name: "Compare with" });
  await draft.pressSequentially("Prices");
  await draft.press("Enter"); // at once, before the server has searched
  await expect(draft).toHaveValue("Prices are built");
  await page.getByRole("button", { name: "Judge the call" }).click();
  const compared = page.getByRole("region", { name: "Comparison" });
  await expect(compared.getByRole("heading", { name: "The decision changes" })).toBeVisible();
  await expect(compared.getByRole("group", { name: "With the change" }).getByText("denied", { exact: true })).toBeVisible();

  await open(page, "Replay");
  await page.getByLabel("Draft").selectOption("prices-are-built");
  const result = page.getByRole("region", { name: "Result" });
  await expect(async () => {
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await expect(result.getByText("1 call would be decided differently")).toBeVisible({ timeout: 2000 });
  }).toPass(); // the server reads the decisions of hooks after a moment
  await expect(result.getByText("Write(built/prices.go)")).toBeVisible();

  await open(page, "Guidelines");
  await page.getByRole("link", { name: "Prices are built" }).click();
  const answered = page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith("/api/guardrails"));
  await page.getByRole("button", { name: "Create" }).click();
  await answered;
  const saved = Date.now();
  await expect.poll(() => write("built/prices.go"), { timeout: 2000, intervals: [50] }).toBe("deny");
  expect(Date.now() - saved).toBeLessThanOrEqual(2000);
  await expect(page.getByText("Saved as version 1.")).toBeVisible();
  expect(write("src/prices.go")).toBe("allow");
});
