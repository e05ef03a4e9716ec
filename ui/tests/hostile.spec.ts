import { expect, open, test } from "./fixtures";

const override = "\u202e";

test("hidden characters that an agent wrote are shown by their code, and markup is text", async ({ ui, server }) => {
  server.hook("Bash", { command: `git push --force origin main # ${override}<img src=x onerror=alert(1)>\u200b` });
  server.hook("Write", { file_path: `/etc/${override}gpj.sh`, content: "x" });
  await open(ui, "Audit");
  const row = ui.getByRole("row", { name: /Write/ }).first();
  await expect(row).toBeVisible();
  await row.getByRole("button", { name: /Details/ }).click();
  await expect(ui.getByRole("table").getByText("U+202E").first()).toBeVisible();
  expect(await ui.locator("img").count()).toBe(0);

  await open(ui, "Playground");
  await ui.getByRole("textbox", { name: /^A command/ }).fill(`rm -rf ~/${override}x`);
  await ui.getByRole("button", { name: "Judge the call" }).click();
  const decision = ui.getByRole("region", { name: "Decision" });
  await expect(decision.getByText("U+202E").first()).toBeVisible();
});

test("the input of a hook is judged as the hook judges it", async ({ ui, server }) => {
  const input = { command: "git push --force origin main" };
  await open(ui, "Playground");
  await ui
    .getByRole("textbox", { name: /^A command/ })
    .fill(JSON.stringify({ session_id: "s1", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: input, cwd: server.project }));
  await ui.getByRole("button", { name: "Judge the call" }).click();
  const decision = ui.getByRole("region", { name: "Decision" });
  await expect(decision.getByText("asked").first()).toBeVisible();
  await expect(decision.getByText("force push").first()).toBeVisible();
  expect(server.hook("Bash", input).decision).toBe("ask");
  await ui.reload();
  await expect(decision.getByText("asked").first()).toBeVisible();
});

test("a task shows what the agent is told, and why", async ({ ui, server }) => {
  await server.api("POST", "/api/guardrails", {
    id: "tests-first",
    name: "Tests before code",
    category: "tdd_protocol",
    condition: { agents: ["backend"] },
    action: { type: "instruction", instruction: "Write the test first." },
  });
  await open(ui, "Playground");
  await ui.getByRole("link", { name: "A task" }).click();
  await ui.getByLabel("Agent").fill("backend");
  await ui.getByRole("button", { name: "Evaluate the task" }).click();
  await expect(ui.getByText("Write the test first.")).toBeVisible();
  await ui.getByRole("button", { name: "Show all, with the reason" }).click();
  await expect(ui.getByRole("list", { name: "Why" }).getByText("agents: backend matches")).toBeVisible();
});
