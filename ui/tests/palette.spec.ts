import { checkScreen, checkState, compareWith, expect, open, test } from "./fixtures";

test("the palette goes to screens and guidelines with the keyboard alone", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "no-docs", name: "Documents stay", category: "custom", action: { type: "instruction", instruction: "x" } });
  const input = ui.getByRole("combobox", { name: "Search screens, guidelines and actions" });
  await ui.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await checkState(ui, "palette");
  await ui.keyboard.type("aud");
  await ui.keyboard.press("Enter");
  await expect(ui.getByRole("heading", { level: 1, name: "Audit" })).toBeVisible();

  await ui.keyboard.press("Control+k");
  await input.fill("documents");
  await expect(ui.getByRole("option", { name: /Documents stay/ })).toHaveAttribute("aria-selected", "true");
  await ui.keyboard.press("Enter");
  await expect(ui.getByLabel("Name", { exact: true })).toHaveValue("Documents stay");

  await ui.keyboard.press("Control+k");
  await input.fill("git push --force");
  await ui.keyboard.press("Enter");
  await expect(ui.getByRole("region", { name: "Decision" }).getByText("asked").first()).toBeVisible();

  await ui.keyboard.press("Control+k");
  await input.fill("guideline new");
  await ui.keyboard.press("Enter");
  await expect(ui.getByRole("heading", { level: 2, name: "New guideline" })).toBeVisible();

  await ui.keyboard.press("Control+k");
  await input.fill("color");
  await ui.keyboard.press("ArrowDown");
  await ui.keyboard.press("Enter");
  await expect(ui.locator("html")).toHaveAttribute("data-theme", "dark");

  await ui.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await ui.keyboard.press("Escape");
  await expect(input).toBeHidden();
  await expect(ui.getByRole("heading", { level: 2, name: "New guideline" })).toBeVisible();
});

test("a filter of the guidelines and of the audit is saved under a name, opened and forgotten", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", { id: "a", name: "One", category: "custom", action: { type: "instruction", instruction: "x" } });
  for (const { screen, narrow, param } of [
    { screen: "Guidelines", narrow: () => ui.getByLabel("State").selectOption("off"), param: /enabled=false/ },
    { screen: "Audit", narrow: () => ui.getByLabel("Kind").selectOption("change"), param: /kind=change/ },
  ]) {
    await open(ui, screen);
    await narrow();
    await expect(ui).toHaveURL(param);
    await ui.getByRole("button", { name: "Save this filter" }).click();
    await ui.getByLabel("Name of the filter").fill("mine");
    await ui.keyboard.press("Enter");
    await expect(ui.getByRole("button", { name: "Forget this filter" })).toBeVisible();
    await open(ui, "Overview");
    await open(ui, screen);
    await expect(ui).not.toHaveURL(param);
    await ui.getByLabel("Saved filters").selectOption("mine");
    await expect(ui).toHaveURL(param);
    await ui.getByRole("button", { name: "Forget this filter" }).click();
    await expect(ui.getByRole("button", { name: "Save this filter" })).toBeVisible();
  }
});

test("a context of the playground is saved, and compared with a draft and with the store without a guideline", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", {
    id: "no-docs",
    name: "Documents stay",
    description: "For a test.",
    category: "security",
    action: { type: "tool_restriction", tools_denied: ["Write(docs/**)"] },
  });
  await ui.goto(`${server.url}/ui/guidelines/no-docs`);
  await ui.getByLabel("Name", { exact: true }).fill("Documents and plans stay");
  await ui.getByRole("combobox", { name: "Denied calls" }).fill("Write(plans/**)");
  await ui.getByRole("combobox", { name: "Denied calls" }).press("Enter");
  await ui.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Playground" }).click();
  await ui.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();

  const call = ui.getByRole("textbox", { name: /^A command/ });
  const compared = ui.getByRole("region", { name: "Comparison" });
  await call.fill("Write(plans/a.md)");
  await compareWith(ui, "Documents and plans stay");
  await ui.getByRole("button", { name: "Judge the call" }).click();
  await expect(compared.getByRole("heading", { name: "The decision changes" })).toBeVisible();
  await expect(compared.getByRole("group", { name: "Now" }).getByText("allowed")).toBeVisible();
  await expect(compared.getByRole("group", { name: "With the change" }).getByText("denied", { exact: true })).toBeVisible();
  await checkScreen(ui, "compare");
  expect(server.hook("Write", { file_path: "plans/a.md", content: "x" }).decision).toBe("allow");
  await ui.getByRole("button", { name: "Save this context" }).click();
  await ui.getByLabel("Name of the context").fill("plans");
  await ui.keyboard.press("Enter");

  await call.fill("Write(docs/a.md)");
  await compareWith(ui, "Documents stay");
  await ui.getByRole("button", { name: "Judge the call" }).click();
  await expect(compared.getByRole("group", { name: "Now" }).getByText("denied", { exact: true })).toBeVisible();
  await expect(compared.getByRole("group", { name: "With the change" }).getByText("allowed")).toBeVisible();
  await ui.getByLabel("Saved contexts").selectOption("plans");
  await expect(call).toHaveValue("Write(plans/a.md)");

  await ui.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await ui.getByRole("button", { name: "Copy as an MCP call" }).click();
  await expect(ui.getByText("Copied.")).toBeVisible();
  const copied = JSON.parse(await ui.evaluate(() => navigator.clipboard.readText())) as { params: unknown };
  expect(copied.params).toEqual({ name: "guardrails_explain_call", arguments: { tool: "Write", path: "plans/a.md" } });

  await open(ui, "Guidelines");
  await ui.getByRole("link", { name: "Documents and plans stay" }).click();
  await expect(ui.getByText("You have not saved these changes yet.")).toBeVisible();
});

test("the comparison of a task finds a change of the tools, but ignores a change of the name", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", {
    id: "no-docs",
    name: "Documents stay",
    category: "security",
    condition: { actions: ["implement"] },
    action: { type: "tool_restriction", tools_denied: ["Write(docs/**)"] },
  });
  const compared = ui.getByRole("region", { name: "Comparison" });
  const changed = [
    { name: "Documents remain", heading: "The same guidelines apply", change: async () => undefined },
    {
      name: "Documents and plans stay",
      heading: "Other guidelines or instructions apply",
      change: async () => {
        await ui.getByRole("combobox", { name: "Denied calls" }).fill("Write(plans/**)");
        await ui.getByRole("combobox", { name: "Denied calls" }).press("Enter");
      },
    },
  ];
  for (const { name, heading, change } of changed) {
    await ui.goto(`${server.url}/ui/guidelines/no-docs`);
    await ui.getByLabel("Name", { exact: true }).fill(name);
    await change();
    await ui.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Playground" }).click();
    await ui.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
    await ui.goto(`${server.url}/ui/playground?mode=task`);
    await ui.getByRole("combobox", { name: "Action", exact: true }).fill("implement");
    await compareWith(ui, name);
    await ui.getByRole("button", { name: "Evaluate the task" }).click();
    await expect(compared.getByRole("heading", { name: heading })).toBeVisible();
  }
  await expect(compared.getByRole("group", { name: "With the change" }).getByText("Write(plans/**)")).toBeVisible();
});
