import { checkScreen, expect, open, test } from "./fixtures";

const draft = {
  id: "no-status",
  name: "No status",
  category: "security",
  action: { type: "tool_restriction", tools_denied: ["Bash(git status:*)"] },
};

test("replay finds the changed decision", async ({ ui, server }) => {
  for (const command of ["git status", "ls"]) server.hook("Bash", { command });
  await open(ui, "Replay");
  await ui.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(ui.getByText("0 calls would be decided differently")).toBeVisible();
  await ui.getByLabel("Or a file of guidelines").setInputFiles({
    name: "draft.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify([draft])),
  });
  await ui.getByRole("button", { name: "Replay", exact: true }).click();
  const result = ui.getByRole("region", { name: "Result" });
  await expect(result.getByText("1 call would be decided differently")).toBeVisible();
  await expect(result.getByText("no-status")).toBeVisible();
  await checkScreen(ui, "replay");
  await result.getByRole("link", { name: "git status" }).click();
  await expect(ui).toHaveURL(/playground\?command=git/);
  await expect(ui.getByRole("heading", { level: 1, name: "Playground" })).toBeVisible();

  await server.api("POST", "/api/guardrails", draft);
  await expect.poll(() => server.hook("Bash", { command: "git status" }).decision).toBe("deny");

  // The saved guidelines now decide differently from the record. Only a replay with a draft says this.
  const saved = result.getByText("the saved guidelines already decide differently");
  await open(ui, "Replay");
  await ui.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(result.getByText("no-status")).toBeVisible();
  await expect(saved).toHaveCount(0);
  await ui.getByLabel("Or a file of guidelines").setInputFiles({
    name: "draft.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify([draft])),
  });
  await ui.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(saved).toBeVisible();
});
