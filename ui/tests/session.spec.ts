import { checkScreen, expect, open, test } from "./fixtures";

test("a code signs in once, and signing out ends the session on the server", async ({ page, server, watched }) => {
  watched.expected.push(/401/);
  const address = server.signInAddress();
  await page.goto(address);
  await expect(page.getByText("owner · admin")).toBeVisible();
  expect(page.url()).not.toContain("code");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByLabel("Or sign in with a token")).toBeVisible();
  await checkScreen(page, "signin");
  expect(await page.evaluate(async () => (await fetch("/api/guardrails/stats")).status)).toBe(401);

  await page.goto("about:blank");
  await page.goto(address);
  await expect(page.getByLabel("Or sign in with a token")).toBeVisible();
  await expect(page.getByText("owner · admin")).toBeHidden();
});

test("a token with the role read sees everything and can change nothing", async ({ page, server, watched }) => {
  watched.expected.push(/401/);
  await server.api("POST", "/api/guardrails", { id: "a", name: "One", category: "custom", action: { type: "instruction", instruction: "Be brief." } });
  const made = JSON.parse(server.run("token", "create", "reader", "--role", "read", "-o", "json")) as { token: string };
  await page.goto(new URL("/ui/guidelines", server.url).href);
  await page.getByLabel("Or sign in with a token").fill(made.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("reader · read")).toBeVisible();
  await open(page, "Guidelines");
  await expect(page.getByRole("switch", { name: "One is on" })).toBeDisabled();
  await expect(page.getByRole("link", { name: "New guideline" })).toBeHidden();
  await page.getByRole("link", { name: "One" }).click();
  await expect(page.getByText('You have the role "read".')).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toBeHidden();
  await expect(page.getByLabel("Name", { exact: true })).toBeDisabled();
  await expect(page.getByRole("slider", { name: "Priority" })).toBeDisabled();
  await page.getByRole("slider", { name: "Priority" }).locator("xpath=ancestor::*[@data-disabled][1]").click({ position: { x: 5, y: 5 }, force: true });
  await expect(page.getByLabel("Priority", { exact: true }).last()).toHaveValue("500");
  await checkScreen(page, "read-only");
  await page.goto(new URL("/ui/playground?mode=task&action=implement", server.url).href);
  await expect(page.getByText("What the agent receives")).toBeVisible();
  await expect(page.getByText("Be brief.")).toBeVisible();

  server.run("token", "revoke", "reader");
  await page.getByRole("link", { name: "Audit" }).click();
  await expect(page.getByLabel("Or sign in with a token")).toBeVisible();
});

test("the page says that the server does not answer, and continues when it answers again", async ({ ui, server, watched }) => {
  watched.expected.push(/ERR_|Failed to load|401/);
  const port = new URL(server.url).host;
  await open(ui, "Guidelines");
  await server.stop();
  await ui.getByRole("searchbox").fill("anything");
  await expect(ui.getByText("The server does not answer. This page may be out of date.")).toBeVisible();
  await expect(ui.getByRole("button", { name: "Try again" })).toBeVisible();
  await server.start(port); // the page asks again by itself
  await expect(ui.getByLabel("Or sign in with a token")).toBeVisible(); // sessions end with the server
  await ui.getByLabel("Or sign in with a token").fill(server.token());
  await ui.getByRole("button", { name: "Sign in" }).click();
  await expect(ui.getByRole("heading", { name: "No guideline matches." })).toBeVisible();
});

test("with the role decide, a person sees this role above a guideline", async ({ page, server, watched }) => {
  watched.expected.push(/401/);
  await server.api("POST", "/api/guardrails", { id: "a", name: "One", category: "custom", action: { type: "instruction", instruction: "Be brief." } });
  const made = JSON.parse(server.run("token", "create", "judge", "--role", "decide", "-o", "json")) as { token: string };
  await page.goto(new URL("/ui/guidelines/a", server.url).href);
  await page.getByLabel("Or sign in with a token").fill(made.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText('You have the role "decide". You can see every field but not change it.')).toBeVisible();
});
